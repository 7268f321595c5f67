import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../answers/read.ts';
import { jsonSchemaOf, unboundedPaths } from '../../answers/schema.ts';
import { rawSumIn, statedBelief } from '../labelBelief.ts';
import { proposalSpec, recommendationsSpec, statementSpec } from './answers.ts';

const labels = ['Malaria', 'Dengue', 'Typhoid', 'Jaundice', 'Influenza'];
const spec = statementSpec(labels, 3);
const part = (label: string, percent: number) => ({ label, percent });
const saying = (prediction: string, ranking: readonly object[]) =>
  JSON.stringify({ arguments: 'The fever comes and goes, as in Malaria; Dengue has a rash.', prediction, ranking });

const read = (text: string) => readAnswer(spec, text, true);

describe('a statement of the likeliest labels', () => {
  test('gives the labels that it names all of the mass, and keeps the sum', () => {
    const answer = read(saying('Malaria', [part('Malaria', 60), part('Dengue', 20), part('Typhoid', 15)]));
    if (!answer.ok) throw new Error(answer.message);
    const { belief, confidence, inconsistent } = statedBelief(labels, answer.value);
    expect(belief).toEqual({ Malaria: 60 / 95, Dengue: 20 / 95, Typhoid: 15 / 95, Jaundice: 0, Influenza: 0 });
    expect([confidence, inconsistent, rawSumIn(labels, answer.value)]).toEqual([60 / 95, false, 95]);
  });

  test('labels in other capitals are read in their own, and one that is named twice has the sum', () => {
    const answer = read(saying('dengue', [part('DENGUE', 30), part('Malaria', 40), part('Dengue', 30)]));
    if (!answer.ok) throw new Error(answer.message);
    expect(statedBelief(labels, answer.value).belief).toMatchObject({ Dengue: 0.6, Malaria: 0.4 });
  });

  test('a prediction that is not its likeliest label stands, and is flagged', () => {
    const answer = read(saying('Typhoid', [part('Malaria', 60), part('Typhoid', 40)]));
    if (!answer.ok) throw new Error(answer.message);
    expect(statedBelief(labels, answer.value)).toMatchObject({ prediction: 'Typhoid', confidence: 0.4, inconsistent: true });
  });

  test.each([
    ['a name that is no label', saying('Malaria', [part('Malaria', 60), part('Cholera', 40)]), 'invalid_label'],
    ['nothing but zeros', saying('Malaria', [part('Malaria', 0)]), 'malformed'],
    ['nobody', saying('Malaria', []), 'malformed'],
    [
      'more labels than were asked for',
      saying(
        'Malaria',
        labels.slice(0, 4).map((label) => part(label, 25)),
      ),
      'malformed',
    ],
    ['parts of one beside percent', saying('Malaria', [part('Malaria', 0.6), part('Dengue', 0.4)]), 'malformed'],
    ['a number below 0', saying('Malaria', [part('Malaria', 60), part('Dengue', -5)]), 'malformed'],
  ])('%s is refused', (_what, text, kind) => {
    expect(read(text)).toMatchObject({ ok: false, kind });
  });
});

test('with no more labels than are asked for, all of them are asked for', () => {
  expect(Object.keys(jsonSchemaOf(statementSpec(labels.slice(0, 3), 3)).properties ?? {})).toContain('distribution');
  expect(Object.keys(jsonSchemaOf(statementSpec(labels.slice(0, 2), 3)).properties ?? {})).toContain('confidence');
});

test('every answer has an end', () => {
  const specs = [spec, statementSpec(labels, 5), statementSpec(labels.slice(0, 2), 3)];
  for (const each of specs) expect(unboundedPaths(jsonSchemaOf(each))).toEqual([]);
  for (const each of [proposalSpec, recommendationsSpec]) expect(unboundedPaths(jsonSchemaOf<unknown>(each))).toEqual([]);
});
