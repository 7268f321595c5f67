import { describe, expect, it } from 'vitest';
import { tailOf, turnsOf } from './courtItems.ts';
import { belief, call, close, line, ruling, utterance } from './testing/entries.ts';
import type { TrialState } from './trialState.ts';
import { headingOf } from './words.ts';

const done = line({ status: 'done', outcome: 'decided' });
const kindsOf = (state: Pick<TrialState, 'entries' | 'line' | 'writing'>) =>
  [...turnsOf(state.entries), ...tailOf(state)].map(({ kind }) => kind);

describe('rows of a trial', () => {
  it('put beliefs beside what was said, and number turns of one name', () => {
    const entries = [
      belief(1, 'prior/judge/belief', { moment: 'prior' }),
      utterance(2, 'turn-1/defense/utterance', 'defense', { turn: 'rebuttal' }),
      belief(3, 'turn-1/after-defense/belief'),
      utterance(4, 'turn-2/defense/utterance', 'defense', { turn: 'rebuttal' }),
      ruling(5),
      close(6),
    ];
    expect(turnsOf(entries).map(headingOf)).toEqual([
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
    const writing = [{ key: 'turn-1/after-defense/attempt-1', role: 'judge', text: '{' }];
    expect(kindsOf({ line: line(), entries, writing })).toEqual(['turn', 'writing']);
    expect(kindsOf({ line: line(), entries, writing: [] })).toEqual(['turn', 'waiting']);
    expect(kindsOf({ line: done, entries, writing: [] })).toEqual(['turn']);
  });

  it('tell how a trial without a verdict ended, with the calls that ended it', () => {
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
