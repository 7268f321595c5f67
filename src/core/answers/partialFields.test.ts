import { describe, expect, it } from 'vitest';
import { partialFields } from './partialFields.ts';

const speech = JSON.stringify({
  private_strategy: { own_strengths: 'two "prior" arrests', plan: 'press\nthem' },
  utterance: 'Your honour, {this} is a pattern.',
  confidence: 72,
});

const read = (text: string) => partialFields(text).map(({ path, text: value }) => [path.join('.'), value]);

describe('an answer in progress', () => {
  it('is read as far as it goes', () => {
    expect(partialFields('{"private_strategy": {"own_strengths": "two ar')).toEqual([
      { path: ['private_strategy', 'own_strengths'], text: 'two ar', growing: true },
    ]);
    expect(partialFields('{"private_strategy": {"plan": "press"}, "utterance": "Your hon')).toEqual([
      { path: ['private_strategy', 'plan'], text: 'press', growing: false },
      { path: ['utterance'], text: 'Your hon', growing: true },
    ]);
  });

  it('only ever grows, and ends as what was written', () => {
    const whole = read(speech);
    expect(whole).toEqual([
      ['private_strategy.own_strengths', 'two "prior" arrests'],
      ['private_strategy.plan', 'press\nthem'],
      ['utterance', 'Your honour, {this} is a pattern.'],
      ['confidence', '72'],
    ]);
    let least = 0;
    for (let end = 0; end <= speech.length; end++) {
      const soFar = read(speech.slice(0, end));
      soFar.forEach(([name, text], index) => {
        expect(whole[index]?.[0], speech.slice(0, end)).toBe(name);
        expect(whole[index]?.[1]?.startsWith(text ?? ''), speech.slice(0, end)).toBe(true);
      });
      expect(soFar.length, speech.slice(0, end)).toBeGreaterThanOrEqual(least);
      least = soFar.length;
    }
    expect(least).toBe(4);
  });

  it('shows no number that may get another digit', () => {
    expect(read('{"prediction": "YES", "confidence": 7')).toEqual([['prediction', 'YES']]);
    expect(read('{"prediction": "YES", "confidence": 7,')).toEqual([
      ['prediction', 'YES'],
      ['confidence', '7'],
    ]);
    expect(read('{"prediction": "2')).toEqual([['prediction', '2']]);
  });

  it('is found after words and in a fence', () => {
    expect(read('Here you are:\n```json\n{"opinion": "The court')).toEqual([['opinion', 'The court']]);
    expect(read('```json\n{"opinion": "Done"}\n```')).toEqual([['opinion', 'Done']]);
  });

  it('lists the parts of a list one after the other', () => {
    expect(read('{"factors": [{"factor": "age", "weight": "low"}, {"factor": "jobs", "wei')).toEqual([
      ['factors.factor', 'age'],
      ['factors.weight', 'low'],
      ['factors.factor', 'jobs'],
    ]);
  });

  it.each(['', '{', '{"', '{"utterance', '{"utterance": ', 'no object here', '{a: b'])('is nothing yet: %#', (text) => {
    expect(partialFields(text)).toEqual([]);
  });
});
