// Where the life of a client (start.ts) meets what it shows: the state and views on one side, connection, tty and compositor on the
// other. Types only.

import type { ColorDepth } from '../compositor/colors.ts';
import type { Layers } from '../compositor/compositor.ts';
import type { InputEvent } from '../model/input.ts';
import type { NotificationForm } from '../model/terminal-facts.ts';
import type { DiffDecoder } from '../wire/diff-decoder.ts';
import type { Method, OuterTerminal, Params, Result, ServerEvent, SessionState, WireError } from '../wire/requests.ts';

/** How soon a change must be seen: at once (a key's effect, the focused pane), within 100 ms (another visible pane), or with the next frame. */
export type Urgency = 'focused' | 'visible';

/** Whole sequences for the outer terminal besides cells; text is cleaned and cut by the tty. */
export type OuterAct =
  | { act: 'title'; text: string }
  | { act: 'clipboard'; text: string }
  | { act: 'notify'; title: string; body: string; form?: NotificationForm }
  | { act: 'progress'; state: 0 | 1 | 2 | 3 | 4; value: number | null }
  /** '#rrggbb'; null: the outer terminal's own again. */
  | { act: 'cursor-colour'; colour: string | null }
  | { act: 'bell' };

/** What the client's life gives to its face. */
export interface FacePorts {
  /** Rejects with ConnectionError while the server is away; a RequestError is a refusal. */
  request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Cells and facts of a view as they last came; null before its first frame. Views that are no longer set are forgotten by `forgetView`. */
  view(view: number): DiffDecoder | null;
  forgetView(view: number): void;
  /** Something visible changed: `layers()` is asked for when its time comes. */
  draw(urgency: Urgency): void;
  outer(): OuterTerminal;
  /** Colours the outer terminal shows. */
  colors(): ColorDepth;
  size(): { cols: number; rows: number };
  act(act: OuterAct): void;
  /** Gives the tty to `run` (an editor) and takes it back after it. */
  suspend(run: () => Promise<void>): Promise<void>;
  /** Ends the client: restores the tty, prints `message` if any, exits with `code`. */
  leave(code: number, message?: string): void;
}

/** What a client shows. */
export interface Face {
  /** Attached, or attached again after the server was away: all facts anew. */
  attached(state: SessionState): void;
  event(event: ServerEvent): void;
  /** A frame of a view came in; the face says by `ports.draw` whether it is visible. */
  viewChanged(view: number): void;
  input(event: InputEvent): void;
  /** A paste larger than the limit was thrown away. */
  pasteRefused(bytes: number): void;
  resized(cols: number, rows: number): void;
  /** The outer terminal told its colours, name or cell size. */
  outerChanged(outer: OuterTerminal): void;
  /** The server has not answered since (ms since the epoch); null: it does again. */
  silent(since: number | null): void;
  /** The connection ended; start.ts tries again by itself. */
  disconnected(why: WireError): void;
  layers(): Layers;
  /** Mouse moves without a button are wanted (1003), for the program under the pointer. */
  wantsMoves?(): boolean;
  /** Kitty keyboard flags the focused program asked for. */
  keyboardFlags?(): number;
  /** The first frame has left: what it did not need may begin. */
  painted?(): void;
  close(): void;
}

export type OpenFace = (ports: FacePorts) => Face;
