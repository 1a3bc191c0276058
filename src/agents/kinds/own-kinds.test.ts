import { describe, expect, it } from 'vitest';
import { withOwnKinds } from './own-kinds.ts';
import { KINDS } from './table.ts';

describe('own kinds', () => {
  it('changes one that is known and adds one that is not', () => {
    const { kinds, faults } = withOwnKinds({ pi: { command: ['my-pi', '--fast'] }, aider: { name: 'Aider', command: ['aider'] } });
    expect(faults).toEqual([]);
    expect(kinds.get('pi')).toEqual({ ...KINDS.get('pi'), command: ['my-pi', '--fast'] });
    expect(kinds.get('aider')).toMatchObject({ id: 'aider', name: 'Aider', command: ['aider'], rules: [] });
    expect(KINDS.has('aider')).toBe(false);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ pi: 'x' }, 'agents.kinds.pi'],
    [{ pi: { command: 'x' } }, 'agents.kinds.pi.command'],
    [{ pi: { comand: ['x'] } }, 'agents.kinds.pi.comand'],
    [{ Pi: {} }, 'agents.kinds.Pi.id'],
  ])('names the fault in %j and leaves the kind as it was', (own, key) => {
    const { kinds, faults } = withOwnKinds(own);
    expect(faults.map((fault) => fault.key)).toContain(key);
    expect([...kinds]).toEqual([...KINDS]);
  });
});
