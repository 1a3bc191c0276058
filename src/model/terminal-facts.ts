// What a program tells its terminal about itself, as parsed from its output; untrusted, cleaned where it entered.

/** One OSC 7501 report (Program Status Protocol, revision 0.4): a record replaced wholly by the next with the same id. */
export interface ProgramStatus {
  /** Record: '' for the program itself, 'a/b' for children. */
  id: string;
  state: 'idle' | 'working' | 'blocked' | 'done' | 'error' | 'clear';
  kind?: string;
  app?: string;
  message?: string;
  title?: string;
  progress?: number;
}

/** The sequence that a notification came in. */
export type NotificationForm = 'osc9' | 'osc99' | 'osc777';

/** Everything a screen reports besides its cells. */
export type TerminalFact =
  | { fact: 'title'; title: string }
  | { fact: 'icon-title'; title: string }
  | { fact: 'bell' }
  | { fact: 'notification'; source: NotificationForm; title: string; body: string }
  /** OSC 9;4: 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused. */
  | { fact: 'progress'; state: 0 | 1 | 2 | 3 | 4; value: number | null }
  | { fact: 'status'; report: ProgramStatus }
  | { fact: 'cwd'; path: string }
  /** OSC 12 and 112: '#rrggbb'; null: the outer terminal's own. */
  | { fact: 'cursor-colour'; colour: string | null }
  | { fact: 'prompt-mark'; mark: 'A' | 'B' | 'C' | 'D'; exit: number | null }
  /** OSC 52 write, decoded; size-capped. */
  | { fact: 'clipboard'; text: string };
