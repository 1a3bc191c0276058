// What the program in the focused pane asks of the outer terminal beyond cells: the colour of the cursor, progress in the window's frame or
// the task bar. Says each thing once; the focus on another pane says what that one wants.
import type { TerminalFacts } from '../model/workspace.ts';
import type { FacePorts, OuterAct } from './face.ts';

type Progress = Extract<OuterAct, { act: 'progress' }>;

const NO_PROGRESS: Progress = { act: 'progress', state: 0, value: null };

export class ProgramLooks {
  readonly #ports: Pick<FacePorts, 'act'>;
  #cursor: string | null = null;
  #progress = NO_PROGRESS;

  constructor(ports: Pick<FacePorts, 'act'>) {
    this.#ports = ports;
  }

  /** `terminal` has the focus; null: something that is no terminal. */
  show(terminal: Pick<TerminalFacts, 'cursorColour' | 'progress'> | null): void {
    const colour = terminal?.cursorColour ?? null;
    if (colour !== this.#cursor) this.#ports.act({ act: 'cursor-colour', colour });
    this.#cursor = colour;
    const progress: Progress = { ...NO_PROGRESS, ...terminal?.progress };
    if (progress.state !== this.#progress.state || progress.value !== this.#progress.value) this.#ports.act(progress);
    this.#progress = progress;
  }
}
