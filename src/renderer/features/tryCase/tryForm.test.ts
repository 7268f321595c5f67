import { describe, expect, it } from 'vitest';
import { checkTry, emptyTry, exampleTry, tryFieldOf, tryOfCase } from './tryForm.ts';

const preferred = { backend: 'standin', model: 'mistral:7b' } as const;

describe('a single trial', () => {
  it('makes a draft of the example with the model that was found', () => {
    const { draft } = checkTry({ ...emptyTry, ...exampleTry }, preferred);
    expect(draft).toMatchObject({ protocol: 'agentic-sim', backend: 'standin', model: 'mistral:7b', labels: ['NO', 'YES'] });
  });

  it('keeps what was chosen over what was found', () => {
    const form = { ...emptyTry, ...exampleTry, backend: 'ollama' as const, model: 'qwen3:8b' };
    expect(checkTry(form, preferred).draft).toMatchObject({ backend: 'ollama', model: 'qwen3:8b' });
  });

  it('names every field that is missing', () => {
    const { wrong } = checkTry({ ...emptyTry, facts: ' \n', labels: ['YES'], model: ' ' }, preferred);
    expect(Object.keys(wrong ?? {})).toEqual(['facts', 'question', 'labels', 'model']);
  });

  it('takes a case of the docket as its narrative, the positive label last', () => {
    const kase = {
      kind: 'tabular',
      facts: [
        { name: 'age', value: '18' },
        { name: 'sex', value: 'female' },
      ],
      question: 'Will it?',
    } as const;
    expect(tryOfCase(kase, ['YES', 'NO'], 'YES')).toMatchObject({
      facts: 'age is 18; sex is female',
      question: 'Will it?',
      labels: ['NO', 'YES'],
      protocol: 'agentic-sim',
    });
    expect(tryOfCase(kase, ['a', 'b', 'c'], null)).toMatchObject({ labels: ['a', 'b', 'c'], protocol: 'standard' });
  });

  it('finds the field of a failure, also by the name of an option', () => {
    expect(tryFieldOf('--question')).toBe('question');
    expect(tryFieldOf('params.turns')).toBe('params');
    expect(tryFieldOf('arms.0.params.turns')).toBe('params');
    expect(tryFieldOf('arms.0.cast.*.model')).toBe('model');
    expect(tryFieldOf('--store')).toBeNull();
    expect(tryFieldOf(null)).toBeNull();
  });
});
