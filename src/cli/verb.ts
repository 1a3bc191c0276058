// What a verb's file in cli/commands exports, and what it is called with.
import type { SessionPaths } from '../config/paths.ts';
import type { Opening } from '../tui/first-frame.ts';
import type { Method, Params, Result, ServerEvent } from '../wire/requests.ts';
import type { Output } from './output.ts';
import type { VerbShape, Words } from './parse.ts';

/** A connection to the session's server, as verbs use it. Refusals arrive as Failure. */
export interface Link {
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Events that nobody asked for; call before the request that starts them. */
  listen(listener: (event: ServerEvent) => void): void;
  /** Resolves when the server or the link is gone. */
  closed: Promise<void>;
  close(): void;
}

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
  /** The server's; started unless `start` is false, in which case null means that there is none. */
  link(o?: { start?: true }): Promise<Link>;
  running(): Promise<Link | null>;
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
