import { describe, expect, it } from 'vitest';
import { narrate } from './narrative.ts';

describe('narrate', () => {
  it('joins the facts of a table row', () => {
    const facts = [
      { name: 'age', value: '23' },
      { name: 'employed', value: 'no; laid off' },
    ];
    expect(narrate(facts, 'tabular')).toBe('age is 23; employed is no; laid off');
  });

  it('gives the text of a text case as it is', () => {
    expect(narrate([{ name: 'text', value: 'i feel fine' }], 'text')).toBe('i feel fine');
  });

  it.each(['pair', 'sections'] as const)('names both texts of a %s case, in order', (kind) => {
    const facts = [
      { name: 'premise', value: 'It rains.' },
      { name: 'hypothesis', value: 'It is wet.' },
    ];
    expect(narrate(facts, kind)).toBe('premise: It rains.\n\nhypothesis: It is wet.');
  });

  it('gives nothing where there are no facts', () => {
    expect(narrate([], 'open')).toBe('');
    expect(narrate([], 'tabular')).toBe('');
    expect(narrate([{ name: 'source', value: 'a memo' }], 'open')).toBe('source: a memo');
  });
});
