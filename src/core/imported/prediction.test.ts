import { describe, expect, test } from 'vitest';
import type { PredictionReading } from '../../shared/imported.ts';
import { confidenceIn, numberIn, predictionReader } from './prediction.ts';

const plain: PredictionReading = { map: [], positiveIf: null, confidenceScale: 1 };
const labels = { labels: ['NO', 'YES'], positive: 'YES' };
const predictions = (reading: Partial<PredictionReading>, values: readonly string[], among = labels) => {
  const read = predictionReader({ ...plain, ...reading }, among);
  return values.map((value) => read(value, null).prediction);
};

describe('values', () => {
  test('are labels by their exact spelling, and everything else is undecided', () => {
    expect(predictions({}, ['YES', 'NO', 'yes', ' YES', '', 'NO DECISION'])).toEqual(['YES', 'NO', null, null, null, null]);
  });

  test('that the map names stand for what it says, whatever they would have been', () => {
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
  expect(read('YES', '85')).toEqual({ outcome: 'decided', prediction: 'YES', confidence: 0.85 });
  expect(read('UNKNOWN', '75')).toEqual({ outcome: 'undecided', prediction: null, confidence: null });
  expect(['', '0', '100', '100.1', '-1', 'high'].map((cell) => confidenceIn(cell, 100))).toEqual([null, 0, 1, null, null, null]);
  expect(confidenceIn(null, 1)).toBeNull();
});

test('numbers are decimal', () => {
  expect(['1', '+.5', '-2.', '1e3', '1e999', '.', '', '١'].map(numberIn)).toEqual([1, 0.5, -2, 1000, null, null, null, null]);
});
