// Dialogs of tools that herd has no rules for, and of known ones in other words and widths: seen by their form, told by what they ask, answered
// by their own keys; and what looks like one and is none.
import { expect, test } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';
import { screenOf } from '../../test/support/screen-of.ts';
import { compileKind } from './kinds/compile.ts';
import { KINDS } from './kinds/table.ts';
import { lookAt } from './look.ts';

const RULE = '─'.repeat(60);
const EDGE = '─'.repeat(50);
const look = (kind: string, screen: string) => lookAt(compileKind(KINDS.get(kind)!), screenOf(screen));
const asked = (kind: string, screen: string) => {
  const { question } = look(kind, screen);
  return question && { text: question.text, options: question.options.map(({ label, keys }) => `${label}: ${keys.join(' ')}`) };
};

const FORMS: [name: string, kind: string, screen: string, text: string, options: string[]][] = [
  [
    'options that name their keys',
    'generic',
    ' $ npm test\n\n Run this command?\n Not in allowlist: npm test\n  → Run (y)\n    Reject (esc or n)\n    Auto-run all commands',
    'Run this command? · Not in allowlist: npm test · $ npm test',
    ['Run (y): y', 'Reject (esc or n): escape', 'Auto-run all commands: down down enter'],
  ],
  [
    'a pointer alone, as the last thing on the screen',
    'generic',
    ' Run this command?\n\n   npm test\n\n ❯ Yes\n   Allow always\n   No',
    'Run this command? · npm test',
    ['Yes: enter', 'Allow always: down enter', 'No: down down enter'],
  ],
  [
    'a command of several lines, with a heading and a remark',
    'generic',
    ' Shell command\n In the sandbox\n\n   git add -A\n   git commit -m one\n   git push\n\n It needs the network.\n\n Run it?\n ❯ 1. Yes\n   2. No',
    'Run it? · It needs the network. · git add -A · git commit -m one · git push · Shell command · In the sandbox',
    ['Yes: enter', 'No: down enter'],
  ],
  [
    'round marks in a gutter',
    'generic',
    '◆  Call the tool, do you confirm?\n│  ● Allow\n│  ○ Always Allow\n│  ○ Deny\n└',
    'Call the tool, do you confirm?',
    ['Allow: enter', 'Always Allow: down enter', 'Deny: down down enter'],
  ],
  ['yes and no in a gutter', 'generic', '◆  Go on?\n│  ○ Yes / ● No\n└', 'Go on?', ['Yes: left enter', 'No: enter']],
  ['a field in a gutter', 'generic', '◇  Name\n│  shop\n│\n◆  Which branch?\n│  ▏\n└', 'Which branch?', []],
  [
    'a list of one question',
    'generic',
    '? What now? (Use arrow keys)\n❯ Apply\n  Skip',
    '? What now? (Use arrow keys)',
    ['Apply: enter', 'Skip: down enter'],
  ],
  ['more than yes and no', 'generic', 'Commit? [Y/n/e(dit)] ▏', 'Commit? [Y/n/e(dit)]', ['yes: y enter', 'no: n enter']],
  [
    'letters of words',
    'generic',
    "Add file? (Y)es/(N)o/(D)on't ask again [Yes]: ▏",
    "Add file? (Y)es/(N)o/(D)on't ask again [Yes]:",
    ['yes: y enter', 'no: n enter'],
  ],
  [
    'answered on a line of its own',
    'generic',
    'Allow this action? [y/n/t]:\n\n> ▏',
    'Allow this action? [y/n/t]:',
    ['yes: y enter', 'no: n enter'],
  ],
  ['spelled out', 'generic', 'Connect (yes/no/[fingerprint])? ▏', 'Connect (yes/no/[fingerprint])?', ['yes: y e s enter', 'no: n o enter']],
  [
    'only the default',
    'generic',
    'cowsay@1.6.0\nOk to proceed? (y) ▏',
    'Ok to proceed? (y) · cowsay@1.6.0',
    ['yes: y enter', 'no: n enter'],
  ],
  [
    'hints in another language, in place of the box',
    'claude',
    ' Arbeitsbereich:\n\n /tmp/shop\n\n ❯ Nein, raus\n   Ja, ich traue ihm\n\n Enter zum Bestätigen · Esc zum Verlassen',
    'Arbeitsbereich: · /tmp/shop',
    ['Nein, raus: enter', 'Ja, ich traue ihm: down enter'],
  ],
  [
    'the same inside what would be the box',
    'pi',
    `${RULE}\n\n Welches Format?\n\n → JSON\n   CSV\n\n ↑↓ bewegen  enter wählen  escape/ctrl+c zurück\n\n${RULE}\n/tmp/shop (main)`,
    'Welches Format?',
    ['JSON: enter', 'CSV: down enter'],
  ],
  [
    'keys and words of another language in a row of their own',
    'cline',
    ' Cline braucht eine Erlaubnis\n\n   $ sh scripts/check.sh\n\n  [j] Erlauben   [n] Ablehnen\n\n mock-1 (900) $0.00',
    'Cline braucht eine Erlaubnis · $ sh scripts/check.sh',
    ['[j] Erlauben: j', '[n] Ablehnen: n'],
  ],
  [
    'a heading over a long change, nothing of the transcript above its gutter',
    'opencode',
    '  Now the file.\n\n  ▣  Build · Mock 1\n\n  ┃\n  ┃  △ Permission required\n  ┃    → Edit NOTES.md\n  ┃\n  ┃  1 + # Notes\n  ┃  2 + one\n  ┃  3 + two\n  ┃\n  ┃   Allow once   Allow always   Reject      ⇆ select  enter confirm\n  ┃',
    '△ Permission required · → Edit NOTES.md · 1 + # Notes · 2 + one',
    ['Allow once: enter', 'Allow always: right enter', 'Reject: right right enter'],
  ],
  [
    'options with descriptions in a narrow box',
    'qwen',
    `┌${'─'.repeat(40)}┐\n│ Connect a Provider                     │\n│                                        │\n│ › Alibaba ModelStudio                  │\n│   Recommended: Coding Plan, Token Plan,│\n│    or API Key                          │\n│                                        │\n│   Third-party Providers                │\n│   Choose a built-in provider           │\n│                                        │\n│   Custom Provider                      │\n│   Manually connect a local server, or  │\n│   provider                             │\n│                                        │\n│ ────────────────────────────────────── │\n│ ────────────────────────               │\n│                                        │\n│ Terms of Services and Privacy Notice:  │\n│ https://example.com/docs/en/users/     │\n│ support/tos-privacy/                   │\n│                                        │\n└${'─'.repeat(40)}┘`,
    'Connect a Provider',
    ['Alibaba ModelStudio: enter', 'Third-party Providers: down enter', 'Custom Provider: down down enter'],
  ],
  ['a password', 'generic', '[sudo] password for dev: ▏', '[sudo] password for dev:', []],
  [
    'letters in brackets',
    'generic',
    'Permission\nnpm test\n\n [a] Allow  [d] Deny',
    'Permission · npm test',
    ['[a] Allow: a', '[d] Deny: d'],
  ],
  [
    'numbers that are prose, and enter',
    'claude',
    ' Security notes:\n\n 1. It can make mistakes\n\n 2. Only use it with code you trust\n\n Press Enter to continue…',
    'Security notes: · 1. It can make mistakes · 2. Only use it with code you trust',
    ['enter: enter'],
  ],
  [
    'a composer without borders whose place it takes, narrow',
    'codex',
    '• I will run it.\n\n  Would you like to run the\n  following command?\n\n  Reason: Run the checks\n\n  $ sh check.sh\n\n› 1. Yes, proceed (y)\n  2. No, and tell Codex what to\n     do differently (esc)\n\n  Press enter to confirm or esc\n  to cancel',
    'Would you like to run the following command? · Reason: Run the checks · $ sh check.sh',
    ['Yes, proceed (y): y', 'No, and tell Codex what to do differently (esc): escape'],
  ],
  [
    'a box that looks like a composer',
    'droid',
    ` EXECUTE  (npm test, impact: medium)\n\n╭${EDGE}╮\n│ > Yes, allow\n│   No, cancel\n╰${EDGE}╯\n Use ↑↓ to navigate, Enter to select, Esc to cancel`,
    'EXECUTE (npm test, impact: medium)',
    ['Yes, allow: enter', 'No, cancel: down enter'],
  ],
  [
    'in place of the box, without hints',
    'cline',
    '* One question.\n\n Which format?\n\n  > JSON\n    CSV\n\n mock-1 (900) $0.00\n Auto-approve all disabled (Shift+Tab)',
    'Which format?',
    ['JSON: enter', 'CSV: down enter'],
  ],
];

