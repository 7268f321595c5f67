import { expect, test } from 'vitest';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { linesMerged } from './experimentQueries.ts';

const line = (trial: string, status: TrialLine['status']) => ({ trial, status }) as TrialLine;

test('a changed line takes its own place; those of other pages are left out', () => {
  const page = [line('a', 'running'), line('b', 'running')];
  expect(linesMerged(page, [line('b', 'done'), line('z', 'done')])).toEqual([line('a', 'running'), line('b', 'done')]);
  expect(page[1]?.status).toBe('running');
});
