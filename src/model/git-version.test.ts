import { expect, test } from 'vitest';
import { gitVersion, isTooOld } from './git-version.ts';

test.each([
  ['git version 2.39.5', '2.39.5', false],
  ['git version 2.31.0.windows.1', '2.31.0', false],
  ['git version 2.39.5 (Apple Git-154)', '2.39.5', false],
  ['git version 3.0', '3.0', false],
  ['git version 2.30.9', '2.30.9', true],
  ['git version 1.99', '1.99', true],
  ['something else', '', true],
])('%s: %j, too old %s', (printed, version, old) => {
  expect([gitVersion(printed), isTooOld(gitVersion(printed))]).toEqual([version, old]);
});
