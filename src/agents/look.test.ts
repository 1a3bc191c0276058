// Tables of screens and what one look says of them: composers, dialogs and rules by their form, at several widths and wordings.
import { describe, expect, test } from 'vitest';
import { screenOf } from '../../test/support/screen-of.ts';
import { compileKind } from './kinds/compile.ts';
import { KINDS } from './kinds/table.ts';
import { lookAt } from './look.ts';

const RULE = '─'.repeat(60);
const look = (kind: string, screen: string) => lookAt(compileKind(KINDS.get(kind)!), screenOf(screen));
const working = (kind: string, screen: string) => look(kind, screen).hits.some((hit) => hit.says === 'working');

const CLAUDE_IDLE = `
● Done.

${RULE}
❯ ▏
${RULE}
  ⏸ manual mode on · ? for shortcuts`;

const CLAUDE_APPROVAL = `
 Bash command

   rm -rf build

 This command requires approval

 Do you want to proceed?
 ▏❯ 1. Yes
   2. Yes, and don’t ask again for: rm -rf build
   3. No

 Esc to cancel · Tab to amend`;

describe('composers and drafts', () => {
  const cases: [name: string, kind: string, screen: string, draft: string | null][] = [
    ['claude, empty', 'claude', CLAUDE_IDLE, ''],
    ['claude, a draft of two lines', 'claude', `${RULE}\n❯ first\n  second▏\n${RULE}\n  ⏸ manual mode on`, 'first\nsecond'],
    ['claude, a dim suggestion is no draft', 'claude', `${RULE}\n❯ ▏{fix the tests}\n${RULE}\n  ? for shortcuts`, ''],
    ['claude, typed text in the middle of a suggestion', 'claude', `${RULE}\n❯ fix▏ it\n${RULE}\n  ? for shortcuts`, 'fix it'],
    ['codex, placeholder', 'codex', '\n› ▏Ask Codex to do anything\n\n  model · ~/x\n  ? for shortcuts', ''],
    ['codex, draft', 'codex', '\n› run the checks▏\n\n  model · ~/x\n  ? for shortcuts', 'run the checks'],
    [
      'codex, a pasted review of more rows than its footer may have, blank ones among them',
      'codex',
      `› earlier\n\n• Done.\n\n› Review\n${Array.from({ length: 9 }, (_, i) => `\n  ## ${i}\n  words`).join('\n')}\n\n  to the reviewer.▏\n\n  model · ~/a/long/\n  path · title\n  2 warnings`,
      `Review\n\n${Array.from({ length: 9 }, (_, i) => `## ${i}\nwords`).join('\n\n')}\n\nto the reviewer.`,
    ],
    [
      'gemini, the edges of its 0.30',
      'gemini',
      `${'▀'.repeat(60)}\n > first prompt\n${'▄'.repeat(60)}\n✦ Hi.\n${'▀'.repeat(60)}\n > next▏\n${'▄'.repeat(60)}\n workspace`,
      'next',
    ],
    ['gemini, blocks', 'gemini', `${'▄'.repeat(60)}\n > ▏  Type your message or @path/to/file\n${'▀'.repeat(60)}\n workspace`, ''],
    ['pi, no glyph', 'pi', `${RULE}\nexplain it▏\n${RULE}\n~/x (main)\n0.0%/128k`, 'explain it'],
    ['opencode, bar with the model below', 'opencode', `  ┃\n  ┃  do it▏\n  ┃\n  ┃  Build · Mock\n  ╹${'▀'.repeat(40)}\n   ~/x`, 'do it'],
    ['copilot', 'copilot', `╻${'▄'.repeat(40)}\n┃ ▏\n╹${'▀'.repeat(40)}\n Interactive · / commands`, ''],
    ['an approval has no composer', 'claude', CLAUDE_APPROVAL, null],
  ];
  test.each(cases)('%s', (_name, kind, screen, draft) => {
    expect(look(kind, screen).composer?.draft ?? null).toBe(draft);
  });

  test('a status line of nine rows below the box does not hide it (fault: rows counted from the bottom)', () => {
    const footer = Array.from({ length: 9 }, (_, i) => `  status ${i}`).join('\n');
    expect(look('claude', `✻ Brewing… (3s)\n\n${RULE}\n❯ ▏\n${RULE}\n${footer}`).composer).not.toBeNull();
    expect(working('claude', `✻ Brewing… (3s)\n\n${RULE}\n❯ ▏\n${RULE}\n${footer}`)).toBe(true);
  });
});

