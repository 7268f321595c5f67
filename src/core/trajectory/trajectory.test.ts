import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../shared/events.ts';
import { trialEvents, yes } from './trajectory.fixture.ts';
import { trajectoryOf } from './trajectory.ts';
import { heldSteps, verdictPath } from './verdictPath.ts';

const pathOf = (events: readonly RecordEvent[]) => verdictPath(trajectoryOf(events));

describe('a speech is heard', () => {
  const asked = (key: string) => ({ kind: 'call-answer', payload: { key, attempts: 1 } });
  const said = (key: string) => ({ kind: 'utterance-make', payload: { key, role: 'agentA', turn: 'opening' } });
  const heardIn = (...events: readonly object[]) => trajectoryOf(events.map((event, seq) => ({ ...event, seq }) as never)).heard;

  it('by those who were asked after it, and not by those who were asked at the same time', () => {
    const [a, b] = [said('opening/agentA/all'), said('opening/agentB/all')];
    const openings = [asked('opening/agentA/attempt-1'), asked('opening/agentB/attempt-1'), a, b];
    expect(heardIn(...openings)).toEqual([]);
    // Both agree: what they propose together decides nothing.
    expect(heardIn(...openings, asked('proposal/agentA/attempt-1'))).toEqual([]);
    expect(heardIn(...openings, asked('round-1/agentA/attempt-1'), said('round-1/agentA/all'))).toEqual([
      'opening/agentA',
      'opening/agentB',
    ]);
  });

  it('as a whole, or not at all', () => {
    expect(heardIn(said('a/b/1'), asked('c/attempt-1'), said('a/b/2'))).toEqual([]);
  });
});

describe('verdictPath', () => {
  it('puts each belief by the one speech that it follows', () => {
    const { events } = trialEvents()
      .believes('judge', 'prior', 'NO', yes(0.4))
      .says('prosecutor', 'opening')
      .believes('judge', 'live', 'YES', yes(0.6), 'opening/prosecutor')
      .says('defense', 'opening')
      .believes('judge', 'live', 'NO', yes(0.45), 'opening/defense')
      .rules('judge', 'NO', yes(0.3));
    expect(pathOf(events)).toEqual({
      initial: 'NO',
      steps: [
        { moment: 'prior', prediction: 'NO', belief: yes(0.4), after: null, speech: null },
        {
          moment: 'live',
          prediction: 'YES',
          belief: yes(0.6),
          after: 'opening/prosecutor',
          speech: { role: 'prosecutor', turn: 'opening' },
        },
        {
          moment: 'live',
          prediction: 'NO',
          belief: yes(0.45),
          after: 'opening/defense',
          speech: { role: 'defense', turn: 'opening' },
        },
        { moment: 'ruling', prediction: 'NO', belief: yes(0.3), after: null, speech: null },
      ],
    });
  });

  it('assigns a change after two speeches, and one after a forfeited turn, to no role', () => {
    const { events } = trialEvents()
      .says('prosecutor', 'opening')
      .says('defense', 'opening')
      .believes('judge', 'live', 'NO', yes(0.4), 'opening/defense')
      .believes('judge', 'live', 'NO', yes(0.3), 'opening/defense')
      .rules('judge', 'NO', yes(0.3));
    expect(pathOf(events)?.steps.map(({ speech }) => speech)).toEqual([null, null, null]);
  });

  it('keeps what was recalled at the end apart, and never begins with it', () => {
    const { events } = trialEvents()
      .says('prosecutor', 'opening')
      .believes('judge', 'retrospective', 'YES', yes(0.9), 'opening/prosecutor')
      .rules('judge', 'NO', yes(0.2));
    const path = pathOf(events);
    expect(path?.initial).toBeNull();
    expect(path === null ? [] : heldSteps(path).map(({ moment }) => moment)).toEqual(['ruling']);
  });

  it("begins with another role's prior only where the deciding role held nothing before", () => {
    const hearing = trialEvents().believes('clerk', 'prior', 'A', null).rules('judge', 'B', null);
    expect(pathOf(hearing.events)?.initial).toBe('A');
    const both = trialEvents()
      .believes('clerk', 'prior', 'A', null)
      .believes('judge', 'live', 'C', null)
      .rules('judge', 'B', null);
    expect(pathOf(both.events)?.initial).toBe('C');
  });

  it('begins with a preliminary hearing, also where the judge who decides last has answered before', () => {
    const { events } = trialEvents()
      .believes('clerk', 'live', 'A', null, null, 'hearing/clerk/belief')
      .believes('judge3', 'live', 'B', null, null, 'judgement/judge-3/belief')
      .rules('judge3', 'B', null);
    expect(pathOf(events)?.initial).toBe('A');
  });

  it('is null without a ruling', () => {
    expect(pathOf(trialEvents().believes('judge', 'live', 'NO', yes(0.4)).events)).toBeNull();
  });
});

describe('trajectoryOf', () => {
  const script = () =>
    trialEvents()
      .says('prosecutor', 'opening')
      .believes('clerk', 'live', 'A', null, 'opening/prosecutor', 'clerk/belief')
      .says('defense', 'opening')
      .believes('judge', 'live', 'B', null, 'opening/defense', 'judge/belief')
      .believes('clerk', 'live', 'B', null, 'opening/defense', 'clerk/second-belief');

  it('has the steps of every role, each by the one speech since the same role answered', () => {
    const { steps } = trajectoryOf(script().events);
    expect(steps.map(({ key, role, speech }) => [key, role, speech?.role ?? null])).toEqual([
      ['clerk/belief', 'clerk', 'prosecutor'],
      ['judge/belief', 'judge', null],
      ['clerk/second-belief', 'clerk', 'defense'],
    ]);
  });

  it('gives a change to no speech where two were made since, or where the step names none', () => {
    const { steps } = trajectoryOf(
      trialEvents()
        .says('prosecutor', 'opening')
        .believes('judge', 'live', 'A', null)
        .says('defense', 'opening')
        .says('prosecutor', 'rebuttal')
        .believes('judge', 'live', 'B', null, 'opening/defense').events,
    );
    expect(steps.map(({ speech }) => speech)).toEqual([null, null]);
  });

  it('keeps what was said in words separate from the belief of the arm', () => {
    const grounds = { verbal: yes(0.9) };
    const { steps } = trajectoryOf(script().rules('judge', 'YES', yes(0.2), grounds).events);
    expect(steps.at(-1)).toMatchObject({ moment: 'ruling', belief: yes(0.2), stated: yes(0.9) });
  });

  it('is there without a ruling', () => {
    expect(trajectoryOf(script().events)).toMatchObject({ ruling: null, end: null, exchanges: [], assigned: null });
  });
});
