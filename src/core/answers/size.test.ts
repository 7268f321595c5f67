import { afterEach, describe, expect, test, vi } from 'vitest';
import { isDisclaimed } from './disclaimers.ts';
import { signs, withSigns } from './labelMentions.ts';
import { longestAnswer, readAnswer } from './read.ts';
import { findObjects, leadLength } from './regions.ts';
import { hardText, hardUnits, places } from './texts.fixture.ts';
import { longestRepair } from './tolerant.ts';
import { verdictSpec } from './verdict.fixture.ts';

const repaired = vi.hoisted((): string[] => []);
vi.mock('jsonrepair', async (load) => {
  const library = await load<typeof import('jsonrepair')>();
  return {
    ...library,
    jsonrepair: (text: string) => {
      repaired.push(text);
      return library.jsonrepair(text);
    },
  };
});

afterEach(() => {
  repaired.length = 0;
  vi.restoreAllMocks();
});

const yes = '{"prediction":"YES","confidence":70}';

test('a text over the limit is refused unread', () => {
  const reading = readAnswer(verdictSpec, `${yes}${' '.repeat(longestAnswer)}`);
  expect(reading).toMatchObject({ ok: false, kind: 'malformed', message: expect.stringMatching(/longer than 1000000/) });
});

/** How many characters are looked at one by one while a text is read. */
function charactersRead(text: string): number {
  const read = vi.spyOn(String.prototype, 'charAt');
  try {
    readAnswer(verdictSpec, text, true);
    return read.mock.calls.length;
  } finally {
    read.mockRestore();
  }
}

describe.each(places)('hard texts, %s', (place) => {
  test.each(Object.entries(hardUnits))('%s', (_, unit) => {
    const length = 100_000;
    // Each character a few times over, however long the text is.
    expect(charactersRead(hardText(unit, length, place))).toBeLessThan(6 * length);
    // The library's time grows with the square of the length: it gets little, whatever the text holds.
    expect(repaired.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(longestRepair);
  });
});

test.each(Object.entries(hardUnits))('%s: what introduces an object is short, and only that is looked at', (_, unit) => {
  const { regions, prose } = findObjects(`${hardText(unit, 50_000, 'alone')}\n${yes}`);
  expect(regions.every(({ lead }) => lead.length <= leadLength)).toBe(true);
  expect(regions.every(({ place }) => prose.startsWith('{}', place))).toBe(true);
});

test('words in front of an object count only as near as an introduction is', () => {
  const near = 'For example: ';
  expect(isDisclaimed(near)).toBe(true);
  expect(isDisclaimed(`${'x'.repeat(50_000)} ${near}`)).toBe(true);
  expect(isDisclaimed(`${near}${' '.repeat(leadLength)}`)).toBe(false);
});

test('a thousand labels are looked up word by word, not one by one', () => {
  const labels = Array.from({ length: 1000 }, (_, index) => `label ${index}`);
  const text = 'word '.repeat(5000);
  const looked = vi.spyOn(String.prototype, 'includes');
  try {
    withSigns(text, new Set(['label 1']), labels);
    expect(looked.mock.calls.length).toBeLessThan(5);
  } finally {
    looked.mockRestore();
  }
  expect(withSigns(`${text}label 2 label 1`, new Set(['label 1']), labels)).toBe(`${text}${signs.other} ${signs.own}`);
});

test('a whole text of many small slips goes to the library up to the limit and no further', () => {
  const reading = readAnswer(verdictSpec, "{'prediction': 'YES', 'confidence': 70}\n".repeat(150), true);
  expect(reading).toMatchObject({ ok: true, method: 'tolerant-json' });
  expect(repaired).toHaveLength(150);
  readAnswer(verdictSpec, `{'prediction': 'YES', 'confidence': 70, 'note': '${'x'.repeat(longestRepair)}'}`);
  expect(repaired).toHaveLength(150);
});
