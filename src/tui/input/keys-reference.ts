// The reference of keys (docs/keys.md), made from the command table. `node src/tui/input/keys-reference.ts > docs/keys.md` writes it anew.
import { createKeymap, helpGroups } from './keymap.ts';

const INTRO = `# Keys

As they are unless your config says otherwise (\`docs/config.md\`). Over a terminal every key but the prefix goes to the program; the prefix twice sends it
itself. Keys without the prefix work in the place they are named for: the diff, lists, dialogs, text being written, copy mode.
`;

/** The whole reference, Markdown. */
export function keysReference(): string {
  const groups = helpGroups(createKeymap().keymap);
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const tables = groups.map(({ group, rows }) => {
    const lines = rows.map(
      ({ keys, title, command }) =>
        `| ${keys
          .split('  ')
          .map((key) => (key.includes('`') ? `\`\` ${key} \`\`` : `\`${cell(key)}\``))
          .join(' ')} | ${cell(title)} | \`${command}\` |`,
    );
    return `\n## ${group}\n\n| keys | | command |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return INTRO + tables.join('');
}

if (import.meta.main) process.stdout.write(keysReference());
