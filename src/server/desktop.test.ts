import { expect, test } from 'vitest';
import { desktopPrograms as darwin } from './desktop.darwin.ts';
import { desktopPrograms as linux } from './desktop.linux.ts';

test('titles and bodies are arguments, whatever they hold', () => {
  expect(linux('-u w needs you', 'rm <b> && $(x)')).toEqual([
    ['notify-send', '--app-name=herd', '--', '-u w needs you', 'rm &lt;b&gt; &amp;&amp; $(x)'],
  ]);
  const [first, second] = darwin('-w', '"); do shell script "x');
  expect(first).toEqual(['terminal-notifier', '-title', ' -w', '-message', ' "); do shell script "x', '-group', 'herd']);
  expect(second!.slice(-3)).toEqual(['--', '-w', '"); do shell script "x']);
  expect(second!.slice(0, -3).join(' ')).not.toContain('shell script');
});
