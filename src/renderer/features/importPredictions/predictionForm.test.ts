import { describe, expect, test } from 'vitest';
import { caseDefinitionSchema, type Inspection } from '../../../shared/api/dataFiles.ts';
import { noColumns } from '../../../shared/imported.ts';
import {
  checkForm,
  checkNewForm,
  groupColumns,
  lackingIn,
  type PredictionForm,
  partOf,
  predictionFormSchema,
  scaleOf,
  unread,
} from './predictionForm.ts';
import { formOf, withTruth } from './predictionGuess.ts';

const upload = 'u'.repeat(32);
const of = { upload, experiment: 'rain' };

const inspection = (columns: Readonly<Record<string, string[]>>): Inspection => ({
  format: 'csv',
  sheets: [],
  rows: 3,
  columns: Object.entries(columns).map(([name, values]) => ({
    name,
    values,
    examples: values.slice(0, 3),
    empty: 0,
    longest: 10,
  })),
  guess: caseDefinitionSchema.parse({}),
});

const form = (given: Partial<PredictionForm> = {}): PredictionForm => ({
  ...formOf(inspection({ id: ['1'], prediction: ['YES'] }), 'panel.csv', { id: 'id' }),
  ...given,
});

describe('a new form', () => {
  test('takes the columns by what they are called, the data set’s own id first', () => {
    const found = formOf(
      inspection({
        Model_Name: ['a'],
        case_id: ['0'],
        person: ['7'],
        repeat_id: ['1'],
        prediction: ['YES'],
        confidence: ['85.0'],
        ground_truth: ['True'],
      }),
      'results 2026.csv',
      { id: 'person' },
    );
    expect(found).toMatchObject({
      arm: 'results 2026',
      scale: '100',
      columns: {
        case: 'person',
        prediction: 'prediction',
        confidence: 'confidence',
        repeat: 'repeat_id',
        system: 'Model_Name',
        truth: 'ground_truth',
      },
    });
  });

  test('leaves open what it does not know, and takes probabilities for what they are', () => {
    const found = formOf(inspection({ who: ['x'], probability: ['0.2', '1'] }), 'a.csv', {});
    expect(found.columns).toMatchObject({ case: '', prediction: '', confidence: 'probability' });
    expect(found.scale).toBe('1');
  });

  test('offers percentages where the values of the chosen column are above 1 or carry the sign', () => {
    const file = inspection({ id: ['1'], share: ['0.2'], small: ['0.2 %'], risk: ['54'] });
    const scales = ['share', 'small', 'risk'].map((column) => scaleOf(file, { ...form(), probabilities: { YES: column } }));
    expect(scales).toEqual(['1', '100', '100']);
  });
});

