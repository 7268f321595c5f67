import { describe, expect, it } from 'vitest';
import { courtItems, type TurnItem } from './courtItems.ts';
import { belief, call, close, line, ruling, utterance } from './testing/entries.ts';
import { headingOf } from './words.ts';

const done = line({ status: 'done', outcome: 'decided' });
const turnsOf = (items: ReturnType<typeof courtItems>) => items.filter((item): item is TurnItem => item.kind === 'turn');

describe('rows of a trial', () => {
  it('put beliefs beside what was said, and number turns of one name', () => {
    const items = courtItems({
      line: done,
      writing: [],
      entries: [
        belief(1, 'prior/judge/belief', { moment: 'prior' }),
        utterance(2, 'turn-1/defense/utterance', 'defense', { turn: 'rebuttal' }),
        belief(3, 'turn-1/after-defense/belief'),
        utterance(4, 'turn-2/defense/utterance', 'defense', { turn: 'rebuttal' }),
        ruling(5),
        close(6),
      ],
    });
    expect(items.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'turn', 'turn']);
    expect(turnsOf(items).map(headingOf)).toEqual([
      { who: 'Judge', what: 'before anyone spoke' },
      { who: 'Defense', what: 'rebuttal 1' },
      { who: 'Defense', what: 'rebuttal 2' },
      { who: 'Judge', what: 'ruling' },
    ]);
    expect(turnsOf(items)[1]?.beliefs.map(({ seq }) => seq)).toEqual([3]);
  });

  it('end with what is being written, or with waiting', () => {
    const entries = [utterance(2, 'turn-1/defense/utterance', 'defense')];
    const writing = [{ key: 'turn-1/after-defense/attempt-1', role: 'judge', text: '{' }];
    expect(courtItems({ line: line(), entries, writing }).map(({ kind }) => kind)).toEqual(['turn', 'writing']);
    expect(courtItems({ line: line(), entries, writing: [] }).map(({ kind }) => kind)).toEqual(['turn', 'waiting']);
    expect(courtItems({ line: done, entries, writing: [] }).map(({ kind }) => kind)).toEqual(['turn']);
  });

  it('tell how a trial without a verdict ended, with the calls that ended it', () => {
    const items = courtItems({
      line: line({ status: 'done', outcome: 'timeout' }),
      writing: [],
      entries: [call(1, 'answer/attempt-1', 'predictor', { failure: 'timeout' }), close(2, 'timeout')],
    });
    expect(items).toMatchObject([{ kind: 'end', close: { outcome: 'timeout' }, calls: [{ key: 'answer/attempt-1' }] }]);
  });

  it('keep their names while the transcript grows', () => {
    const first = utterance(2, 'turn-1/defense/utterance', 'defense');
    const [before] = courtItems({ line: line(), writing: [], entries: [first] });
    const [later] = courtItems({ line: line(), writing: [], entries: [first, belief(3, 'turn-1/after-defense/belief')] });
    expect(later?.id).toBe(before?.id);
  });
});
