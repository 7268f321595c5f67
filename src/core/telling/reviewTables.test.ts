import { expect, test } from 'vitest';
import type { Adjudication, Review } from '../../shared/reviews.ts';
import { judgedText } from './reviewTables.ts';

const review = (label: string | null, head = 'now') =>
  ({ label, judgement: label === null ? 'unsure' : 'label', head }) as unknown as Review;
const settled = (label: string, about: Partial<Adjudication> = {}) =>
  ({ label, head: 'now', current: true, ...about }) as unknown as Adjudication;
const said = (reviews: Review[], adjudications: Adjudication[] = []) => judgedText({ head: 'now', reviews, adjudications }, 'NO');

test('what people judged of a trial is counted, and an adjudicator has the last word', () => {
  const two = [review('NO'), review('YES')];
  expect(said(two)).toBe('2 people judged this trial, in which the court found NO: 1 agrees, 1 disagrees (YES).');
  expect(said(two, [settled('YES')])).toBe(
    '2 people judged this trial, in which the court found NO: 1 agrees, 1 disagrees (YES). An adjudicator settled it: YES, which disagrees with the court.',
  );
  expect(said(two, [settled('NO')])).toContain('settled it: NO, which agrees with the court.');
});

test('what was settled of an earlier attempt, or of answers that have changed since, does not count', () => {
  const two = [review('NO'), review('YES')];
  expect(said(two, [settled('YES', { head: 'before' }), settled('YES', { current: false })])).toBe(said(two));
  expect(said([review('NO', 'before')])).toBeNull();
  expect(said([review(null)])).toBe('1 person judged this trial, in which the court found NO: 1 is unsure.');
});
