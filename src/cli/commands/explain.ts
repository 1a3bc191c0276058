// herd explain: the verdict on an agent's state, every piece of evidence, the screen it was judged by.
import { age, columns, plain } from '../output.ts';
import type { RunVerb } from '../verb.ts';

export const run: RunVerb = async (call) => {
  const link = await call.link();
  const { status, evidence, screen } = await link.request('agent.explain', { workspace: call.workspace(call.words[0]) });
  if (call.json) return call.out.json({ status, evidence, screen });
  const now = Date.now();
  const rows = evidence.map((e) => [`  ${e.source}`, e.says, e.rule, `${age(now - e.at)} ago`, e.text ? plain(e.text) : '']);
  call.out.text(
    [
      plain(`${status.kind} is ${status.state} for ${age(now - status.since)}: ${status.why}`),
      ...(status.question ? [plain(`asks: ${status.question.text}`)] : []),
      '',
      'evidence, most trusted first:',
      columns(rows) || '  none',
      '',
      'screen:',
      ...screen.map((line) => `  ${plain(line)}`.trimEnd()),
    ].join('\n'),
  );
};
