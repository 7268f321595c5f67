import { expect, test } from 'vitest';
import { unstarted } from '../../shared/trialLine.ts';
import { caseEndsText, sameMethodText, timesOf, triesText } from './findingTexts.ts';

const run = (prediction: string | null) =>
  ({ ...unstarted, status: 'done', outcome: prediction === null ? 'timeout' : 'decided', prediction }) as const;
const labels = ['GRANT', 'REFUSE'];

test('every trial of the case is counted by how it ended, the commonest end first', () => {
  const ends = [run('REFUSE'), run('GRANT'), run(null), run('REFUSE')];
  expect(sameMethodText(ends, 4, labels)).toBe('This method tried this case 4 times: 2 REFUSE, 1 GRANT, 1 no decision.');
  expect(sameMethodText([run('GRANT'), run('GRANT')], 2, labels)).toBe('This method tried this case 2 times: each time GRANT.');
  expect(sameMethodText([run('GRANT'), unstarted], 2, labels)).toBe(
    'This method tries this case 2 times: 1 GRANT, 1 not ended yet.',
  );
});

test('nothing is said of one trial or of an open question, and where not all are counted it says how many', () => {
  expect(sameMethodText([run('GRANT')], 1, labels)).toBeNull();
  expect(sameMethodText([run(null), run(null)], 2, [])).toBeNull();
  expect(caseEndsText([run('GRANT')])).toBeNull();
  expect(caseEndsText([run('GRANT'), run(null), run('GRANT')])).toBe('Tried 3 times: 2 GRANT, 1 no decision.');
  expect(sameMethodText([run('GRANT'), run('REFUSE')], 30, labels)).toContain('30 times, 2 of which are shown here: 1 GRANT');
});

test('how a method tried a case is said in few words, also where it did once or where not all trials are shown', () => {
  expect(triesText([run('GRANT')], 1)).toBe('once: GRANT');
  expect(triesText([run(null)], 1)).toBe('once: no decision');
  expect(triesText([run('GRANT'), run('REFUSE'), run('REFUSE')], 3)).toBe('3 times: 2 REFUSE, 1 GRANT');
  expect(triesText([run('GRANT'), unstarted], 30)).toBe('30 times, 2 of which are shown here: 1 GRANT, 1 not ended yet');
  const imported = [{ ...run('GRANT'), protocol: 'imported' }];
  expect(triesText(imported, timesOf(imported, 3))).toBe('once: GRANT');
  expect(timesOf([{ protocol: 'standard' }], 3)).toBe(3);
});
