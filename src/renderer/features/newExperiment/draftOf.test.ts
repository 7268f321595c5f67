import { expect, test } from 'vitest';
import { recordedExperimentSchema } from '../../../shared/experiment.ts';
import { checkDraft, draftFormSchema, draftInput } from './draft.ts';
import { draftOf } from './draftOf.ts';

const definition = recordedExperimentSchema.parse({
  version: 1,
  name: 'first',
  seed: 7,
  replicates: 2,
  dataset: { path: 'x.csv', labels: ['NO', 'YES'], sample: { from: 'all', n: 9 } },
  arms: [
    { name: 'StandardLLM · m:8b', protocol: 'standard', params: { style: 'cot' }, cast: { '*': { model: 'm:8b' } } },
    {
      name: 'court',
      protocol: 'agentic-sim',
      prompts: 'brief',
      counterbalance: ['sides'],
      cast: {
        '*': { model: 'm:8b', options: { temperature: 0.2 } },
        judge: { model: 'n:7b', backend: 'far', options: { temperature: 0.2 } },
      },
    },
  ],
});
const preferred = { backend: 'ollama', server: 'default', model: 'other' } as const;
const of = (extend: boolean, change: object = {}) =>
  draftOf({ ...definition, ...change }, { extend, makeKey: () => crypto.randomUUID() });

test('a duplicate has the same arms, without the name of the experiment and without names that the program made', () => {
  const { form, left } = of(false);
  expect(left).toEqual([]);
  expect(draftFormSchema.parse(form)).toEqual(form);
  expect(form.arms.map(({ name }) => name)).toEqual(['', 'court']);
  const { draft } = checkDraft(draftInput(form, 'nlsy97', preferred));
  expect(draft).toMatchObject({ seed: 7, replicates: 2, sample: { from: 'all', n: 9 }, extend: false, arms: definition.arms });
  expect(draft?.name).toBeUndefined();
});

test('what is extended keeps all names, and says that it is', () => {
  const { draft } = checkDraft(draftInput(of(true).form, 'nlsy97', preferred));
  expect(draft).toMatchObject({ name: 'first', extend: true, arms: definition.arms });
});

test('settings that the form has no field for are named', () => {
  const [arm] = definition.arms;
  const odd = { ...arm, belief: 'logprobs', mask: 'names' };
  expect(of(false, { reading: 'paper', arms: [odd, odd] }).left).toEqual([
    'source of beliefs',
    'masked names',
    'reading of answers',
  ]);
});