describe('dialogs by form', () => {
  const cases: [name: string, kind: string, screen: string, options: string[] | null][] = [
    ['C08 approval', 'claude', CLAUDE_APPROVAL, ['Yes', 'Yes, and don’t ask again for: rm -rf build', 'No']],
    [
      'C03 resume menu',
      'claude',
      `${RULE}\n  This session is 21h 28m old and 312k tokens.\n\n  ❯ 1. Resume from summary\n    2. Resume full session as-is\n    3. Don't ask me again\n\n  Enter to confirm · Esc to cancel`,
      ['Resume from summary', 'Resume full session as-is', "Don't ask me again"],
    ],
    ['C03 other words', 'claude', `Welche Datei?\n\n  › 1. eine\n    2. andere\n\n  Enter to confirm · Esc to cancel`, ['eine', 'andere']],
    ['C03 y/N line', 'generic', 'Installing\nOverwrite config? [y/N] ▏', ['yes', 'no']],
    ['amp login', 'generic', 'Would you like to log in to Amp? [(y)es, (n)o]: ▏', ['yes', 'no']],
    [
      'trust, no numbers',
      'claude',
      ' Do you trust this folder?\n\n ▏❯ No, exit\n   Yes, I trust this folder\n\n Enter to confirm · Esc to cancel',
      ['No, exit', 'Yes, I trust this folder'],
    ],
    [
      'pi',
      'pi',
      `${RULE}\n\n Allow bash? ls\n\n → Yes\n   No\n\n ↑↓ navigate  enter select  escape/ctrl+c cancel\n\n${RULE}\n~/x\n0.0%/128k`,
      ['Yes', 'No'],
    ],
    [
      'codex keys in labels',
      'codex',
      '  Would you like to run this?\n\n  $ ls\n\n› 1. Yes, proceed (y)\n  2. No, tell Codex (esc)\n\n  Press enter to confirm or esc to cancel',
      ['Yes, proceed (y)', 'No, tell Codex (esc)'],
    ],
    [
      'opencode buttons',
      'opencode',
      '  ┃  △ Permission required\n  ┃  $ ls\n  ┃\n  ┃   Allow once   Allow always   Reject    ⇆ select  enter confirm\n  ┃',
      ['Allow once', 'Allow always', 'Reject'],
    ],
    [
      'cline letters',
      'cline',
      ' Cline needs permission\n\n Approve tool call?\n\n  [y] Approve   [n] Deny\n\n model (900) $0.00\n project (main)',
      ['[y] Approve', '[n] Deny'],
    ],
    [
      'narrow: labels and hints wrapped',
      'copilot',
      '│ Do you want to run this?  │\n│                           │\n│ ❯ 1. Yes                  │\n│   2. No, and tell Copilot │\n│   what to do (Esc to stop)│\n│                           │\n│ ↑/↓ to navigate · enter to│\n│ select · esc to cancel    │\n╰───────────────────────────╯',
      ['Yes', 'No, and tell Copilot'],
    ],
    ['idle prompt is no dialog', 'claude', CLAUDE_IDLE, null],
    ['a quoted dialog above the box is none', 'claude', `${CLAUDE_APPROVAL}\n\n${CLAUDE_IDLE}`, null],
    [
      'prose with its words is none (fault: "would you like to" and "yes")',
      'claude',
      `● Would you like to go on? Say yes and I run it.\n\n  1. Build\n  2. Test\n${CLAUDE_IDLE}`,
      null,
    ],
    ['a numbered draft is none', 'claude', `${RULE}\n❯ 1. do this\n  2. then that▏\n${RULE}\n  ⏸ manual mode on`, null],
    ['a footer that says Run Everything is none', 'claude', `${CLAUDE_IDLE} · Run Everything`, null],
  ];
  test.each(cases)('%s', (_name, kind, screen, options) => {
    const labels = look(kind, screen).question?.options.map((option) => option.label) ?? null;
    if (options === null) expect(labels).toBeNull();
    else expect(labels?.map((label, i) => label.slice(0, options[i]?.length))).toEqual(options);
  });

  test('its identity holds while counters run and changes with its text', () => {
    const id = (command: string, seconds: string) =>
      look('claude', CLAUDE_APPROVAL.replace('rm -rf build', `${command} ${seconds}`)).question!.id;
    expect(id('make', '5s')).toBe(id('make', '6s'));
    expect(id('make', '5s')).not.toBe(id('make -B', '5s'));
  });

  test('keys lead from the pointed option to each', () => {
    const keys = look('claude', CLAUDE_APPROVAL).question!.options.map((option) => option.keys.join(' '));
    expect(keys).toEqual(['enter', 'down enter', 'down down enter']);
  });
});

