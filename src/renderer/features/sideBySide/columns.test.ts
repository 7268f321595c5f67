import { expect, test } from 'vitest';
import type { TrialChange } from '../../../shared/changes.ts';
import { minuteText } from '../../ui/moments.ts';
import { line, utterance } from '../trial/testing/entries.ts';
import { columnTitle, originalFirst } from './inCommon.ts';

const change: TrialChange = {
  ...{ kind: 'replace', text: 'other words in the speech turn-1/defense', applies: true, from: null, to: null },
  replaced: { speech: 'turn-1/defense', text: 'Nothing.' },
};
const entries = [utterance(1, 'turn-1/defense/utterance', 'defense')];
const view = (title: string | null, opened: string, about: Parameters<typeof line>[0], text = 'It rained.') => ({
  ...{ line: line(about), title, question: 'Is it so?', facts: [{ name: 'text', value: text }], entries, opened, replicates: 1 },
});
const tried = { arm: 'try', protocol: 'agentic-sim', case: '1' };
const first = view('Is it so?', '2026-05-04T09:30:12.000Z', tried);
const changed = view('Is it so?', '2026-05-04T09:40:00.000Z', { ...tried, arm: 'try (other words)', base_arm: 'try', change });
const otherFacts = view('Is it so?', '2026-05-04T09:50:00.000Z', tried, 'It was dry.');

test('a changed trial is on the right and says its change, the other one says that it is the first', () => {
  const pair = originalFirst(changed, first);
  expect(pair).toEqual([first, changed]);
  expect([columnTitle(first, changed), columnTitle(changed, first)]).toEqual([
    'As tried first',
    'Other words in place of Defense, opening',
  ]);
});

test('of two tried cases with different facts the later one is the changed one', () => {
  expect(originalFirst(otherFacts, first)).toEqual([first, otherFacts]);
  expect([columnTitle(first, otherFacts), columnTitle(otherFacts, first)]).toEqual(['As tried first', 'Facts changed']);
});

test('the titles of two tried cases without a declared change are protocol and time, those of arms are their names', () => {
  const again = view('Is it so?', '2026-05-04T09:50:00.000Z', tried);
  expect(columnTitle(again, first)).toBe(`AgenticSimLLM · ${minuteText('2026-05-04T09:50:00.000Z')}`);
  const arm = view(null, '2026-05-04T09:50:00.000Z', { arm: 'court' });
  const other = view(null, '2026-05-04T09:50:00.000Z', { arm: 'court (other words)', base_arm: 'court', change });
  expect([columnTitle(arm, other), columnTitle(other, arm)]).toEqual([
    'court',
    'court · other words in place of Defense, opening',
  ]);
  const otherCase = view(null, '2026-05-04T09:50:00.000Z', { arm: 'court', case: '2' });
  expect([columnTitle(arm, otherCase), columnTitle(otherCase, arm)]).toEqual([`Case ${arm.line.case} · court`, 'Case 2 · court']);
});