test.each(FORMS)('%s', (_name, kind, screen, text, options) => {
  expect(asked(kind, screen)).toEqual({ text, options });
  expect(look(kind, screen).composer).toBeNull();
});

const NONE: [name: string, kind: string, screen: string][] = [
  ['a shell at its prompt', 'generic', 'dev@host:~/x$ npm test\nok 1\ndev@host:~/x$ ▏'],
  ['a numbered list above a prompt', 'generic', 'Steps:\n 1. Build\n 2. Test\n> ▏'],
  ['a numbered list at the end', 'generic', 'Steps:\n1. Build\n2. Test'],
  ['a log that names keys', 'generic', 'info  press enter handler registered for submit\nserver on 3000\n▏'],
  [
    'keys of a program that watches files',
    'generic',
    'Tests: 3 passed\n\n › Press f to run only failed tests.\n › Press q to quit watch mode.\n › Press Enter to trigger a test run.',
  ],
  ['a gutter that is answered', 'generic', '◇  Which branch?\n│  main\n│\n└  Done.\n$ ▏'],
  ['a password that was asked for before', 'generic', '[sudo] password for dev:\nok\n$ ▏'],
  [
    'a question in the transcript',
    'codex',
    '• Pick one:\n\n  1. Rewrite it\n  2. Keep it\n\n  Press enter to confirm or esc to cancel.\n\n› ▏Ask Codex to do anything\n\n  gpt · ~/x',
  ],
  ['y/n in the transcript of a known agent', 'claude', `● Shall I go on? [y/n]\n\n${RULE}\n❯ ▏\n${RULE}\n  ? for shortcuts`],
  [
    'the lower part of an earlier dialog, left below the box',
    'gemini',
    `${'▄'.repeat(60)}\n > ▏Type your message or @path/to/file\n${'▀'.repeat(60)}\n workspace\n\n│ ╰${'─'.repeat(54)}╯ │\n│ (Press Enter to submit, Esc to cancel) │\n╰${'─'.repeat(58)}╯`,
  ],
  ['a menu of commands below a draft', 'claude', `${RULE}\n❯ /mod▏\n${RULE}\n  /model       Set the model\n  /memory      Edit memory`],
];

