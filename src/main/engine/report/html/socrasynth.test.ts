import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { debateOf } from '../../../../core/figures/debate.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { contentsOf, pageOf, recordReports } from './testing/reports.ts';

const { path, dataOf, stepsOf, transcriptOf } = recordReports(1, {
  dataset: { path: 'questions.csv', kind: 'open', id: 'id' },
  runtime: { numCtx: 16384, numPredict: 4096 },
  arms: [
    {
      name: 'debate',
      protocol: 'socrasynth',
      params: { subtopics: 2, maxRounds: 1, critDepth: 1, compareWithAnswer: true },
    },
    {
      name: 'whole',
      protocol: 'socrasynth',
      params: { subtopics: 0, maxRounds: 1, critSides: 'both', feedback: true, compareWithAnswer: true, comparison: 'named' },
    },
  ],
});
writeFileSync(path('questions.csv'), 'id,question\nq1,"Should <b>research</b> be regulated?"\n');
const data = () => dataOf('debate');

test('the page of a debate is whole, names its own steps, and says that an open question has no verdict', () => {
  const page = pageOf(data());
  expect(faultsOf(page)).toEqual([]);
  expect(contentsOf(data())).toEqual([
    ...['about', 'facts', 'cast', 'subtopics', 'debate', 'proposal', 'panel', 'comparison', 'verdict', 'transcript'],
    ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits', 'prompts'],
  ]);
  expect(page).not.toContain('<b>research</b>');
  expect(textOf(page)).toContain('An open question has none');
});

test('shows every round with its contentiousness and score, and every sheet with its totals', () => {
  const text = textOf(pageOf(data()));
  const { rounds, panel, subtopics } = debateOf(data().entries);
  expect(rounds.map(({ title }) => title)).toEqual(['Opening', 'Round 1', 'Closing statements']);
  expect(text).toContain('Opening contentiousness 0.90 of 1');
  expect(text).toContain('Round 1 contentiousness 0.75 of 1');
  for (const { evaluations } of rounds)
    for (const { score } of evaluations) expect(text).toContain(`G = ${score.toFixed(2)} of 10, for the claim of Agent A`);
  for (const { title } of subtopics) expect(text).toContain(title);
  expect(panel).toHaveLength(2);
  for (const { sheet, totals } of panel) {
    const [sums, points] = [{ agentA: 0, agentB: 0 }, sheet.scores];
    for (const { agentA, agentB } of points) {
      sums.agentA += agentA;
      sums.agentB += agentB;
    }
    expect(totals).toEqual(sums);
  }
  expect(text).toMatch(/Both orders agree for [01] of 1 judge/);
});

test('a trial that waits for its moderator says so, and for what', () => {
  const { entries, line, ...rest } = data();
  const settled = entries.findIndex(({ kind }) => kind === 'subtopics');
  const asked = { kind: 'moderation', seq: 1, key: 'subtopics/moderator', role: 'moderator', subtopics: null } as const;
  const waiting = (asks: 'subtopics' | 'remark') =>
    textOf(
      pageOf({
        ...rest,
        line: { ...line, status: 'running', outcome: null },
        entries: [...entries.slice(0, settled + 1), { ...asked, asks }],
      }),
    );
  expect(waiting('subtopics')).toContain('not finished; it waits for its moderator, to accept the subtopics or to change them');
  expect(waiting('remark')).toContain('not finished; it waits for its moderator, to say something to the agents');
  expect(textOf(pageOf(data()))).not.toContain('waits for its moderator');
});

test('the command line shows subtopics, why the debate stopped, the plain answer and its comparison', () => {
  const { subtopics, stop, answer, debated, comparisons } = debateOf(data().entries);
  const textsOf = (turn: string) => stepsOf('debate', turn);
  expect(textsOf('subtopics')).toEqual([expect.stringContaining(`1. ${subtopics[0]?.title}: ${subtopics[0]?.scope}`)]);
  expect(textsOf('stop')).toEqual([
    expect.stringContaining(`A further round would have had a contentiousness of ${stop?.contentiousness?.toFixed(2)}.`),
  ]);
  expect(textsOf('answer')).toEqual([answer, debated].map((given) => expect.stringContaining(given?.answer ?? 'no answer')));
  expect(comparisons.map(({ order }) => order?.[0])).toEqual(['debate', 'answer']);
  expect(textsOf('comparison')).toEqual(comparisons.map(({ justification }) => expect.stringContaining(justification ?? 'none')));
  const about = transcriptOf('debate').flatMap(({ subtopic }) => subtopic ?? []);
  expect(new Set(about)).toEqual(new Set(subtopics.map(({ title }, index) => `${index + 1}. ${title}`)));
});

test('two answers are compared in both orders, and their lengths as read are shown', () => {
  const text = textOf(pageOf(data()));
  const { comparisons } = debateOf(data().entries);
  for (const first of ['Debate first', 'Answer first']) expect(text).toContain(first);
  const { debate, answer } = comparisons[0]?.words ?? { debate: 0, answer: 0 };
  expect(Math.min(debate, answer)).toBeGreaterThan(0);
  for (const words of [debate, answer]) expect(text).toContain(`judges read ${words} words of it`);
});

test('a debate about the whole question has no subtopics, two scores a round, and feedback', () => {
  const whole = dataOf('whole');
  expect(faultsOf(pageOf(whole))).toEqual([]);
  expect(contentsOf(whole)).not.toContain('subtopics');
  const { rounds } = debateOf(whole.entries);
  expect(rounds.map(({ evaluations }) => evaluations.map(({ subject }) => subject))).toEqual([
    [],
    ['Agent A', 'Agent B'],
    ['Agent A', 'Agent B'],
  ]);
  const text = textOf(pageOf(whole));
  expect(text).toContain('The whole question');
  const [, round] = rounds;
  for (const side of ['agentA', 'agentB'] as const) expect(text).toContain(round?.sides[side].speeches[0]?.text ?? 'nothing');
  expect(text).toContain('The critic to both agents');
});