describe('a new form for a new experiment finds by name and by shared values', () => {
  const ages = ['18', '25', '31', '40', '52', '63'];
  test.each([
    [
      { person: ['P1'], age: ages, p_yes: ['0.2', '0.8'], happened: ['yes', 'no'], sex: ['f', 'm'] },
      { columns: { case: 'person', prediction: '', truth: 'happened' }, probabilities: { yes: 'p_yes' }, groups: ['sex'] },
    ],
    [
      { 'Case No': ['7'], 'P(cat)': ['.2'], 'P(dog)': ['.8'], 'P(bird)': ['0'], animal: ['cat', 'bird', 'dog'] },
      {
        columns: { case: 'Case No', truth: 'animal' },
        probabilities: { cat: 'P(cat)', bird: 'P(bird)', dog: 'P(dog)' },
        groups: [],
      },
    ],
    [
      { applicant: ['A1'], classifier: ['tree', 'net'], predicted_class: ['paid', 'late'], loan: ['late', 'paid'] },
      { columns: { case: 'applicant', system: 'classifier', prediction: 'predicted_class', truth: 'loan' }, groups: [] },
    ],
    [
      { item: ['1'], probability_of_fraud: ['0.1'], is_fraud: ['True', 'False'], country: ['DE', 'FR'] },
      { columns: { truth: 'is_fraud', confidence: '' }, probabilities: { True: 'probability_of_fraud' }, groups: ['country'] },
    ],
  ])('%j', (columns, expected) => {
    expect(formOf(inspection(columns), 'a.csv', null)).toMatchObject(expected);
  });

  test('a system by the column of which every case has each value once', () => {
    const { columns, ...file } = inspection({ patient: ['P1'], ward: ['a', 'b'], tool: ['A', 'B'], outcome: ['yes', 'no'] });
    const each = columns.map((column) => (column.name === 'tool' ? { ...column, eachOncePer: 'patient' } : column));
    expect(formOf({ ...file, columns: each }, 'a.csv', null)).toMatchObject({
      columns: { case: 'patient', system: 'tool' },
      groups: ['ward'],
    });
  });

  describe('what was predicted by the values of the labels, where rows of a case differ in it', () => {
    const yesNo = ['no', 'yes'];
    const { columns, ...file } = inspection({
      ...{ applicant: ['S1'], first_in_family: yesNo, method: ['points', 'regression'] },
      ...{ chance: ['0.6', '0.4'], granted: yesNo, finished: yesNo },
    });
    const varied = (...names: string[]): Inspection => ({
      ...file,
      columns: columns.map((column) => (names.includes(column.name) ? { ...column, variesPer: 'applicant' } : column)),
    });
    const scored = varied('method', 'chance', 'granted');

    test('of a new experiment and of a recorded one', () => {
      expect(formOf(scored, 'a.csv', null)).toMatchObject({
        columns: { case: 'applicant', prediction: 'granted', system: 'method', truth: 'finished' },
        probabilities: { yes: 'chance' },
        groups: ['first_in_family'],
      });
      expect(formOf(scored, 'a.csv', {}, { labels: yesNo })).toMatchObject({ columns: { prediction: 'granted', truth: '' } });
    });

    test('and names them where they are left out', () => {
      const found = formOf(scored, 'a.csv', null);
      const without = { ...found, columns: { ...found.columns, prediction: '' } };
      expect([found, without].map((form) => unread(scored, form, yesNo).labels)).toEqual([[], ['granted']]);
      expect(groupColumns(scored, without, null)).toEqual(['first_in_family']);
    });
  });

  test('no prediction that is not a label of the truth, and another one once another column is the truth', () => {
    const { columns, ...file } = inspection({
      ...{ applicant: ['A1'], computed_on: ['2026-01-05', '2026-02-05'], guess: ['no', 'yes'], stars: ['low', 'high'] },
      ...{ paid_back: ['yes', 'no'], size: ['high', 'low'], noted: ['2026-01-05', '2026-02-05'] },
    });
    const differ = ['computed_on', 'guess', 'stars'];
    const of: Inspection = {
      ...file,
      columns: columns.map((column) => (differ.includes(column.name) ? { ...column, variesPer: 'applicant' } : column)),
    };
    const without: Inspection = { ...of, columns: of.columns.filter(({ name }) => name !== 'guess' && name !== 'stars') };
    const dated = { ...without, columns: without.columns.filter(({ name }) => name !== 'noted') };
    expect(formOf(dated, 'a.csv', null, {}).columns.prediction).toBe('');
    const first = formOf(of, 'a.csv', null);
    const proposed = ['paid_back', 'size', 'computed_on'].map((truth) => withTruth(of, first, truth).columns.prediction);
    expect(proposed).toEqual(['guess', 'stars', '']);
    const byHand = { ...first, columns: { ...first.columns, prediction: 'guess' } };
    expect(withTruth(of, byHand, 'size').columns).toMatchObject({ prediction: 'guess', truth: 'size' });
  });

  test('and gives it a name that no other has', () => {
    const name = (recorded: string[]) => formOf(inspection({ id: ['1'] }), 'a.csv', null, { recorded }).name;
    expect([name(['b']), name(['a', 'a (2)'])]).toEqual(['a', 'a (3)']);
  });
});

test('a probability is found by the label of the recorded experiment', () => {
  const file = inspection({ case: ['1'], prob_granted: ['20', '80'], label: ['GRANTED', 'REFUSED'] });
  expect(formOf(file, 'a.csv', {}, { labels: ['GRANTED', 'REFUSED'] })).toMatchObject({
    columns: { case: 'case', truth: 'label' },
    probabilities: { GRANTED: 'prob_granted' },
    scale: '100',
  });
});

describe('a form becomes a request to the engine', () => {
  test('labels, with those values that were given one', () => {
    const { draft } = checkForm(form({ map: { yes: 'YES', unknown: '' } }), of);
    expect(draft).toEqual({
      upload,
      experiment: 'rain',
      arm: 'panel',
      columns: { ...noColumns, case: 'id', prediction: 'prediction' },
      map: [['yes', 'YES']],
      positiveIf: null,
      confidenceScale: 1,
    });
  });

  test('scores, with their comparison', () => {
    expect(checkForm(form({ reading: 'scores', limit: ' 5 ' }), of).draft?.positiveIf).toBe('>=5');
    const map = { 1: 'YES', high: 'YES' };
    expect(checkForm(form({ reading: 'scores', limit: '5', map }), of).draft?.map).toEqual([['high', 'YES']]);
    expect(checkForm(form({ reading: 'scores', limit: '' }), of).wrong?.part).toBe('limit');
    expect(checkForm(form({ reading: 'scores', limit: 'five' }), of).wrong?.part).toBe('limit');
  });

  test('only with an arm, a case column and a prediction column', () => {
    expect(checkForm(form({ arm: ' ' }), of).wrong?.part).toBe('arm');
    const { columns } = form();
    expect(checkForm(form({ columns: { ...columns, case: '' } }), of).wrong?.part).toBe('case');
    expect(checkForm(form({ columns: { ...columns, prediction: '' } }), of).wrong?.part).toBe('prediction');
  });
});

