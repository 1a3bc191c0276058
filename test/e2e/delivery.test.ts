// A prompt's way to an agent and a comment's way there and back, by the command line, with a scripted agent in a real PTY.
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { makeRepository } from '../support/repository.ts';

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname;
const agent = (name: string) => ['--', process.execPath, MAIN, 'demo-agent', name, '--speed', '20'];

test('new with a prompt, wait, send, receipt', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  await herd.ok(['new', 'docs', '--prompt', 'Write a line into README.md.', ...agent('docs')], { cwd: repository.dir });
  await herd.ok(['wait', 'docs', '--until', 'done,idle,blocked', '--timeout', '60']);
  const { prompts } = await herd.json<{ prompts: unknown[] }>(['queue', 'docs']);
  expect(prompts).toEqual([]);
  const sent = await herd.json<{ receipt: { outcome: string } }>(['send', 'docs', 'And one more.']);
  expect(sent.receipt.outcome).toBe('accepted');
  await herd.ok(['wait', 'docs', '--until', 'done,idle', '--timeout', '60']);
});
