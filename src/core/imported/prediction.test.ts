import { describe, expect, test } from 'vitest';
import { type ImportMapping, noColumns, type PredictionReading } from '../../shared/imported.ts';
import {
  beliefIn,
  type CandidateLabels,
  confidenceIn,
  confidenceOf,
  numberIn,
  predictionReader,
  probabilityFault,
} from './prediction.ts';

const plain = { map: [], positiveIf: null, confidenceScale: 1, columns: { ...noColumns, case: 'id' } } satisfies Reading;
type Reading = Omit<ImportMapping, 'v' | 'file'>;
const labels = { labels: ['NO', 'YES'], positive: 'YES' };
const predictions = (reading: Partial<PredictionReading>, values: readonly string[], among = labels) => {
  const read = predictionReader({ ...plain, ...reading }, among);
  return values.map((value) => read({ value, stated: null, probabilities: [], opinions: [] }).prediction);
};

describe('values', () => {
  test('are labels by their exact spelling, and everything else is undecided', () => {
    expect(predictions({}, ['YES', 'NO', 'yes', ' YES', '', 'NO DECISION'])).toEqual(['YES', 'NO', null, null, null, null]);
  });

  test('that the map names mean what it says, even if they would mean something else', () => {
    const map: PredictionReading['map'] = [
      ['1', 'YES'],
      ['YES', 'NO'],
      ['?', 'unclear'],
    ];
    expect(predictions({ map }, ['1', 'YES', '?', 'NO'])).toEqual(['YES', 'NO', null, 'NO']);
  });

  test('named like what every object has are undecided', () => {
    expect(predictions({}, ['__proto__', 'constructor', 'toString'])).toEqual([null, null, null]);
  });
});

describe('a comparison', () => {
  test.each<[string, (string | null)[]]>([
    ['>=5', ['NO', 'YES', 'YES', 'NO']],
    ['>5', ['NO', 'NO', 'YES', 'NO']],
    ['<5', ['YES', 'NO', 'NO', 'YES']],
    ['<=5', ['YES', 'YES', 'NO', 'YES']],
    ['=5', ['NO', 'YES', 'NO', 'NO']],
    [' > 4.5e0 ', ['NO', 'YES', 'YES', 'NO']],
  ])('%s', (positiveIf, expected) => {
    expect(predictions({ positiveIf }, ['4', '5.0', '6', '-7'])).toEqual(expected);
  });

  test('holds for numbers that are spelled like labels, and leaves what the map made a label', () => {
    const scores = { labels: ['0', '1'], positive: '1' };
    const map: PredictionReading['map'] = [
      ['10', '0'],
      ['2', '1'],
    ];
    expect(predictions({ positiveIf: '>=5', map }, ['1', '0', '5', '10', '2'], scores)).toEqual(['0', '0', '1', '0', '1']);
  });

  test('leaves what is no number undecided', () => {
    const values = ['', 'N/A', '0x10', '1,000', 'Infinity', 'NaN', '5 ', 'YES'];
    expect(predictions({ positiveIf: '>=5' }, values)).toEqual([null, null, null, null, null, null, 'YES', null]);
  });
});

test('a confidence is divided by its scale, and an undecided value has none', () => {
  const read = predictionReader({ ...plain, confidenceScale: 100 }, labels);
  const of = (value: string, stated: string) => read({ value, stated, probabilities: [], opinions: [] });
  expect(of('YES', '85')).toEqual({ outcome: 'decided', prediction: 'YES', confidence: 0.85, belief: null, course: [] });
  expect(of('UNKNOWN', '75')).toEqual({ outcome: 'undecided', prediction: null, confidence: null, belief: null, course: [] });
  expect(['', '0', '100', '100.1', '-1', 'high'].map((cell) => confidenceIn(cell, 100))).toEqual([null, 0, 1, null, null, null]);
  expect(confidenceIn(null, 1)).toBeNull();
});

test('a percentage may carry its sign, and a refusal says what to change', () => {
  expect(['54%', ' 54 % ', '54\u00a0%', '%', '101%'].map((cell) => confidenceIn(cell, 100))).toEqual([
    0.54,
    0.54,
    0.54,
    null,
    null,
  ]);
  expect(confidenceIn('0.54%', 1)).toBeNull();
  const read = predictionReader(
    { ...plain, confidenceScale: 100, positiveIf: '>=50', columns: { ...plain.columns, probabilities: [['YES', 'risk']] } },
    labels,
  );
  expect(read({ value: null, stated: null, probabilities: ['54%'], opinions: [] })).toMatchObject({
    prediction: 'YES',
    confidence: 0.54,
  });
  expect(probabilityFault('54%', 100)).toBeNull();
  expect(probabilityFault('54%', 1)).toBe(
    '"54%" is not a number from 0 to 1; where the file has percentages, choose 0 to 100 as the scale (on the command line --confidence-scale 100)',
  );
  expect(probabilityFault('54,5 %', 100)).toBe('"54,5 %" is not a number from 0 to 100; write it with a point, as 54.5 %');
  expect(probabilityFault('high', 100)).toBe(
    '"high" is not a number from 0 to 100; correct the cell, or leave it empty where none was stated',
  );
});