describe('a boxed dialog whose cursor stands on the option', () => {
  const edge = '─'.repeat(60);
  const boxed = (at: number) =>
    [
      `╭${edge}╮`,
      '│ Do you want to run this command?',
      '│',
      `│ ${at === 0 ? '▏❯' : ' '} 1. Yes`,
      `│ ${at === 1 ? '▏❯' : ' '} 2. No, and say what to do instead (Esc)`,
      '│',
      '│ ↑/↓ to navigate · enter to select · esc to cancel',
      `╰${edge}╯`,
    ].join('\n');

  test.each([
    ['copilot', 0],
    ['copilot', 1],
    ['generic', 0],
    ['generic', 1],
  ])('%s, on option %i', (kind, at) => {
    const { question } = look(kind, boxed(at));
    expect(question?.options.map(({ selected }) => selected)).toEqual([at === 0, at === 1]);
  });
});

describe('a box that the kind does not know', () => {
  const edges = (inside: string) =>
    `● Steps: ❯ 1. Yes\n 2. No\n${'═'.repeat(70)}\n${inside}\n${'═'.repeat(70)}\n  ? for shortcuts · enter to send · esc to clear`;

  test.each([
    ['claude', '▷ fix it▏', 'fix it'],
    ['gemini', '│ first\n│ second▏', 'first\nsecond'],
    ['codex', '▏', ''],
  ])('%s: rows with the cursor between two edges', (kind, inside, draft) => {
    const { composer, question } = look(kind, edges(inside));
    expect([composer?.draft, question]).toEqual([draft, null]);
  });

  test('a row of its own behind a prompt glyph', () => {
    const { composer, question } = look(
      'codex',
      '• Done. Go on?\n\n  1. Yes\n  2. No\n\n➜ fix it▏\n\n  model · enter to send · esc to clear',
    );
    expect([composer?.draft, question]).toEqual(['fix it', null]);
  });

  test('holds a dialog', () => {
    const { composer, question } = look('claude', edges(' Do you want to proceed?\n ▏▷ 1. Yes\n   2. No'));
    expect([composer, question?.options.map(({ label }) => label)]).toEqual([null, ['Yes', 'No']]);
  });

  test.each([
    ['no edge below the cursor', `${'═'.repeat(70)}\n▷ fix it▏\n\n 1 file`],
    ['edges of a table', `${'═'.repeat(30)}\n▷ fix it▏\n${'═'.repeat(30)}`],
  ])('%s: none', (_name, screen) => {
    expect(look('claude', screen).composer).toBeNull();
  });
});