test('groups of the data set are compared where the file has them, and probabilities take the place of the confidence', () => {
  const of = inspection({ id: ['1'], prediction: ['YES'], sex: ['f'], w: ['2'], p: ['0.3'], confidence: ['1'] });
  const found = formOf(of, 'a.csv', { id: 'id', groups: ['race', 'sex'], weight: 'w' });
  expect(found).toMatchObject({ groups: ['sex'], columns: { weight: 'w' } });
  const stated = { ...found, probabilities: { YES: 'p', NO: '' }, columns: { ...found.columns, prediction: '' } };
  expect(checkForm(stated, { upload, experiment: 'rain' }).draft?.columns).toEqual({
    ...noColumns,
    case: 'id',
    groups: ['sex'],
    weight: 'w',
    probabilities: [['YES', 'p']],
  });
  expect(['sex', 'p', 'w'].map((field) => partOf(field, stated))).toEqual(['group', 'probability', 'weight']);
});

test('opinions are columns in their order, and forms that were kept before there were any have none', () => {
  const found = form({ opinions: ['first', 'second'] });
  expect(checkForm(found, of).draft?.columns.opinions).toEqual(['first', 'second']);
  expect(['second', 'opinion'].map((field) => partOf(field, found))).toEqual(['opinion', 'opinion']);
  const { opinions: _new, ...kept } = form();
  expect(predictionFormSchema.parse(kept)).toEqual(form());
});

test('a failure is shown at the column that it names', () => {
  const named = form({ columns: { ...form().columns, truth: 'was' } });
  expect(['id', 'was', 'arm', 'positive-if', 'elsewhere', null].map((field) => partOf(field, named))).toEqual([
    'case',
    'truth',
    'arm',
    'limit',
    null,
    null,
  ]);
});

describe('a new experiment', () => {
  const file = inspection({
    id: ['1', '2'],
    decision: ['grant', 'refuse'],
    actual: ['0', '1'],
    sex: ['F', 'M'],
    risk: ['0.2', '0.9'],
  });
  const found = formOf(file, 'credit.csv', null);

  test('takes its name from the file, and the prediction and the truth by what their columns are called', () => {
    expect(found).toMatchObject({
      name: 'credit',
      columns: { case: 'id', prediction: 'decision', truth: 'actual' },
      groups: ['sex', 'risk'],
    });
  });

  test('has the labels that its truths are called, and needs to know the positive one and the question', () => {
    const map = { 0: 'repaid', 1: 'default', grant: 'repaid', refuse: 'default' };
    const named = { ...found, map, probabilities: { default: 'risk', 1: 'risk' }, groups: ['sex', 'risk'] };
    expect(lackingIn(named, file).map(({ part }) => part)).toEqual(['positive', 'question']);
    const filled = { ...named, positive: 'default', question: ' Will it be repaid? ' };
    expect(lackingIn(filled, file)).toEqual([]);
    expect(checkNewForm(filled, file, { upload }, false).draft).toMatchObject({
      experiment: 'credit',
      positive: 'default',
      question: 'Will it be repaid?',
      columns: { truth: 'actual', groups: ['sex'], probabilities: [['default', 'risk']] },
      map: Object.entries(map),
    });
    const recorded = checkNewForm(filled, file, { upload }, true).draft;
    expect([recorded?.experiment, recorded?.positive, recorded?.question]).toEqual(['credit', undefined, undefined]);
  });

  test('compares no groups of a column that holds an opinion', () => {
    expect(groupColumns(file, { ...found, opinions: ['risk'] }, null)).toEqual(['sex']);
  });

  test('lacks a name, a column of truths or a label where there is none', () => {
    const { columns } = found;
    const wrongs = [{ name: ' ' }, { columns: { ...columns, truth: '' } }, { map: { 0: '' } }, { question: 'x'.repeat(4001) }];
    const parts = wrongs.map((wrong) => checkNewForm({ ...found, ...wrong }, file, { upload }, false).wrong?.part);
    expect(parts).toEqual(['name', 'truth', 'labels', 'question']);
  });
});
