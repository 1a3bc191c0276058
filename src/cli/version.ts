// The version of this program: written in by the bundler, read from package.json when run from its sources.
declare const HERD_VERSION: string | undefined;

/** As in package.json. */
export const VERSION: string = typeof HERD_VERSION === 'string' ? HERD_VERSION : '0.1.0-source';
