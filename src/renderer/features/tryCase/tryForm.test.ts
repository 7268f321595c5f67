import { describe, expect, it } from 'vitest';
import { checkTry, emptyTry, exampleTry, refusedAt, roomyContext, tryFieldOf, tryOfCase, withAnswers } from './tryForm.ts';

const preferred = { backend: 'standin', server: 'default', model: 'mistral:7b' } as const;

describe('a single trial', () => {
  it('makes a draft of the example with the model that was found', () => {
    const { draft } = checkTry({ ...emptyTry, ...exampleTry }, preferred);
    expect(draft).toMatchObject({ protocol: 'agentic-sim', backend: 'standin', model: 'mistral:7b', labels: ['NO', 'YES'] });
  });

  it('keeps what was chosen over what was found', () => {
    const form = { ...emptyTry, ...exampleTry, backend: 'ollama' as const, model: 'qwen3:8b' };
    expect(checkTry(form, preferred).draft).toMatchObject({ backend: 'ollama', model: 'qwen3:8b' });
  });

  it('names the server other than Ollama that is asked, and the context that was chosen', () => {
    const form = { ...emptyTry, ...exampleTry, backend: 'ollama' as const, numCtx: 16_384 };
    expect(checkTry({ ...form, server: 'gpu' }, preferred).draft).toMatchObject({ server: 'gpu', numCtx: 16_384 });
    expect(checkTry(form, preferred).draft).not.toHaveProperty('server');
    expect(checkTry(form, { ...preferred, server: 'gpu' }).draft).toHaveProperty('server', 'gpu');
    expect(checkTry({ ...form, backend: 'standin', server: 'gpu' }, preferred).draft).not.toHaveProperty('server');
    expect(checkTry({ ...form, numCtx: 10 }, preferred).wrong).toHaveProperty('numCtx');
  });

  it('puts the answer that the prosecution argues for last', () => {
    const labels = (positive: string | null, of = ['NO', 'YES']) =>
      checkTry({ ...emptyTry, ...exampleTry, labels: of, positive }, preferred).draft?.labels;
    expect(labels('NO')).toEqual(['YES', 'NO']);
    expect(labels('YES')).toEqual(['NO', 'YES']);
    expect(labels('gone')).toEqual(['NO', 'YES']);
    expect(labels('a', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  });

  it('casts roles of the protocol with separate models', () => {
    const form = { ...emptyTry, ...exampleTry, roles: { judge: ' qwen3:8b ', defense: '', clerk: 'm' } };
    expect(checkTry(form, preferred).draft?.roles).toEqual({ judge: 'qwen3:8b' });
    expect(checkTry({ ...form, protocol: 'standard' }, preferred).draft).not.toHaveProperty('roles');
  });

  it('finds a context that holds prompt and answer', () => {
    expect(roomyContext({ prompt: 100, numPredict: 1024 })).toBe(4096);
    expect(roomyContext({ prompt: 15_360, numPredict: 1024 })).toBe(16_384);
    expect(roomyContext({ prompt: 15_361, numPredict: 1024 })).toBe(32_768);
  });

  it('names every field that is missing', () => {
    const { wrong } = checkTry({ ...emptyTry, facts: ' \n', labels: ['YES'], model: ' ' }, preferred);
    expect(Object.keys(wrong ?? {})).toEqual(['facts', 'question', 'labels', 'model']);
  });

  it('takes a case of the list of data sets as its narrative, the positive label last', () => {
    const kase = {
      kind: 'tabular',
      facts: [
        { name: 'age', value: '18' },
        { name: 'sex', value: 'female' },
      ],
      question: 'Will it?',
    } as const;
    expect(tryOfCase(kase, ['YES', 'NO'], 'YES')).toMatchObject({
      facts: 'age is 18\nsex is female',
      question: 'Will it?',
      labels: ['NO', 'YES'],
      protocol: 'agentic-sim',
    });
    expect(tryOfCase(kase, ['a', 'b', 'c'], null)).toMatchObject({ labels: ['a', 'b', 'c'], protocol: 'standard' });
  });

  it('says at the answers that a protocol takes fewer, and at a parameter what is wrong with it', () => {
    const four = { ...emptyTry, ...exampleTry, labels: ['NO', 'YES', 'PARTLY', 'LATER'] };
    expect(refusedAt(four)).toEqual({
      field: 'labels',
      message:
        'AgenticSimLLM takes exactly 2 answers, and you have 4. Remove 2, or choose the two in dispute under “Parameters”. Or take another protocol.',
    });
    expect(refusedAt({ ...four, protocol: 'standard' })).toBeNull();
    const half = { ...four, params: { contested: ['NO', ''], turns: 2 } };
    expect(refusedAt(half)).toMatchObject({ field: 'params', parameter: 'contested' });
    const whole = { ...four, params: { contested: ['NO', 'LATER'], turns: 2 } };
    expect(refusedAt(whole)).toBeNull();
    expect(withAnswers(whole, ['NO', 'YES'])).toEqual({ labels: ['NO', 'YES'], params: { turns: 2 } });
  });

  it('finds the field of a failure, also by the name of an option', () => {
    const fieldOf = (field: string | null) => tryFieldOf(field, 'agentic-sim');
    expect(fieldOf('--question')).toBe('question');
    expect(fieldOf('params.turns')).toBe('params');
    expect(fieldOf('arms.0.params.turns')).toBe('params');
    expect(fieldOf('arms.0.cast.*.model')).toBe('model');
    expect(fieldOf('--turns')).toBe('params');
    expect(fieldOf('backends.default')).toBe('backend');
    expect(fieldOf('runtime.numCtx')).toBe('numCtx');
    expect(fieldOf('--store')).toBeNull();
    expect(fieldOf(null)).toBeNull();
  });
});
