import { describe, expect, it } from 'vitest';
import { benchOf, ruleOf, votesOf } from './bench.ts';
import { ambiguityText, assignmentText, disputeOf } from './dispute.ts';
import { believed, forfeited as forfeit, type Of, said } from './entries.fixture.ts';
import { cosine, methodOf, precedentsOf, shortfallOf } from './precedents.ts';

const vote = (seq: number, number: number, prediction: string, role = `judge${number}`) =>
  believed(seq, `judgement/judge-${number}/belief`, role, { prediction, confidence: 0.6, notes: `notes ${number}` });
const says = (seq: number, role: string, turn: string, text: string) =>
  said(seq, `${turn}/${role}/utterance`, role, { turn, text });
const sides: Of<'sides'> = {
  kind: 'sides',
  seq: 2,
  key: 'sides',
  role: '',
  prediction: 'neutral',
  alternative: 'entailment',
  alternativeFrom: 'distribution',
  drawn: 'random',
  sides: { prosecutor: 'entailment', attorney: 'neutral' },
  order: ['attorney', 'prosecutor'],
};

describe('the bench', () => {
  it('has every judge in order with label and reason, and says who changes the label of the one before', () => {
    const seats = benchOf([
      vote(1, 1, 'a'),
      says(2, 'judge1', 'opinion', 'first'),
      forfeit(3, 'judgement/judge-2/forfeit', 'judge2'),
      vote(4, 3, 'b'),
      { kind: 'measure', seq: 5, key: 'judgement/judge-3/outside', role: '', name: 'outside-dispute', value: 1 },
      says(6, 'judge3', 'opinion', 'third'),
      vote(7, 4, 'b'),
    ]);
    expect(seats.map(({ role, reason, changed, outside }) => [role, reason, changed, outside])).toEqual([
      ['judge1', 'first', null, false],
      ['judge2', null, null, false],
      ['judge3', 'third', true, true],
      ['judge4', 'notes 4', false, false],
    ]);
    expect(seats[1]?.forfeit?.failure).toBe('timeout');
  });

  it('keeps the order of the seats where failures were put on record first, and has no others', () => {
    const entries = [forfeit(1, 'vote/voter12/forfeit', 'voter12'), vote(2, 2, 'a', 'voter2'), vote(3, 10, 'a', 'voter10')];
    expect(benchOf([vote(0, 0, 'a', 'clerk'), ...entries]).map(({ role }) => role)).toEqual(['voter2', 'voter10', 'voter12']);
  });

  it('shows by which rule the verdict was found, and nothing before there is one', () => {
    expect(votesOf([vote(1, 1, 'a')])).toBeNull();
    const votes = { asked: 2, counts: { a: 1, b: 1 }, failures: {}, decidedBy: 'confidence', mean: null } as const;
    const { moment: _moment, after: _after, notes: _notes, ...stated } = vote(2, 1, 'a');
    const ruling: Of<'ruling'> = { ...stated, kind: 'ruling', key: 'ruling', opinion: '', grounds: { verbal: null, votes } };
    expect(votesOf([ruling])).toEqual(votes);
    expect(ruleOf(votes)).toMatch(/tied.*higher sum of confidences/);
  });
});

describe('the dispute', () => {
  it('has the sides in the order in which they are read, each with its label', () => {
    const { pleadings } = disputeOf([
      sides,
      says(3, 'prosecutor', 'argument', 'for it'),
      forfeit(4, 'argument/attorney/forfeit', 'attorney'),
    ]);
    expect(pleadings.map(({ role, label, first, speech }) => [role, label, first, speech?.text ?? null])).toEqual([
      ['attorney', 'neutral', true, null],
      ['prosecutor', 'entailment', false, 'for it'],
    ]);
    expect(pleadings[0]?.forfeit?.failure).toBe('timeout');
    expect(assignmentText(sides)).toMatch(/named one label twice.*drawn by the seed/);
  });

  it('is empty before the hearing', () => {
    expect(disputeOf([])).toEqual({ hearing: null, assigned: null, pleadings: [], ambiguity: null });
  });

  it.each([
    [['a', 'a', 'b'], true, /^Ambiguous: .* 3 fresh hearings\.$/],
    [['a', null, 'b'], true, /1 of them failed\.$/],
    [['a', 'a', 'a'], false, /^Not ambiguous/],
    [['a', null, null], null, /is unknown: of 3 fresh hearings 2 failed/],
  ])('says of fresh hearings %j', (labels, ambiguous, words) => {
    expect(ambiguityText({ kind: 'ambiguity', seq: 1, key: 'ambiguity', role: 'clerk', labels, ambiguous })).toMatch(words);
  });
});

describe('precedents', () => {
  const share = (seq: number, number: number, text: string): Of<'share'> => ({
    kind: 'share',
    seq,
    key: `precedents/reason-${number}`,
    role: 'clerk',
    model: 'm',
    text,
    failure: null,
    rejected: null,
  });
  const retrieved: Of<'precedents'> = {
    kind: 'precedents',
    seq: 1,
    key: 'precedents',
    role: 'retriever',
    method: 'embeddings',
    model: 'e',
    precedents: [
      { case: null, label: 'a', similarity: 0.5, facts: null },
      { case: '2', label: 'b', similarity: -0.125, facts: [] },
    ],
    failure: null,
  };

  it('each have the reason that was written for them, not that of another', () => {
    const found = precedentsOf([retrieved, share(2, 2, 'second'), share(3, 3, 'of no one')]);
    expect(found?.precedents.map(({ number, label, reason }) => [number, label, reason?.text ?? null])).toEqual([
      [1, 'a', null],
      [2, 'b', 'second'],
    ]);
    expect(methodOf(retrieved)).toMatch(/embedding model/);
    expect(precedentsOf([share(2, 1, 'x')])).toBeNull();
  });

  it('say why there are fewer than there could be', () => {
    expect(shortfallOf(retrieved)).toBeNull();
    expect(shortfallOf({ ...retrieved, precedents: [] })).toBe('The training split has no other case of these labels.');
    expect(shortfallOf({ ...retrieved, withoutVector: 1 })).toMatch(
      /^1 training case of these labels has no vector, .* not be found\.$/,
    );
    expect(shortfallOf({ ...retrieved, precedents: [], withoutVector: 12 })).toMatch(
      /^12 training cases of these labels have no vector, .* So there are no precedents\.$/,
    );
    expect(shortfallOf({ ...retrieved, precedents: [], failure: 'overflow' })).toBeNull();
  });

  it('show a similarity with two digits', () => {
    expect([0.5, -0.125, 1].map(cosine)).toEqual(['0.50', '−0.13', '1.00']);
  });
});
