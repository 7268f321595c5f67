import { expect, test } from 'vitest';
import { recordedExperimentSchema } from '../../../shared/experiment.ts';
import {
  alreadyTried,
  canCopy,
  checkDraft,
  draftFormSchema,
  draftInput,
  matrixForms,
  newArm,
  withCopy,
  withoutCopies,
} from './draft.ts';
import { asNew, draftOf } from './draftOf.ts';
import { newPrimary } from './primaryForm.ts';

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
const of = (extend: boolean, change: object = {}, hasResults = false) =>
  draftOf({ ...definition, ...change }, { extend, hasResults, makeKey: () => crypto.randomUUID() });

test('a duplicate has the same arms, without the name of the experiment and without names that the program made', () => {
  const { form, left } = of(false);
  expect(left).toEqual([]);
  expect(draftFormSchema.parse(form)).toEqual(form);
  expect(form.arms.map(({ name }) => name)).toEqual(['', 'court']);
  const { draft } = checkDraft(draftInput(form, 'nlsy97', preferred));
  expect(draft).toMatchObject({ seed: 7, replicates: 2, sample: { from: 'all', n: 9 }, extend: false, arms: definition.arms });
  expect(draft?.name).toBeUndefined();
});

test('a name that the program makes says which parameters differ from the defaults, also in a copy of one made without', () => {
  const [, court] = definition.arms;
  const made = { ...court, name: 'AgenticSimLLM · m:8b', prompts: undefined, params: { turns: 2 } };
  const { draft } = checkDraft(draftInput(of(false, { arms: [made] }).form, 'nlsy97', preferred));
  expect(draft?.arms[0]?.name).toBe('AgenticSimLLM · m:8b · speeches of each side: 2');
});

test('settings that the form has no field for are named', () => {
  const [arm] = definition.arms;
  const strange = { ...arm, belief: 'logprobs', mask: 'names' };
  expect(of(false, { reading: 'paper', arms: [strange, strange] }).left).toEqual([
    'source of beliefs',
    'masked names',
    'reading of answers',
  ]);
});

const [solo, court] = definition.arms;
const change = { of: 'court', kind: 'attribute', attribute: 'sex', to: { female: 'male', male: 'female' } };
const changed = { ...court, name: 'court (sex exchanged)', change };
const primary = { compare: ['court', 'StandardLLM · m:8b'], measure: 'accuracy', test: 'equivalence', margin: 0.1, family: 2 };
/** A definition with all that a form has no field for. */
const odd = {
  reading: 'paper',
  primary,
  stop: { width: 0.3 },
  arms: [solo, court, changed, { ...solo, name: 'masked', mask: 'names', belief: { sampled: 5 } }],
  dataset: { ...definition.dataset, sample: { from: 'all', n: 2, by: 'sex', each: 1, distinct: true, ids: ['1', '2'] } },
};

test('a duplicate leaves arms with a declared change out and says so, with all else that it leaves out', () => {
  const { form, left } = of(false, odd);
  expect(form.arms.map(({ name }) => name)).toEqual(['', 'court', 'masked']);
  expect(form.arms.every(({ recorded }) => recorded === undefined)).toBe(true);
  expect(left).toEqual([
    '1 changed arm',
    'source of beliefs',
    'masked names',
    'reading of answers',
    'way of sampling',
    'choice of single cases',
  ]);
  const sampled = (sample: object) => of(false, { dataset: { ...definition.dataset, sample: { from: 'all', ...sample } } });
  expect(sampled({ each: 3, distinct: false }).left).toEqual(['way of sampling']);
  const drawn = sampled({ n: 2, by: 'sex', distinct: false });
  expect(drawn.left).toEqual([]);
  expect(draftInput(drawn.form, 'nlsy97', preferred).sample).toEqual({ from: 'all', n: 2, by: 'sex' });
  const once = sampled({ distinct: true });
  expect(once.left).toEqual([]);
  expect(draftInput(once.form, 'nlsy97', preferred).sample).toEqual({ from: 'all', distinct: true });
});

