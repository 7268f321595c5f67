import { afterAll, beforeAll, expect, test } from 'vitest';
import { positionText } from '../../../core/figures/debateRounds.ts';
import { measureText } from '../../../core/figures/exchangeMeasures.ts';
import { linesOf as linesOfBlocks } from '../../../core/telling/lines.ts';
import { stepOf, subtopicOf } from '../../../core/telling/steps.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { type ReportData, reportData } from './html/data.ts';
import { transcript } from './transcript.ts';

const folder = openFolder('transcript-steps');
const experiment = 'transcript-steps';
let store: Store;

beforeAll(async () => {
  const cast = { '*': { model: 'llama3.1:8b' } };
  const arms = [
    { name: 'evince', protocol: 'evince', cast, params: { maxRounds: 2, tolerance: 0, gate: 1 } },
    {
      name: 'feedback',
      protocol: 'debate-feedback',
      cast,
      params: { rounds: 2, debaters: 3, words: 20, assistant: 'model' },
    },
  ];
  const options = { cases: 1, fault: () => null, change: { name: experiment, arms } };
  store = openStoreReadOnly(await makeSampleStore(folder.folder, options));
});

afterAll(() => {
  store.close();
  folder.remove();
});

function shownOf(arm: string): { data: ReportData; steps: (turn: string) => string[] } {
  const row = store.trials.ofExperiment(experiment).find((trial) => trial.arm === arm);
  if (row === undefined) throw new Error(`there is no trial of ${arm}`);
  const { transcript: told } = transcript(store, experiment, row.trial);
  return {
    data: reportData(store, experiment, row.trial),
    steps: (turn) => told.filter((entry) => entry.kind === 'step' && entry.turn === turn).map(({ text }) => text ?? ''),
  };
}

test('each exchange of EVINCE has its measures, who was held back, and the last one why it ended', () => {
  const { data, steps } = shownOf('evince');
  const exchanges = data.entries.filter((entry) => entry.kind === 'exchange');
  const told = steps('exchange');
  expect(told).toHaveLength(2);
  for (const [place, { round, contentiousness, wd, jsd, sides }] of exchanges.entries()) {
    const lines = told[place]?.split('\n') ?? [];
    expect(lines.slice(0, 6)).toEqual([
      `Round ${round}`,
      `Contentiousness: ${measureText(contentiousness)}`,
      `CRIT, A: ${measureText(sides.agentA.crit)}`,
      `CRIT, B: ${measureText(sides.agentB.crit)}`,
      `Wasserstein distance (WD): ${measureText(wd)}`,
      `Jensen-Shannon divergence (JSD): ${measureText(jsd)}`,
    ]);
    const withheld = Object.values(sides).filter(({ admitted }) => !admitted);
    expect(lines.filter((line) => line.includes('held back'))).toHaveLength(withheld.length);
  }
  expect(told[0]).not.toContain('ended after round');
  expect(told[1]).toContain('The debate ended after round 2, the last that was allowed');
});

test('Debate-Feedback has its positions, ratings and rounds', () => {
  const { data, steps } = shownOf('feedback');
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
    expect.stringMatching(/^Round 1: mean [\d.]+ (?:reaches|is under) 0\.5: .+\.\nOwn answer of the judge: \S.*\.$/),
    expect.stringMatching(/^Round 2: mean [\d.]+ (?:reaches|is under) 0\.5: .+\.\nOwn answer of the judge: \S.*\.$/),
  ]);
});

const at = (seq: number) => ({ seq, key: `key-${seq}`, role: 'moderator' });
const [costs, law] = [
  { title: 'Costs', scope: 'Who pays.' },
  { title: 'Law', scope: 'Who may.' },
];
const settled = { kind: 'subtopics', settledBy: 'agents', balanced: false, balance: 'One side.' } as const;
const asked: TranscriptEntry = { ...at(2), kind: 'moderation', asks: 'subtopics', subtopics: [costs, law] };
const edited: TranscriptEntry = {
  ...at(3),
  key: asked.key,
  kind: 'moderated',
  moderation: { action: 'subtopics', subtopics: [law] },
};
const entries: TranscriptEntry[] = [
  { ...at(1), ...settled, subtopics: [costs, law] },
  asked,
  edited,
  { ...at(4), ...settled, settledBy: 'moderator', subtopics: [law], balanced: null, balance: null },
];
function linesOf(entry: TranscriptEntry, all = entries): string[] | undefined {
  const step = stepOf(entry, { entries: all, isCounterbalanced: false });
  return step === null ? undefined : linesOfBlocks(step.blocks);
}

test('subtopics, what the moderator is asked and what it answers are told in lines', () => {
  expect(entries.map((entry) => linesOf(entry))).toEqual([
    ['As both agents settled them.', '1. Costs: Who pays.', '2. Law: Who may.', 'The critic finds them not balanced: One side.'],
    undefined,
    ['The moderator puts these in the place of the subtopics:', '1. Law: Who may.'],
    ['As the moderator left them.', '1. Law: Who may.', 'The critic could not be asked whether they are balanced.'],
  ]);
  expect(linesOf(asked, entries.slice(0, 2))?.[0]).toBe(
    'The trial is not finished: it waits for its moderator, to accept the subtopics or to change them.',
  );
  const remark: TranscriptEntry = { ...at(5), kind: 'moderated', moderation: { action: 'remark', to: 'agentB', text: 'Go on.' } };
  expect(linesOf(remark)).toEqual(['The moderator to Agent B:', 'Go on.']);
  expect(linesOf({ ...at(5), kind: 'moderated', moderation: null })).toEqual(['The moderator answered: erased from the store.']);
});

test('a speech names the subtopic of the list that holds when it is made', () => {
  const speech = { kind: 'utterance', turn: 'opening', text: 'So.', planned: false, plan: null, subtopic: 1 } as const;
  const told = { entries, isCounterbalanced: false };
  expect(subtopicOf({ ...at(2), ...speech }, told)).toBe('1. Costs');
  expect(subtopicOf({ ...at(9), ...speech }, told)).toBe('1. Law');
  const { subtopic: _none, ...general } = speech;
  expect(subtopicOf({ ...at(9), ...general }, told)).toBeUndefined();
});
