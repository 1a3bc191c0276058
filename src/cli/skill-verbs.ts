// Keeps the command lists in the skills equal to the verb table: text between two marks is made from it. Pure.
import { VERBS } from './verbs.ts';

const BLOCK = /<!-- verbs: ([^>]*?) -->\n[\s\S]*?<!-- end of verbs -->/g;

/** `text` with the lines between its marks written anew. Throws for a verb that the table does not have. */
export function fillVerbs(text: string): string {
  return text.replace(BLOCK, (_, names: string) => {
    const lines = names.split(',').map((name) => verbLines(name.trim()));
    return `<!-- verbs: ${names} -->\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n<!-- end of verbs -->`;
  });
}

/** The forms of one verb, its sentence behind the first. */
function verbLines(name: string): string {
  const verb = VERBS[name];
  if (!verb) throw new Error(`a skill names the verb "${name}", which does not exist`);
  return [`# ${verb.summary}`, ...verb.usage.map((usage) => `herd ${usage}`)].join('\n');
}
