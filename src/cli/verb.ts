// What a verb's file in cli/commands exports, and what it is called with.
import type { SessionPaths } from '../config/paths.ts';
import type { Opening } from '../tui/first-frame.ts';
import type { Method, Params, Result, ServerEvent } from '../wire/requests.ts';
import type { Output } from './output.ts';
import type { VerbShape, Words } from './parse.ts';

/** The way to the session's server, as verbs use it, whichever server that is by then. Refusals arrive as Failure. */
export interface Link {
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Events that nobody asked for; call before the request that starts them. */
  listen(listener: (event: ServerEvent) => void): void;
  /** Resolves when the server that was asked last, or the link to it, is gone. */
  readonly closed: Promise<void>;
  close(): void;
}

/**
 * How a session's server is looked for: 'start' starts the session where there is none; `within`: one that is coming up is waited for, ms
 * (left out: as long as a start takes); 'now': what answers at once, for those who can do without.
 */
export type Finding = 'start' | 'now' | { within?: number };

export interface Call extends Words {
  json: boolean;
  session: string;
  /** True when `--session` or HERD_SESSION named it. */
  sessionNamed: boolean;
  paths: SessionPaths;
  env: Record<string, string | undefined>;
  cwd: string;
  out: Output;
  /** What a plain attach began with, before this was loaded. */
  opening: Opening | null;
  /** To the session's server; the session is started where there is none. */
  link(): Promise<Link>;
  /** The same for those that start nothing: null when there is no session. */
  running(finding?: Exclude<Finding, 'start'>): Promise<Link | null>;
  /** What the calling pane or the words say. */
  workspace(word: string | undefined): string | number;
}

/** Returns the exit code; 0 when nothing is returned. */
// biome-ignore lint/suspicious/noConfusingVoidType: verbs that cannot fail quietly return nothing
export type RunVerb = (call: Call) => Promise<number | undefined | void>;

export interface Verb extends VerbShape {
  load(): Promise<RunVerb>;
  /** Not for people: started by herd itself. */
  hidden?: boolean;
  /** Session it runs in unless one is named; "default" for all others. */
  session?: string;
}