test('a duplicate decides the same beforehand, unless an arm of it is left out', () => {
  const decided = checkDraft(draftInput(of(false, odd).form, 'nlsy97', preferred)).draft;
  expect(decided).toMatchObject({ primary, stop: { width: 0.3 } });
  const { form, left } = of(false, { ...odd, primary: { ...primary, compare: [changed.name, 'court'] } });
  expect(form.primary).toBeUndefined();
  expect(left).toContain('comparison decided beforehand');
  expect(left).toContain('rule to stop');
  expect(of(false, { primary: { ...primary, compare: ['court', 'baseline:majority'] } }).form.primary?.b).toBe(
    'baseline:majority',
  );
});

test('what is extended keeps all that the form has no field for, with any additions', () => {
  const { form, left } = of(true, odd);
  expect(left).toEqual([]);
  const kept = draftFormSchema.parse(JSON.parse(JSON.stringify(form)));
  const grown = { ...kept, n: 5, primary: newPrimary('a', 'b'), arms: [...kept.arms, newArm('new', 'evince')] };
  const { draft } = checkDraft(draftInput(grown, 'nlsy97', { ...preferred, server: 'far' }));
  const { arms, dataset, ...rest } = odd;
  expect(draft).toMatchObject({ ...rest, name: 'first', extend: true, sample: { ...dataset.sample, n: 5 } });
  expect(draft?.arms.slice(0, 4)).toEqual(arms);
  expect(draft?.arms[4]).toMatchObject({ protocol: 'evince' });
});

test('a duplicate of what has results leaves out the comparison, and knows the cases that were tried', () => {
  const { form, left } = of(false, odd, true);
  expect(form).not.toHaveProperty('primary');
  expect(left).not.toContain('comparison decided beforehand');
  expect(alreadyTried(form)).toBe('first');
  expect(alreadyTried({ ...form, n: 3 })).toBe('first');
  expect(alreadyTried({ ...form, seed: 8 })).toBeNull();
  expect(alreadyTried(of(false, odd).form)).toBeNull();
});

test('an extension that becomes a new experiment is as a duplicate, with the arms that were added', () => {
  const added = newArm('new', 'evince');
  const grown = of(true, odd).form;
  const { form, left } = asNew({ ...grown, arms: [...grown.arms, added] }, false);
  const keyless = ({ arms, primary: _keys, ...rest }: typeof form) => ({
    ...rest,
    arms: arms.map(({ key: _key, ...arm }) => arm),
  });
  const duplicate = of(false, odd);
  expect(left).toEqual(duplicate.left);
  expect(keyless(form)).toEqual(keyless({ ...duplicate.form, arms: [...duplicate.form.arms, added] }));
  expect(asNew(form, false)).toEqual({ form, left: [] });
});

test('an arm on the record is copied as one that can be changed, except one that the form cannot show', () => {
  const { form } = of(true, odd);
  expect(form.arms.map(canCopy)).toEqual([true, true, false, false]);
  const twice = { ...form, arms: withCopy(form.arms, form.arms[0]?.key ?? '', 'copy') };
  expect(twice.arms[4]).toMatchObject({ key: 'copy', name: '', protocol: 'standard' });
  expect(twice.arms[4]).not.toHaveProperty('recorded');
  expect(withoutCopies(twice, preferred)).toEqual(form);
  // A plain arm is not there already because a masked one is.
  const cell = [{ protocol: 'standard', model: 'm:8b', params: {} }];
  const masked = { ...solo, params: {}, mask: 'names' };
  expect(matrixForms(cell, of(true, { arms: [masked] }).form.arms, preferred, () => 'k')).toHaveLength(1);
  expect(matrixForms(cell, of(true, { arms: [{ ...solo, params: {} }] }).form.arms, preferred, () => 'k')).toEqual([]);
});
