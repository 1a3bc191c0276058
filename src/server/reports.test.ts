import { expect, test, vi } from 'vitest';
import { Reports } from './reports.ts';

test('reports of many terminals go once and together; a withdrawn one does not', () => {
  vi.useFakeTimers();
  try {
    const sent: string[] = [];
    const reports = new Reports((send) => {
      sent.push('[');
      send();
      sent.push(']');
    });
    const [first, second, third] = ['first', 'second', 'third'].map((name) => () => sent.push(name));
    for (const report of [first!, second!, third!, first!]) reports.add(report);
    reports.withdraw(second!);
    vi.runAllTimers();
    expect(sent).toEqual(['[', 'first', 'third', ']']);
    reports.add(second!);
    vi.runAllTimers();
    expect(sent.slice(4)).toEqual(['[', 'second', ']']);
  } finally {
    vi.useRealTimers();
  }
});
