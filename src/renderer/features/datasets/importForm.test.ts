import { describe, expect, it } from 'vitest';
import { caseDefinitionSchema, type Inspection } from '../../../shared/api/dataFiles.ts';
import { suggestedFor } from './columnTerms.ts';
import {
  checkForm,
  definitionInput,
  formOf,
  labelsOf,
  lackingIn,
  namedColumns,
  partOf,
  sourceValues,
  withTruth,
} from './importForm.ts';

const column = (name: string, values: string[] | null = null) => ({ name, values, examples: values ?? [], empty: 0, longest: 9 });

const inspection: Inspection = {
  format: 'csv',
  sheets: [],
  rows: 60,
  columns: [
    column('case'),
    column('age'),
    column('sex', ['female', 'male']),
    column('arrested', ['True', 'False', '']),
    column('tags', ['a|b', 'b | c']),
    column('essay'),
  ],
  guess: caseDefinitionSchema.parse({
    id: 'case',
    label: { column: 'arrested', map: { True: 'YES', False: 'NO' } },
    positive: 'YES',
    split: { test: 0.6, train: 0.2, validation: 0.2 },
  }),
};
const form = { ...formOf(inspection, 'arrests 2002.csv'), question: 'Will it happen?' };

describe('the form of an import', () => {
  it('begins with what was guessed and means the same again', () => {
    expect(form).toMatchObject({ name: 'arrests 2002', id: 'case', label: 'arrested', positive: 'True', multiple: 'one' });
    expect(definitionInput({ ...form, map: { ...form.map, True: 'arrested again' } }, inspection).positive).toBe(
      'arrested again',
    );
    expect(form.split).toEqual({ test: 60, train: 20, validation: 20 });
    expect(checkForm(form, inspection)).toEqual({
      draft: { ...inspection.guess, format: 'csv', question: 'Will it happen?' },
      wrong: null,
    });
  });

  it('reads the file as it was inspected, and says so in the definition', () => {
    const guess = { ...inspection.guess, delimiter: ';', encoding: 'windows-1252' } as const;
    expect(checkForm(form, { ...inspection, guess }).draft).toMatchObject({ delimiter: ';', encoding: 'windows-1252' });
    expect(checkForm(form, inspection).draft).not.toHaveProperty('delimiter');
    expect(checkForm(form, inspection).draft).not.toHaveProperty('encoding');
  });

  it('writes a map only where a label is called otherwise than its value', () => {
    const same = { ...form, map: { True: 'True' }, positive: 'True' };
    expect(definitionInput(same, inspection).label).toEqual({ column: 'arrested', multiple: null });
    const one = { ...form, map: { True: 'YES' } };
    expect(definitionInput(one, inspection).label).toEqual({
      column: 'arrested',
      multiple: null,
      map: { True: 'YES', False: 'False' },
    });
  });

  it('does not take as a fact what may be the answer', () => {
    const unknown = { ...form, ...withTruth(inspection, form, { label: '' }), labels: ['Male'] };
    expect(unknown.exclude).toEqual(['arrested']);
    const named = withTruth(inspection, unknown, { labels: ['Male', 'Female'] });
    expect(named.exclude).toEqual(['arrested', 'sex']);
    // What the user ticks again stays a fact.
    const ticked = { ...unknown, ...named, exclude: [] };
    expect(withTruth(inspection, ticked, { labels: ['Male', 'Female', 'other'] }).exclude).toEqual([]);
  });

  it('deals the cases by lot, or by the column that was chosen, where its faults are shown', () => {
    expect(definitionInput(form, inspection).split).toEqual({ test: 0.6, train: 0.2, validation: 0.2 });
    expect(definitionInput({ ...form, splitBy: 'age' }, inspection).split).toMatchObject({ test: 0.6, by: 'age' });
    expect(partOf('definition.split.by', form)).toBe('splitBy');
  });

  it('lists the values around a separator once each, and none of a JSON list', () => {
    expect(sourceValues(inspection, { label: 'tags', multiple: '|' })).toEqual(['a', 'b', 'c']);
    expect(sourceValues(inspection, { label: 'tags', multiple: 'json' })).toBeNull();
    expect(sourceValues(inspection, { label: 'arrested', multiple: 'one' })).toEqual(['True', 'False']);
    expect(sourceValues(inspection, { label: 'age', multiple: 'one' })).toBeNull();
    expect(labelsOf(form, ['True', 'False'])).toEqual(['NO', 'YES']);
    expect(labelsOf({ ...form, labels: ['maybe', 'no'] }, ['True'])).toEqual(['maybe', 'no']);
  });

  it('leaves out of the definition what the kind has no use for', () => {
    const open = { ...form, kind: 'open' as const, columns: { ...form.columns, question: 'essay', text: 'essay' } };
    const definition = definitionInput(open, inspection);
    expect(definition).toMatchObject({ kind: 'open', columns: { question: 'essay' } });
    expect(definition).not.toHaveProperty('label');
    expect(definition).not.toHaveProperty('positive');
    expect(definitionInput({ ...form, exclude: ['age', 'arrested'], groups: ['sex', 'arrested'] }, inspection)).toMatchObject({
      exclude: ['age'],
      groups: ['sex'],
    });
  });

  it.each([
    [{ split: { test: 60, train: 20, validation: 10 } }, 'split', /90%/],
    [{ kind: 'text' as const }, 'text', /column/],
    [{ kind: 'sections' as const }, 'sections', /at least one/],
    [{ labels: ['only'] }, 'labels', /./],
    [{ labels: ['a', 'a'] }, 'labels', /each once/],
  ])('says at its field what is wrong: %j', (change, part, message) => {
    const { wrong } = checkForm({ ...form, ...change }, inspection);
    expect(wrong?.part).toBe(part);
    expect(wrong?.message).toMatch(message);
  });

  it('asks for a question and for the side of the prosecution, and never takes one', () => {
    const parts = (change: object) => lackingIn({ ...form, ...change }, inspection).map(({ part }) => part);
    expect(parts({})).toEqual([]);
    expect(parts({ question: ' ', positive: '' })).toEqual(['question', 'positive']);
    expect(parts({ question: '', positive: '', kind: 'open' })).toEqual([]);
    expect(parts({ positive: '', label: '', labels: ['a', 'b', 'c'] })).toEqual([]);
    expect(parts({ positive: '', label: 'tags', multiple: '|' })).toEqual([]);
    expect(formOf({ ...inspection, guess: { ...inspection.guess, positive: undefined } }, 'x.csv').positive).toBe('');
  });

  it('keeps the name of a column that is no fact as long as it divides cases into groups', () => {
    const given = { ...form, groups: ['sex'], exclude: ['sex', 'age'], names: { sex: 'Gender', age: 'Age in years' } };
    expect(namedColumns(inspection, given)).toEqual(['sex', 'tags', 'essay']);
    expect(definitionInput(given, inspection).names).toEqual({ sex: 'Gender' });
  });

  it('finds the field of a failure by its key path, or by the column that it names', () => {
    expect(partOf('dataset.label.column', form)).toBe('label');
    expect(partOf('definition.label.map', form)).toBe('map');
    expect(partOf('arrested', form)).toBe('label');
    expect(partOf('case', form)).toBe('id');
    expect(partOf('essay', { ...form, kind: 'text', columns: { ...form.columns, text: 'essay' } })).toBe('text');
    expect(partOf('age', form)).toBe('exclude');
    expect(partOf('age', { ...form, kind: 'pair' })).toBeNull();
    expect(partOf(null, form)).toBeNull();
  });

  it('finds the texts of a pair under their usual names', () => {
    const pairs = {
      ...inspection,
      columns: [column('question'), column('passage'), column('answer', ['no', 'yes'])],
      guess: caseDefinitionSchema.parse({ kind: 'pair', label: { column: 'answer' } }),
    };
    const guessed = { ...formOf(pairs, 'boolq.jsonl'), question: 'Is it so?' };
    expect(guessed.pair).toBe('reading');
    expect(checkForm(guessed, pairs).draft).toMatchObject({ columns: { question: 'question', passage: 'passage' } });
  });
});

it('names begin alike', () => {
  expect(suggestedFor(['age_group', 'postcode', 'x2']).names).toEqual({ age_group: 'Age group', postcode: 'Postcode' });
  expect([suggestedFor(['age', 'sex']).names, suggestedFor(['age_group', 'age', 'Age']).names]).toEqual([
    {},
    { age_group: 'Age group' },
  ]);
});
