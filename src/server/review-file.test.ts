// A long review in its file, and the prompt that points there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Repository } from '../git/api.ts';
import { PROMPT_LIMIT } from '../model/review/prompt.ts';
import { fileReview, readReview, withTemplate } from './review-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'herd-review-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the file holds all of it, the prompt stays short and names it', async () => {
  const repository: Repository = { commonDir: dir, gitDir: dir, worktree: dir, main: dir, bare: false, branch: 'b', head: null };
  const text = 'x'.repeat(PROMPT_LIMIT + 1);
  const prompt = await fileReview({ findRepository: async () => repository }, dir, text, [4, 5], 2);
  const file = join(dir, 'herd', 'review-2.md');
  expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
  expect(prompt).toContain(file);
  expect(prompt).toContain('herd comment addressed 4');
  expect(prompt.length).toBeLessThan(1_000);
  const git = { findRepository: async () => repository };
  expect(await readReview(git, dir, [4, 5], 2)).toEqual({ text, prompt });
  expect(await readReview(git, dir, [4, 5], 3)).toBeNull();
});

test('a person’s own words for every review stand above it', () => {
  expect(withTemplate({ 'review.template': 'Be brief.' }, 'the review')).toBe('Be brief.\n\nthe review');
  expect(withTemplate({ 'review.template': '' }, 'the review')).toBe('the review');
});
