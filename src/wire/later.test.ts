import { expect, test, vi } from 'vitest';
import { Later } from './later.ts';

test('what waits goes once and together; what is withdrawn does not', () => {
  vi.useFakeTimers();
  try {
    const sent: string[] = [];
    const later = new Later(20, (send) => {
      sent.push('[');
      send();
      sent.push(']');
    });
    const [first, second, third] = ['first', 'second', 'third'].map((name) => () => sent.push(name));
    for (const report of [first!, second!, third!, first!]) later.add(report);
    later.withdraw(second!);
    vi.runAllTimers();
    expect(sent).toEqual(['[', 'first', 'third', ']']);
    later.add(second!);
    vi.runAllTimers();
    expect(sent.slice(4)).toEqual(['[', 'second', ']']);
  } finally {
    vi.useRealTimers();
  }
});

test('what is added waits for the pause that the first of it began', () => {
  vi.useFakeTimers();
  try {
    const sent: string[] = [];
    const later = new Later(20, (send) => send());
    later.add(() => sent.push('first'));
    vi.advanceTimersByTime(15);
    later.add(() => sent.push('second'));
    vi.advanceTimersByTime(4);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['first', 'second']);
  } finally {
    vi.useRealTimers();
  }
});
