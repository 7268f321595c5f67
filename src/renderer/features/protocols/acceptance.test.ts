import { describe, expect, it } from 'vitest';
import { callsOf, firstProtocol, protocolChoices, refusalOf, refusedByDispute } from './acceptance.ts';

const two = { kind: 'text', labels: ['tenant', 'landlord'], multiLabel: false } as const;
const three = { ...two, labels: ['a', 'b', 'c'] };
const open = { kind: 'open', labels: [], multiLabel: false } as const;

describe('which protocols take such cases', () => {
  it('begins with what needs no training cases: the debate where there are two labels, one call where there are more', () => {
    expect(firstProtocol(two)).toBe('agentic-sim');
    expect(firstProtocol(three)).toBe('standard');
    expect(firstProtocol(open)).toBe('socrasynth');
  });

  it('lets two of many labels be put in dispute, and says what to do until they are', () => {
    expect(protocolChoices(three).map(({ id, disabled }) => [id, disabled])).toEqual([
      ['courtroom', false],
      ['socrasynth', false],
      ['agentic-sim', false],
      ['debate-feedback', false],
      ['evince', false],
      ['standard', false],
      ['single', false],
      ['vote', false],
    ]);
    expect(refusedByDispute('agentic-sim', three, {})).toBe(true);
    expect(refusedByDispute('agentic-sim', three, { contested: ['a', 'b'] })).toBe(false);
    expect(refusalOf('agentic-sim', three)).toMatch(/exactly 2 labels, and these cases have 3.*“The two labels in dispute”/);
    expect(refusalOf('agentic-sim', three, { contested: ['a', 'c'] })).toBeNull();
    expect(refusalOf('agentic-sim', three, { contested: ['a', 'z'] })).toBe(
      '“The two labels in dispute” has “z”, which is not one of the labels: a, b, c.',
    );
  });

  it('rules out what no parameter could fix, and says why instead of what the protocol does', () => {
    const choices = protocolChoices({ ...two, multiLabel: true });
    for (const open of ['standard', 'debate-feedback']) {
      expect(choices.find(({ id }) => id === open)).toMatchObject({ disabled: false });
    }
    expect(choices.find(({ id }) => id === 'agentic-sim')).toMatchObject({
      disabled: true,
      note: expect.stringMatching(/several labels/),
    });
    for (const { disabled, note } of choices) if (disabled) expect(note).toMatch(/several labels/);
  });

  it('says so in words of the screens: neither keys of a file nor names of kinds', () => {
    for (const cases of [open, three, { ...two, multiLabel: true }, { ...two, labels: ['a'] }]) {
      for (const { id } of protocolChoices(cases)) {
        const words = refusalOf(id, cases);
        if (words !== null) expect(words).not.toMatch(/params|contested|kind|multi-label|protocol agentic|protocol standard/);
      }
    }
    expect(refusalOf('standard', { ...two, labels: ['a'], isTried: true })).toMatch(/answers, and this case has 1\.$/);
    expect(refusalOf('standard', open)).toBe(
      'StandardLLM does not try open questions; it tries rows of a table, texts, pairs of texts, texts in sections.',
    );
  });

  it('counts the calls of a trial, and none while a parameter does not fit', () => {
    expect(callsOf('agentic-sim', {}, two)).toEqual({ min: 13, max: 13 });
    expect(callsOf('agentic-sim', { turns: 1, priorBelief: true }, two)).toEqual({ min: 6, max: 6 });
    expect(callsOf('agentic-sim', { turns: 99 }, two)).toBeNull();
    expect(callsOf('no-such', {}, two)).toBeNull();
  });
});
