import { describe, expect, it, test } from 'vitest';
import { type Block, spansOf } from '../../../core/telling/blocks.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { lastSteps, tailOf, turnsOf as turnsAround } from './courtItems.ts';
import { belief, call, close, line, ruling, share, utterance } from './testing/entries.ts';
import type { TrialState } from './trialState.ts';

const done = line({ status: 'done', outcome: 'decided' });
const turnsOf = (entries: readonly TranscriptEntry[]) => turnsAround({ entries, isCounterbalanced: false });
const kindsOf = (state: Pick<TrialState, 'entries' | 'line' | 'writing'>) =>
  [...turnsOf(state.entries), ...tailOf(state)].map(({ kind }) => kind);

/** The entries whose calls can be opened from a block. */
function callsIn(block: Block): number[] {
  if (block.kind === 'words')
    return spansOf(block.words).flatMap((span) => (typeof span === 'object' && 'callsOf' in span ? [span.callsOf] : []));
  if (block.kind === 'list') return block.items.flat().flatMap(callsIn);
  return block.kind === 'fold' ? block.blocks.flatMap(callsIn) : [];
}

test('while the run waits for its server, nothing is said to be written', () => {
  const writing = {
    ...{ key: 'judgement/judge/utterance', role: 'judge', text: '', pieces: 0 },
    ...{ sentAt: null, idleSeconds: 120, isAskedAgain: true },
  };
  const state = { entries: [], line: line({ status: 'running' }), writing: [{ ...writing, text: '{"a' }] };
  expect(tailOf(state).map(({ kind }) => kind)).toEqual(['writing']);
  expect(tailOf(state, true).map(({ kind }) => kind)).toEqual(['waiting']);
});

describe('rows of a trial', () => {
  it('show before a speech what was settled or looked up after the one above, with the calls behind it', () => {
    const turns = turnsOf([
      belief(1, 'hearing/clerk/belief', { role: 'clerk' }),
      share(2, 'ambiguity/hearing-1'),
      share(3, 'ambiguity/hearing-2', { attempts: 2 }),
      { kind: 'ambiguity', seq: 4, key: 'ambiguity', role: 'clerk', labels: ['YES', 'NO'], ambiguous: true },
      {
        ...{ kind: 'sides', seq: 5, key: 'sides', role: '', prediction: 'YES', alternative: 'NO' },
        ...{ alternativeFrom: 'two-labels', drawn: 'random', sides: {}, order: [] },
      },
      utterance(6, 'argument/attorney/utterance', 'attorney'),
      {
        ...{ kind: 'precedents', seq: 7, key: 'precedents', role: 'retriever', method: 'tf-idf', model: null, failure: null },
        precedents: [
          { case: null, label: 'NO', similarity: 0.5, facts: [] },
          { case: null, label: 'YES', similarity: 0.25, facts: [] },
        ],
      },
      share(8, 'precedents/reason-2'),
      belief(9, 'judgement/judge-1/belief', { role: 'judge1' }),
      utterance(10, 'judgement/judge-1/utterance', 'judge1'),
      ruling(11, 'judge1'),
    ]);
    const titled = turns.map(({ steps }) => steps.map(({ title, blocks }) => [title, blocks.flatMap(callsIn)]));
    expect(titled).toEqual([
      [],
      [
        ['Fresh hearings', [2, 3]],
        ['Sides', []],
      ],
      [['Precedents', [8]]],
      [],
    ]);
  });

  it('have the score of CRIT with its speech, and not with the one that comes next', () => {
    const scoreOf = (seq: number, subject: string): TranscriptEntry => ({
      ...{ kind: 'evaluation', seq, key: `round-1/critic-${seq}`, role: 'critic', subject, score: 5, evaluation: null },
    });
    const entries: TranscriptEntry[] = [
      utterance(1, 'round-1/agentA/utterance', 'agentA'),
      scoreOf(2, 'Agent A'),
      utterance(3, 'round-1/agentB/utterance', 'agentB'),
      scoreOf(4, 'Agent B'),
    ];
    const turns = turnsOf(entries);
    expect(turns.map(({ who, steps, scores }) => [who, steps.length, scores.map(({ title }) => title)])).toEqual([
      ['Agent A', 0, ['CRIT of Agent A']],
      ['Agent B', 0, ['CRIT of Agent B']],
    ]);
    expect(lastSteps({ entries, isCounterbalanced: false }, turns)).toEqual([]);
  });

  it('show after the last speech what was settled after it', () => {
    const entries: TranscriptEntry[] = [
      utterance(1, 'opening/agentA/utterance', 'agentA'),
      { kind: 'stop', seq: 2, key: 'debate/stop', role: '', rounds: 1, contentiousness: 0.5, reason: 'rounds' },
      belief(3, 'opening/agentA/belief', { role: 'agentA' }),
    ];
    const around = { entries, isCounterbalanced: false };
    expect(lastSteps(around, turnsAround(around))).toMatchObject([{ kind: 'steps', steps: [{ title: 'End of the rounds' }] }]);
    expect(lastSteps({ ...around, entries: entries.slice(0, 1) }, turnsAround(around))).toEqual([]);
  });

  it('put beliefs next to what was said, and number turns of one name', () => {
    const entries = [
      belief(1, 'prior/judge/belief', { moment: 'prior' }),
      utterance(2, 'turn-1/defense/utterance', 'defense', { turn: 'rebuttal' }),
      belief(3, 'turn-1/after-defense/belief'),
      utterance(4, 'turn-2/defense/utterance', 'defense', { turn: 'rebuttal' }),
      ruling(5),
      close(6),
    ];
    expect(turnsOf(entries)).toMatchObject([
      { who: 'Judge', what: 'before anyone spoke' },
      { who: 'Defense', what: 'rebuttal 1' },
      { who: 'Defense', what: 'rebuttal 2' },
      { who: 'Judge', what: 'ruling' },
    ]);
    expect(tailOf({ line: done, writing: [], entries })).toEqual([]);
    expect(turnsOf(entries)[1]?.beliefs.map(({ seq }) => seq)).toEqual([3]);
  });

  it('end with what is being written, or with waiting', () => {
    const entries = [utterance(2, 'turn-1/defense/utterance', 'defense')];
    const sent = { pieces: 1, sentAt: 0, idleSeconds: 120, isAskedAgain: true };
    const writing = [{ key: 'turn-1/after-defense/attempt-1', role: 'judge', text: '{', ...sent }];
    expect(kindsOf({ line: line(), entries, writing })).toEqual(['turn', 'writing']);
    expect(kindsOf({ line: line(), entries, writing: [] })).toEqual(['turn', 'waiting']);
    expect(kindsOf({ line: done, entries, writing: [] })).toEqual(['turn']);
  });

  it('show how a trial without a verdict ended, with the calls that ended it', () => {
    const items = tailOf({
      line: line({ status: 'done', outcome: 'timeout' }),
      writing: [],
      entries: [call(1, 'answer/attempt-1', 'predictor', { failure: 'timeout' }), close(2, 'timeout')],
    });
    expect(items).toMatchObject([{ kind: 'end', close: { outcome: 'timeout' }, calls: [{ key: 'answer/attempt-1' }] }]);
  });

  it('keep their names while the transcript grows', () => {
    const first = utterance(2, 'turn-1/defense/utterance', 'defense');
    const [before] = turnsOf([first]);
    const [later] = turnsOf([first, belief(3, 'turn-1/after-defense/belief')]);
    expect(later?.id).toBe(before?.id);
  });
});