test('numbers are decimal', () => {
  expect(['1', '+.5', '-2.', '1e3', '1e999', '.', '', '١'].map(numberIn)).toEqual([1, 0.5, -2, 1000, null, null, null, null]);
});

describe('probabilities', () => {
  const columns = (...stated: string[]) => ({
    ...plain.columns,
    probabilities: stated.map((label): [string, string] => [label, label]),
  });
  const reading = (stated: string[], given: Partial<Reading> = {}, among: CandidateLabels = labels) =>
    predictionReader({ ...plain, columns: columns(...stated), ...given }, among);
  const scored = (read: ReturnType<typeof reading>, ...probabilities: string[]) =>
    read({ value: null, stated: null, probabilities, opinions: [] });

  test('of one of two labels leave the rest to the other, and the likelier one is the prediction', () => {
    const read = reading(['YES'], { confidenceScale: 100 });
    expect(scored(read, '70')).toMatchObject({
      outcome: 'decided',
      prediction: 'YES',
      confidence: 0.7,
      belief: { NO: 1 - 0.7, YES: 0.7 },
    });
    expect(scored(read, '50')).toMatchObject({ outcome: 'undecided', belief: null });
    expect(scored(read, '')).toMatchObject({ outcome: 'undecided', belief: null });
  });

  test('leave a stated prediction as it is, and its confidence is its probability', () => {
    const read = reading(['YES']);
    expect(read({ value: 'YES', stated: null, probabilities: ['0.4'], opinions: [] })).toMatchObject({
      prediction: 'YES',
      confidence: 0.4,
    });
    expect(read({ value: 'YES', stated: null, probabilities: [''], opinions: [] })).toMatchObject({
      prediction: 'YES',
      confidence: null,
      belief: null,
    });
  });

  test('without a prediction are compared with a limit in the scale of the file', () => {
    const read = reading(['NO', 'YES'], { confidenceScale: 100, positiveIf: '>=30' });
    expect(scored(read, '70', '30').prediction).toBe('YES');
    expect(scored(read, '71', '29').prediction).toBe('NO');
  });

  test('are divided by their sum where it is off by rounding, and are none where it is off by more', () => {
    const third: number = expect.closeTo(1 / 3, 12);
    const three = { labels: ['A', 'B', 'C'], positive: null };
    expect(beliefIn(['33', '33', '33'], three.labels, three.labels, 100)).toEqual({ belief: { A: third, B: third, C: third } });
    expect(beliefIn(['0.2', '0.1', '0.7'], ['C', 'B', 'A'], three.labels, 1)).toEqual({ belief: { A: 0.7, B: 0.1, C: 0.2 } });
    expect(beliefIn(['0.5', '0.3', '0.1'], three.labels, three.labels, 1)).toEqual({
      problem: 'the probabilities 0.5, 0.3, 0.1 add up to 0.9 and not to 1',
      place: null,
    });
    expect(beliefIn(['0.5', '', '0.5'], three.labels, three.labels, 1)).toMatchObject({ place: 1 });
    expect(scored(reading(three.labels, {}, three), '0.2', '0.5', '0.3').prediction).toBe('B');
  });
});

test('confidences that are mostly under 50% for one of two predictions alone read like the probability of the other', () => {
  const of = (no: number, yes: number, among = labels.labels) =>
    confidenceOf(
      new Map([
        ['NO', { trials: 10, under_half: no }],
        ['YES', { trials: 10, under_half: yes }],
      ]),
      among,
    );
  expect(of(9, 1)).toEqual({ label: 'YES', prediction: 'NO', trials: 10, under_half: 9 });
  expect(of(2, 6)).toMatchObject({ label: 'NO', prediction: 'YES' });
  expect([of(5, 5), of(8, 8), of(0, 0), of(9, 0, ['MAYBE', 'NO', 'YES'])]).toEqual([null, null, null, null]);
  expect(confidenceOf(new Map(), labels.labels)).toBeNull();
});
