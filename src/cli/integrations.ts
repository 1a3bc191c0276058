// What herd adds to agents' own configuration: hooks that tell the id of the conversation and of sub-agents, which neither OSC 7501 nor the
// screen says. Pure: texts in, texts out. Touches nothing but its own entries, which are known by their command. None for Cline: its hooks run
// in a process that all its windows share, in the environment of whichever began it, so they would tell one pane's id of another.

export interface Integration {
  /** File below the home folder. */
  file: string;
  /** Events of a JSON file of the agent's; null when the file is herd's own. */
  events: string[] | null;
  /** The whole file, where it is herd's own. */
  text: string | null;
  /** What the person has to do besides. */
  note: string | null;
}

/** Outside of herd's panes it does nothing, whether herd is installed or not. Names no secret: Gemini shows its commands with their values. */
const hookCommand = (kind: string): string => `[ -z "$HERD_TERMINAL" ] ${ending(kind)}`;
/** How herd's commands end, whatever they asked before that. */
const ending = (kind: string): string => `|| herd hook ${kind}`;

const PI = `// Put here by herd; taken away by: herd integration uninstall pi
import { spawn } from "node:child_process";

export default function (pi) {
  pi.on("session_start", (_event, ctx) => {
    if (!process.env.HERD_TOKEN || !ctx.hasUI) return;
    const child = spawn("herd", ["hook", "pi"], { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => {});
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ hook_event_name: "SessionStart", session_id: ctx.sessionManager.getSessionId() }));
  });
}
`;

const OPENCODE = (kind: string): string => `// Put here by herd; taken away by: herd integration uninstall ${kind}
import { spawn } from "node:child_process";

const tell = (report) => {
  if (!process.env.HERD_TOKEN) return;
  const child = spawn("herd", ["hook", "${kind}"], { stdio: ["pipe", "ignore", "ignore"] });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(report));
};

export const herd = async () => ({
  event: async ({ event }) => {
    const info = event.properties?.info;
    if (event.type === "session.created" && info?.id && !info.parentID) tell({ hook_event_name: "SessionStart", session_id: info.id });
  },
});
`;

const COPILOT = `${JSON.stringify(
  { version: 1, hooks: { sessionStart: [{ type: 'command', bash: hookCommand('copilot'), timeoutSec: 10 }] } },
  null,
  2,
)}\n`;

/** Of agents that bring plugins their own package, before they draw anything. */
const FETCHES = 'It fetches its plugin package from npm at its next start; without a network it tries for a minute at every start.';

export const INTEGRATIONS: Readonly<Record<string, Integration>> = {
  claude: { file: '.claude/settings.json', events: ['SessionStart', 'SubagentStart', 'SubagentStop'], text: null, note: null },
  codex: {
    file: '.codex/hooks.json',
    events: ['SessionStart', 'SubagentStart', 'SubagentStop'],
    text: null,
    note: 'Codex asks at its next start whether to trust the hooks.',
  },
  gemini: { file: '.gemini/settings.json', events: ['SessionStart'], text: null, note: null },
  qwen: { file: '.qwen/settings.json', events: ['SessionStart', 'SubagentStart', 'SubagentStop'], text: null, note: null },
  copilot: { file: '.copilot/hooks/herd.json', events: null, text: COPILOT, note: null },
  pi: { file: '.pi/agent/extensions/herd.ts', events: null, text: PI, note: null },
  opencode: { file: '.config/opencode/plugins/herd.js', events: null, text: OPENCODE('opencode'), note: FETCHES },
  kilo: { file: '.config/kilo/plugins/herd.js', events: null, text: OPENCODE('kilo'), note: FETCHES },
};

/** `text` null: the file is to go. */
export type Plan = { text: string | null } | { unchanged: string } | { refused: string };

/** The file after installing (or uninstalling); `current` null: it is not there. */
export function planIntegration(kind: string, current: string | null, remove: boolean): Plan {
  const { events, text } = INTEGRATIONS[kind]!;
  if (events === null) return planOwnFile(text!, current, remove);
  const parsed = parse(current);
  if ('refused' in parsed) return parsed;
  const { settings } = parsed;
  const command = hookCommand(kind);
  const hooks = { ...(settings.hooks as Record<string, unknown> | undefined) };
  let changed = false;
  for (const event of new Set([...events, ...Object.keys(hooks)])) {
    const groups = hooks[event] ?? [];
    if (!Array.isArray(groups)) return { refused: `"hooks.${event}" is no list` };
    const others = groups.flatMap((group) => withoutOwn(group, (own) => own.endsWith(ending(kind))));
    const wanted = !remove && events.includes(event);
    const isThere = groups.some((group) => withoutOwn(group, (own) => own === command)[0] !== group);
    if (wanted ? isThere : JSON.stringify(others) === JSON.stringify(groups)) continue;
    changed = true;
    hooks[event] = wanted ? [...others, { hooks: [{ type: 'command', command }] }] : others;
    if (!wanted && others.length === 0) delete hooks[event];
  }
  if (!changed) return { unchanged: remove ? 'herd has put nothing there' : 'it is there already' };
  const next: Record<string, unknown> = { ...settings, hooks };
  if (Object.keys(hooks).length === 0) delete next.hooks;
  if (remove && Object.keys(next).length === 0) return { text: null };
  return { text: write(next, current) };
}

function planOwnFile(text: string, current: string | null, remove: boolean): Plan {
  if (remove)
    return current === null
      ? { unchanged: 'herd has put nothing there' }
      : current === text
        ? { text: null }
        : { refused: 'it has been changed since herd wrote it; remove it by hand' };
  if (current === text) return { unchanged: 'it is there already' };
  return current === null || /herd hook|by herd/.test(current) ? { text } : { refused: 'there is a file of that name which is not herd’s' };
}

/** A group of hooks without herd's own; none when nothing is left of it. */
function withoutOwn(group: unknown, isOwn: (command: string) => boolean): unknown[] {
  const hooks = (group as { hooks?: unknown } | null)?.hooks;
  if (!Array.isArray(hooks)) return [group];
  const others = hooks.filter((hook) => {
    const command = (hook as { command?: unknown } | null)?.command;
    return typeof command !== 'string' || !isOwn(command);
  });
  if (others.length === hooks.length) return [group];
  return others.length === 0 ? [] : [{ ...(group as object), hooks: others }];
}

function parse(current: string | null): { settings: Record<string, unknown> } | { refused: string } {
  if (current === null || current.trim() === '') return { settings: {} };
  try {
    const settings = JSON.parse(current) as unknown;
    const isTable = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isTable(settings)) return { refused: 'it holds no JSON object' };
    const { hooks } = settings as { hooks?: unknown };
    if (hooks !== undefined && !isTable(hooks)) return { refused: '"hooks" is no object' };
    return { settings: settings as Record<string, unknown> };
  } catch {
    return { refused: 'it is not plain JSON (comments would be lost)' };
  }
}

/** With the indentation and the last line end of the file it replaces. */
function write(settings: Record<string, unknown>, current: string | null): string {
  const indent = /\n([ \t]+)"/.exec(current ?? '')?.[1] ?? '  ';
  return JSON.stringify(settings, null, indent) + (current === null || current.endsWith('\n') ? '\n' : '');
}

/** The lines that go ('-') and come ('+') between two texts, with two lines around. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))) as [string[], string[]];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...old.slice(Math.max(0, head - 2), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...now.slice(now.length - tail, now.length - tail + 2).map((line) => `  ${line}`),
  ];
}
