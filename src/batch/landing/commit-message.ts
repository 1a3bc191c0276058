// The message of the commit that a task becomes: what it was told, in one line that any log shows whole.

/** Characters of a subject: what git's own tools leave room for. */
const SUBJECT = 72;

/** The message of a task's commit: what it was asked for, in one line, and its name. */
export function commitMessage(prompt: string, task: string): string {
  const first = prompt.split('\n').find((line) => line.trim() !== '');
  return `${first === undefined ? task : subjectOf(first.trim())}\n\nTask ${task} of a herd batch.`;
}

/** The line, its first sentence, or as many words as there is room for. */
function subjectOf(line: string): string {
  if (line.length <= SUBJECT) return line;
  const sentence = /^.*?[.!?](?=\s)/.exec(line)?.[0].replace(/\.$/, '');
  if (sentence && sentence.length <= SUBJECT) return sentence;
  const cut = line.slice(0, SUBJECT);
  return `${cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : SUBJECT - 1)}…`;
}