describe('a notice that any key closes asks nothing', () => {
  const ad = (hint: string) => `      A plan for less\n\n      https://example.com\n\n ❯ Open it\n ${hint}`;
  test.each([
    ['an offer', 'cline', 'Press Enter to open, any other key to close', true],
    ['news', 'claude', 'Press any key to dismiss', true],
    ['a hint that a narrow pane wraps', 'cline', 'Press Enter to open, any other key to\n   close', true],
    ['something that goes on by the key', 'claude', 'Press Enter to continue', false],
    ['something that goes on by any key', 'codex', 'Press any key to continue', false],
    ['a command that waits', 'generic', 'Press any key to close', false],
  ])('%s', (_name, kind, hint, notice) => {
    const seen = look(kind, ad(hint));
    expect([seen.notice, seen.question === null]).toEqual([notice, notice]);
  });
});

test('a scroll bar beside a dialog is no part of it', () => {
  const asks = (thumb: number) =>
    ['', ' > run it', '', " Allow execution of: 'sh'?", '', ' › 1. Yes, allow once', '   2. No (esc)']
      .map((row, y) => row.padEnd(60) + (y === thumb ? '█' : '│'))
      .join('\n');
  const [before, after] = [look('qwen', asks(0)).question, look('qwen', asks(4)).question];
  expect(before?.text).toBe("Allow execution of: 'sh'?");
  expect(after).toEqual(before);
});

describe('work on the screen', () => {
  const box = `\n${RULE}\n❯ ▏\n${RULE}\n`;
  const cases: [name: string, kind: string, screen: string, works: boolean][] = [
    ['C01 status row above the box', 'claude', `✻ Actualizing… (13m 23s · ↓ 47.5k tokens)\n${box}  ? for shortcuts`, true],
    ['every spinner frame, ✳ too', 'claude', `✳ Actualizing… (3s)\n${box}`, true],
    ['esc to interrupt right behind the ellipsis', 'claude', `✻ Thinking…(esc to interrupt)\n${box}`, true],
    ['esc to interrupt only in the transcript', 'claude', `● Press esc to interrupt a turn.\n${box}  ? for shortcuts`, false],
    ['a finished turn', 'claude', `✻ Cooked for 3s · done 12:38 AM\n${box}  ? for shortcuts`, false],
    ['retry countdown', 'claude', `✻ 500 Overloaded · retrying in 17s · attempt 6/10\n${box}`, true],
    [
      'codex, follow-ups queued below the row',
      'codex',
      '• Working (7s • esc to interrupt)\n\n  ↳ next\n  ↳ after that\n\n› ▏Ask Codex to do anything\n\n  model',
      true,
    ],
    ['codex, interrupted', 'codex', '■ Conversation interrupted - tell the model what to do differently\n\n› ▏\n\n  model', false],
    [
      'opencode wrapped footer',
      'opencode',
      `  ┃\n  ┃\n  ┃  Build\n  ╹${'▀'.repeat(20)}\n   ■■⬝⬝  esc        tab agents\n         interrupt  commands`,
      true,
    ],
    ['qwen waiting is not work', 'qwen', `  ⠏ Waiting for user confirmation...\n${RULE}\n> ▏\n${RULE}\n  ➜ x`, false],
    ['typed text that says it', 'claude', `${RULE}\n❯ what does esc to interrupt do▏\n${RULE}\n  ⏸ manual mode on`, false],
  ];
  test.each(cases)('%s', (_name, kind, screen, works) => {
    expect(working(kind, screen)).toBe(works);
  });

  test.each([
    ['○ 1 command still running · send a message to interrupt', 'background'],
    ['✻ Waiting for 3 background agents to finish', 'background'],
  ])('C06 %s', (row, says) => {
    expect(look('claude', `${row}\n${box}  ? for shortcuts`).hits.map((hit) => hit.says)).toContain(says);
  });

  test('C06 shells in the footer', () => {
    expect(look('claude', `● Done.\n${box}  ⏵⏵ auto mode on · 2 shells`).hits.map((hit) => hit.says)).toContain('background');
  });

  test('a limit is told with its time as printed', () => {
    const hit = look('claude', `Claude usage limit reached · resets 3:10pm (UTC)\n${box}`).hits.find((h) => h.says === 'usage-limit');
    expect(hit?.part).toMatch(/3:10pm \(UTC\)$/);
  });
});
