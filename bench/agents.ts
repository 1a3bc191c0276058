// What judging agents costs: two hundred that replay what real ones printed, at the pace at which they did, once watched and once not.

import { readFileSync } from 'node:fs';
import { KINDS } from '../src/agents/kinds/table.ts';
import { UNKNOWN_OUTER } from '../src/model/outer.ts';
import { AgentWatch } from '../src/server/state/agent-watch.ts';
import { WakeUps } from '../src/server/state/wake-ups.ts';
import { Screen } from '../src/terminal/screen.ts';
import type { Row } from './figures.ts';

const AGENTS = 200;
/** s over which CPU is taken. */
const WINDOW = 20;
/** Recorded turns of agents that write all the time while they work; the kind is the first word. */
const RECORDINGS = [
  'claude-question-a-120x40',
  'codex-two-turns-b-80x24',
  'opencode-typing-a-120x40',
  'pi-paste-a-120x40',
  'copilot-quote-a-120x40',
  'gemini-first-run-a-120x40',
];

interface Recorded {
  kind: string;
  cols: number;
  rows: number;
  events: [at: number, bytes: Uint8Array][];
  length: number;
}

function load(name: string): Recorded {
  const text = readFileSync(new URL(`../test/fixtures/recordings/${name}.cast`, import.meta.url), 'utf8');
  const [head, ...rest] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const events = (rest as [number, string, string][])
    .filter(([, what]) => what === 'o')
    .map(([at, , data]): [number, Uint8Array] => [at * 1000, Buffer.from(data)]);
  return { kind: name.split('-')[0]!, cols: head.width, rows: head.height, events, length: events.at(-1)![0] };
}

/** CPU seconds of this process while the agents run for WINDOW seconds. */
async function run(recordings: Recorded[], watched: boolean): Promise<{ cpu: number; changes: number; looks: number }> {
  let changes = 0;
  let looks = 0;
  const stops: (() => void)[] = [];
  const wakeUps = new WakeUps(() => performance.now());
  for (let i = 0; i < AGENTS; i++) {
    const recording = recordings[i % recordings.length]!;
    const { cols, rows, events, length } = recording;
    const ref: { watch: AgentWatch | null } = { watch: null };
    const screen: Screen = new Screen({
      ...{ cols, rows, version: '0', outer: () => UNKNOWN_OUTER, onReply: () => {} },
      onFact: (report) => ref.watch?.fact({ fact: 'terminal', report }),
    });
    if (watched) {
      const read = screen.text.bind(screen);
      screen.text = () => {
        looks++;
        return read();
      };
      ref.watch = new AgentWatch({
        ...{ kind: KINDS.get(recording.kind)!, screen, started: Date.now(), headless: false, stallAfter: 600_000, known: null, said: [] },
        now: () => Date.now(),
        wakeUps,
        onStatus: () => changes++,
      });
    }
    // Each starts somewhere else in its recording; what is before is there at once.
    let at = (length * i) / AGENTS;
    let next = events.findIndex(([time]) => time > at);
    for (const [, bytes] of events.slice(0, next)) await screen.write(bytes);
    let timer: NodeJS.Timeout;
    const step = (): void => {
      const [time, bytes] = events[next]!;
      at = time;
      void screen.write(bytes);
      ref.watch?.screenChanged();
      next = (next + 1) % events.length;
      timer = setTimeout(step, next === 0 ? 1000 : Math.max(0, events[next]![0] - at));
    };
    timer = setTimeout(step, Math.max(0, events[next]![0] - at));
    stops.push(() => {
      clearTimeout(timer);
      ref.watch?.close();
      screen.dispose();
    });
  }
  looks = 0;
  const before = process.cpuUsage();
  await new Promise((done) => setTimeout(done, WINDOW * 1000));
  const { user, system } = process.cpuUsage(before);
  for (const stop of stops) stop();
  return { cpu: (user + system) / 1e6, changes, looks };
}

export async function agents(): Promise<Row[]> {
  const recordings = RECORDINGS.map(load);
  await run(recordings, true);
  const bare = await run(recordings, false);
  const { cpu, changes, looks } = await run(recordings, true);
  const share = (100 * Math.max(0, cpu - bare.cpu)) / WINDOW;
  return [
    {
      measure: '200 agents judged, as recorded',
      must: '≤ 5 % of a core',
      figure: `${share.toFixed(1)} %`,
      holds: share <= 5,
      detail: `what judging adds; ${changes} changes of status and ${looks} looks in ${WINDOW} s`,
    },
    {
      measure: '200 agents parsed and judged, as recorded',
      must: '',
      figure: `${((100 * cpu) / WINDOW).toFixed(1)} %`,
      holds: null,
      detail: `parsing alone ${((100 * bare.cpu) / WINDOW).toFixed(1)} %`,
    },
  ];
}
