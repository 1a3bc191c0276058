// What herd knows of one kind of agent, as plain data: it can be written in TOML or JSON, regular expressions are strings.
// Holds no code and no state; `compile.ts` turns it into something that matches.

/** Grows when a field's meaning changes; a file with a newer version is refused. */
export const KIND_VERSION = 1;

/** Where a rule looks. All but `bottom` and `screen` need the composer to be on the screen. */
export type Region =
  /** The last `rows` non-blank rows above the composer: status rows and the end of the transcript. */
  | 'above'
  /** The last row above the composer that starts at the left margin: the newest item of the transcript. */
  | 'last-item'
  /** The composer's upper border. */
  | 'border'
  /** The rows below the composer. */
  | 'footer'
  /** The last `rows` non-blank rows of a screen that shows no composer. */
  | 'bottom'
  /** The whole screen. */
  | 'screen';

export type RuleSays = 'working' | 'rest' | 'background' | 'rate-limit' | 'usage-limit' | 'error' | 'view';

/**
 * One rule. `any`: at least one must match the region's rows (each on a line of its own), or the rows joined by single blanks, which is how
 * text that a narrow pane wraps is met. Case does not count.
 */
export interface ScreenRule {
  id: string;
  says: RuleSays;
  region: Region;
  /** Rows of `above` and `bottom`; 8 when absent. */
  rows?: number;
  any: string[];
  not?: string[];
  /** The matched text must have changed within this many ms: a spinner that stands still says nothing. */
  fresh?: number;
  /** A spinner that turns as long as a turn runs: once it has gone, a moment of quiet ends the turn, as without `fresh`. */
  stands?: boolean;
  /** Keys that finish an answer which the agent followed up with what this rule matches: a field for more words, left empty. */
  finish?: string[];
}

export interface TitleRule {
  match: string;
  says: 'working' | 'blocked' | 'rest';
}

/** How to find the input box. Rows are matched from the bottom of the screen upwards; the lowest box wins. */
export interface ComposerShape {
  /** Upper border; absent when there is none. */
  top?: string;
  /** First row of input, its prompt glyph included. Group 1, when there is one, is the typed text. */
  first: string;
  /** Further rows of input; absent: any row. */
  more?: string;
  /** Lower border; absent when there is none. */
  bottom?: string;
  /** Rows at the end of the box that are not input (a model's name). */
  trailer?: number;
  /** Most rows of input, and most non-blank rows that may stand below the box. */
  rows: number;
  footer: number;
  /** Texts that stand in an empty box. Dim or grey text behind the cursor counts as empty without being named here. */
  placeholder?: string[];
}

export interface Kind {
  version: typeof KIND_VERSION;
  /** What `--agent` takes. */
  id: string;
  name: string;
  /** What starts it. */
  command: string[];
  /** Base names of the program, and path fragments of the script an interpreter runs, that tell it is this kind. */
  detect: { programs: string[]; scripts: string[] };
  /** Words of its command line with which it has no screen of its own, but works until it ends. */
  headless?: string[];
  titles: TitleRule[];
  composer: ComposerShape | null;
  rules: ScreenRule[];
  motion: {
    /** Its screen moves only while it works: steady motion without a rule means working. */
    counts: boolean;
    /** It writes all the time while it works, though nothing changes, and nothing at rest: that it has stopped writing ends a turn. */
    pulses?: boolean;
    /** ms without change after which a screen with an empty rule set is at rest. */
    rest: number;
  };
  prompt: {
    /** `paste`: bracketed paste; `none`: herd sends it nothing. */
    method: 'paste' | 'none';
    /** ms between the text's appearance and CR. */
    settle: number;
    /** ms after its composer first stood before it reads keys. */
    startup: number;
    /** Marks that stand for a long paste. */
    folded: string[];
  };
  /** Key names as in `model/input.ts`, modifiers before them: `ctrl+c`. Empty: by the dialog's own options. */
  keys: { approve: string[]; reject: string[]; interrupt: string[]; exit: string[] };
  /** Command that takes up an earlier conversation; `{id}` is its id. Null: not possible. */
  resume: string[] | null;
  /** What it prints as it ends to say how to go on; group 1 is the conversation's id. */
  farewell: string | null;
  /** First group is what to show. Searched in the footer, border and the rows above the composer. */
  shows: { context?: string; cost?: string; task?: string };
}
