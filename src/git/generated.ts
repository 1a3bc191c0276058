// Files that no person wrote, by name. gitattributes can say otherwise; see scan.ts.

const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'Cargo.lock',
  'Gemfile.lock',
  'composer.lock',
  'poetry.lock',
  'Pipfile.lock',
  'uv.lock',
  'pdm.lock',
  'go.sum',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'Podfile.lock',
  'Package.resolved',
  'packages.lock.json',
  'gradle.lockfile',
]);

/** By its name: the file is written by a package manager. */
export function isLockFile(path: string): boolean {
  return LOCK_FILES.has(path.slice(path.lastIndexOf('/') + 1));
}
