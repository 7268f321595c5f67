import { expect, test } from 'vitest';
import { positionText } from '../../../../core/figures/debateRounds.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { changed, contentsOf, pageOf, recordReports } from './testing/reports.ts';

const params = { rounds: 2, debaters: 3, words: 20 };
const { dataOf, stepsOf } = recordReports(2, {
  arms: [
    { name: 'rated', protocol: 'debate-feedback', params: { ...params, assistant: 'model', passing: 'mean' } },
    { name: 'single', protocol: 'debate-feedback', params },
  ],
});

test('every page is whole, and names its own steps in the contents', () => {
  for (const arm of ['rated', 'single']) expect(faultsOf(pageOf(dataOf(arm))), arm).toEqual([]);
  expect(contentsOf(dataOf('rated'))).toEqual([
    ...['person', 'about', 'facts', 'cast', 'first-opinion', 'rounds', 'course', 'verdict', 'transcript'],
    ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits', 'prompts'],
  ]);
});

test('of debaters it says what they argue for', () => {
  const data = dataOf('single');
  const given = data.entries.findLast((entry) => entry.kind === 'positions')?.positions ?? {};
  const text = textOf(pageOf(data));
  expect(Object.keys(given)).toHaveLength(2);
  for (const [place, position] of Object.values(given).entries()) expect(text).toContain(`Debater ${place + 1}${position}llama`);
});

test('shows every speech, each rating, and how each round was settled', () => {
  const data = dataOf('rated');
  const text = textOf(pageOf(data));
  for (const entry of data.entries) {
    if (entry.kind === 'utterance') expect(text).toContain(entry.text);
    if (entry.kind === 'rating') expect(text).toContain(`Reliability ${Number(entry.value?.toFixed(2))}`);
    if (entry.kind === 'round') expect(text).toContain(`Mean reliability ${Number(entry.mean?.toFixed(2))}`);
  }
  expect(text).toMatch(/The judge after round 1 .*mean reliability [\d.]+ (?:reaches|is under) 0\.5/);
  expect(text).toMatch(/Debater 3, for \w+ free/);
  expect(text.match(/Own answer, with the summary/g)).toHaveLength(2);
  expect(text).toMatch(/(?:Correction: |Degradation: |The first opinion was )/);
});

test('without an assistant nothing is rated, and the verdict is not called stated', () => {
  const [text = ''] = textOf(pageOf(dataOf('single'))).split('Appendix: the prompts in full');
  expect(text).toContain('no one rates how reliable the answers are, so every round passes');
  expect(text).not.toContain('Reliability');
  expect(text).toContain('Smoothed belief');
  expect(text).toContain('the judge reads only a summary of the speeches');
  expect(text).not.toContain('Stated confidence');
});

test('that the others convinced a debater is said with what follows from it', () => {
  const conceding = changed(dataOf('single'), (entry) =>
    entry.kind === 'utterance' && entry.key === 'round-1/answer/debater-1/utterance' ? { ...entry, concedes: true } : entry,
  );
  expect(textOf(pageOf(conceding))).toContain('The others and the judge do not learn of this');
});

test('turns that were lost, and an unreliable round, are described in words', () => {
  const lost = changed(dataOf('rated'), (entry) => {
    const { seq, role } = entry;
    if (entry.key === 'round-1/opinion/debater-1/utterance') {
      return { kind: 'forfeit', seq, key: 'round-1/opinion/debater-1/forfeit', role, failure: 'timeout' };
    }
    if (entry.key === 'round-2/summary/utterance') {
      return { kind: 'forfeit', seq, key: 'round-2/summary/forfeit', role, failure: 'malformed' };
    }
    if (entry.kind !== 'round') return entry;
    return entry.round === 1
      ? { ...entry, mean: 0.25, result: 'unreliable', kept: 'initial' }
      : { ...entry, mean: null, result: 'unheard', kept: 'previous', judge: null };
  });
  expect(faultsOf(pageOf(lost))).toEqual([]);
  const text = textOf(pageOf(lost));
  expect(text).toContain('The model did not answer in time. The others read that nothing was said.');
  expect(text).toContain('also when it was asked for again. There is no summary.');
  expect(text).toContain('mean reliability 0.25 is under 0.5: back to the first opinion');
  expect(text).toContain('nothing to continue with: the opinion stays as it was');
  expect(text).toContain('Own answer, with the summarynone');
});

test('the command line shows positions, ratings and rounds', () => {
  const data = dataOf('rated');
  const steps = (turn: string) => stepsOf('rated', turn);
  const positions = data.entries.find((entry) => entry.kind === 'positions');
  if (positions === undefined) throw new Error('there are no positions');
  expect(steps('positions')).toEqual([
    [
      positionText(positions, false),
      `Debater 1: ${positions.positions.debater1}`,
      `Debater 2: ${positions.positions.debater2}`,
    ].join('\n'),
  ]);
  const ratings = data.entries.filter((entry) => entry.kind === 'rating');
  expect(ratings).toHaveLength(6);
  for (const [place, line] of steps('rating').entries()) {
    expect(line).toContain(`of debater ${(place % 3) + 1}: ${Number(ratings[place]?.value?.toFixed(2))}, by `);
  }
  expect(steps('round')).toEqual([
    expect.stringMatching(
      /^Round 1: mean reliability [\d.]+ (?:reaches|is under) 0\.5: .+\.\nOwn answer of the judge in round \d: \S.*\.$/,
    ),
    expect.stringMatching(
      /^Round 2: mean reliability [\d.]+ (?:reaches|is under) 0\.5: .+\.\nOwn answer of the judge in round \d: \S.*\.$/,
    ),
  ]);
});