test.each(NONE)('none: %s', (_name, kind, screen) => {
  expect(asked(kind, screen)).toBeNull();
});

test.each([0, 1, 2])('a list in place of a composer without borders, the pointer on option %i', (at) => {
  const options = ['Review hooks', 'Trust all and continue', 'Continue without trusting'];
  const rows = options.map((label, i) => `${i === at ? '›' : ' '} ${i + 1}. ${label}`).join('\n');
  const { question } = look('codex', `  Hooks need review\n\n  1 hook is new.\n\n${rows}\n\n  Press enter to confirm or esc to go back`);
  expect(question?.options.map(({ label, selected }) => [label, selected])).toEqual(options.map((label, i) => [label, i === at]));
  expect(question?.text).toBe('Hooks need review · 1 hook is new.');
});

test('a numbered draft in a composer without borders is a draft', () => {
  const seen = look('codex', '• Done.\n\n› 1. do this\n  2. then that▏\n\n  gpt · ~/x\n  ? for shortcuts');
  expect([seen.question, seen.composer?.draft]).toEqual([null, '1. do this\n2. then that']);
});

test('buttons in any language: the one that is set off is chosen', async () => {
  const asks = async (chosen: number) => {
    const { screen } = testScreen(100, 6);
    const cells = ['Einmal', 'Immer', 'Nie'].map((word, i) => `\x1b[${i === chosen ? '43' : '100'}m ${word} \x1b[0m`);
    await screen.write(Buffer.from(`  ┃ $ npm test\r\n  ┃\r\n  ┃  ${cells.join('  ')}   ⇆ select  enter confirm\r\n  ┃`));
    return lookAt(compileKind(KINDS.get('opencode')!), screen.text()).question?.options;
  };
  expect(await asks(0)).toMatchObject([{ label: 'Einmal', selected: true, keys: ['enter'] }, { label: 'Immer' }, { label: 'Nie' }]);
  expect((await asks(2))?.map(({ keys }) => keys.join(' '))).toEqual(['left left enter', 'left enter', 'enter']);
});

/** A pattern that tries every way to cut a row would not come to an end. */
test.each(['[y/n', '? Apply? (y', '[y] a ', '◆  ● a / ', '1. a ', '❯ ', ' esc enter select ', 'press any key to ', 'password '])(
  'rows full of %j are read through',
  (piece) => {
    const row = piece + piece.slice(-2).repeat(2000) + piece.repeat(500);
    const screen = screenOf(Array.from({ length: 30 }, () => row).join('\n'), row.length);
    for (const kind of KINDS.values()) expect(lookAt(compileKind(kind), screen).blank).toBe(false);
  },
);

test('two commands to approve are two dialogs, where no border shows which rows belong to one', () => {
  const id = (command: string) =>
    look(
      'codex',
      `  Would you like to run it?\n\n  $ ${command}\n\n› 1. Yes (y)\n  2. No (esc)\n\n  Press enter to confirm or esc to cancel`,
    ).question?.id;
  expect(id('make')).toBe(id('make'));
  expect(id('make')).not.toBe(id('make clean'));
});
