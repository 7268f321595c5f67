import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../shared/events.ts';
import { trialEvents, yes } from '../trajectory/trajectory.fixture.ts';
import { trajectoryOf } from '../trajectory/trajectory.ts';
import { verdictPath } from '../trajectory/verdictPath.ts';
import { persuasion } from './persuasion.ts';

const pathOf = (events: readonly RecordEvent[]) => verdictPath(trajectoryOf(events)) ?? { steps: [], initial: null };

describe('persuasion', () => {
  const { events } = trialEvents()
    .believes('judge', 'prior', 'NO', yes(0.25))
    .says('prosecutor', 'opening')
    .believes('judge', 'live', 'YES', yes(0.75), 'opening/prosecutor')
    .says('defense', 'opening')
    .believes('judge', 'live', 'YES', yes(0.625), 'opening/defense')
    .says('defense', 'closing')
    .believes('judge', 'live', 'YES', yes(0.875), 'closing/defense')
    .rules('judge', 'NO', yes(0));

  it('gives each speech its change of P(positive), and its sign by the side that spoke', () => {
    // 0.25 -> 0.75 by the prosecution: +0.5 towards YES. 0.75 -> 0.625 by the defense: 0.125 towards NO.
    // 0.625 -> 0.875 after the defense: 0.25 away from NO. The step to the ruling follows no speech.
    expect(persuasion(pathOf(events), 'YES')).toEqual([
      { side: 'prosecution', role: 'prosecutor', turn: 'opening', after: 'opening/prosecutor', change: 0.5, towards: 0.5 },
      { side: 'defense', role: 'defense', turn: 'opening', after: 'opening/defense', change: -0.125, towards: 0.125 },
      { side: 'defense', role: 'defense', turn: 'closing', after: 'closing/defense', change: 0.25, towards: -0.25 },
    ]);
  });

  it('follows the other label where that is the positive one', () => {
    expect(persuasion(pathOf(events), 'NO')).toMatchObject([{ change: -0.5 }, {}, {}]);
  });

  it('has no effect of a first speech without a prior', () => {
    const first = trialEvents()
      .says('prosecutor', 'opening')
      .believes('judge', 'live', 'YES', yes(0.75), 'opening/prosecutor')
      .rules('judge', 'YES', yes(0.75));
    expect(persuasion(pathOf(first.events), 'YES')).toEqual([]);
  });

  it('assigns no one a change over a step without a distribution, or without a speech', () => {
    const gap = trialEvents()
      .believes('judge', 'prior', 'NO', yes(0.5))
      .says('prosecutor', 'opening')
      .believes('judge', 'live', 'YES', null, 'opening/prosecutor')
      .says('defense', 'opening')
      .believes('judge', 'live', 'YES', yes(0.75), 'opening/defense')
      .believes('judge', 'live', 'YES', yes(0.5), 'opening/defense')
      .rules('judge', 'YES', yes(0.75));
    expect(persuasion(pathOf(gap.events), 'YES')).toEqual([]);
  });

  it('leaves out what was recalled, and speakers of no side have no direction', () => {
    const recalled = trialEvents()
      .believes('judge', 'prior', 'NO', yes(0.5))
      .says('witness', 'opening')
      .believes('judge', 'live', 'YES', yes(0.75), 'opening/witness')
      .believes('judge', 'retrospective', 'NO', yes(0), 'opening/witness')
      .rules('judge', 'YES', yes(0.75));
    expect(persuasion(pathOf(recalled.events), 'YES')).toEqual([
      { side: 'neutral', role: 'witness', turn: 'opening', after: 'opening/witness', change: 0.25, towards: null },
    ]);
  });

  it('has none for more than two labels', () => {
    const three = trialEvents()
      .believes('judge', 'prior', 'a', { a: 0.5, b: 0.25, c: 0.25 })
      .says('prosecutor', 'opening')
      .believes('judge', 'live', 'b', { a: 0.25, b: 0.5, c: 0.25 }, 'opening/prosecutor')
      .rules('judge', 'b', null);
    expect(persuasion(pathOf(three.events), null)).toEqual([]);
  });
});
