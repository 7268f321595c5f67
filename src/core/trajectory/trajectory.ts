/** The course of one attempt of a trial: one pass over its events, which statistics, figures and filters all read. */

import type { ProtocolFigures } from '../../shared/api/protocolFigures.ts';
import type { Belief, BeliefGrounds, Prediction } from '../../shared/domain.ts';
import type { EventKind, EventPayload, RecordEvent } from '../../shared/events.ts';

/** What a role answered about the case at one moment. */
export interface BeliefStep {
  /** Key in the record. */
  readonly key: string;
  readonly role: string;
  /**
   * `recalled`: stated at the end about an earlier moment; never one sequence with what was held at the time.
   * `mixture`: computed from what both agents of an exchange hold.
   */
  readonly moment: 'prior' | 'live' | 'recalled' | 'mixture' | 'ruling';
  readonly prediction: Prediction;
  /** Null where there is no distribution. */
  readonly belief: Belief | null;
  /** The distribution in the speaker's own words, whatever the arm's source of beliefs; of a ruling only where its grounds have it. */
  readonly stated: Belief | null;
  /** The one speech that was made since the role's last step; null where there was none, or more than one. */
  readonly speech: Speech | null;
}

export interface Speech {
  readonly role: string;
  readonly turn: string;
}

/** Every field is in the order of the record. It holds no text: only labels, numbers, roles and references. */
export interface Trajectory {
  readonly steps: readonly BeliefStep[];
  readonly speeches: readonly Speech[];
  /** Who argues for which label, and the order of reading, where the trial settles that itself. */
  readonly assigned: Pick<EventPayload<'side-assign'>, 'sides' | 'order'> | null;
  /** Null for a trial without a ruling of its own. */
  readonly ruling: { readonly role: string; readonly votes: NonNullable<BeliefGrounds['votes']> | null } | null;
  readonly exchanges: readonly EventPayload<'exchange-measure'>[];
  /** `judge`: the judge's own belief, before smoothing. */
  readonly rounds: readonly (Pick<EventPayload<'round-settle'>, 'round' | 'result' | 'mean'> & {
    readonly judge: Belief | null;
  })[];
  /** CRIT of a whole debate, by key. */
  readonly evaluations: readonly Pick<EventPayload<'argument-evaluate'>, 'key' | 'score'>[];
  /** Where a debate ended and why; null where it did not, and in trials that are no such debate. */
  readonly end: { readonly rounds: number; readonly reason: string } | null;
  /** The sheets of a panel; none where there was no panel. */
  readonly sheets: ProtocolFigures['panels'][number]['sheets'];
  /** Reference to the subtopics that hold; null where none were settled. */
  readonly subtopics: string | null;
}

/** Kinds of events that a trajectory is made from. */
export const trajectoryKinds = [
  'trial-open',
  'side-assign',
  'utterance-make',
  'belief-update',
  'exchange-measure',
  'round-settle',
  'argument-evaluate',
  'subtopics-settle',
  'debate-stop',
  'panel-score',
  'ruling-give',
] as const satisfies readonly EventKind[];

const moments = { prior: 'prior', live: 'live', retrospective: 'recalled' } as const;

function payloads<K extends EventKind>(events: readonly RecordEvent[], kind: K): EventPayload<K>[] {
  return events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));
}

/**
 * A speech stands by a step only where it is the only one since the role's step before, and where the step says that it
 * follows this speech: a change after two speeches, or after a forfeited turn, is nobody's.
 */
function stepsIn(events: readonly RecordEvent[]): BeliefStep[] {
  const steps: BeliefStep[] = [];
  const speeches: EventPayload<'utterance-make'>[] = [];
  /** Role -> how many speeches had been made at its last step. */
  const heard = new Map<string, number>();
  for (const { kind, payload } of events) {
    if (kind === 'utterance-make') speeches.push(payload);
    if (kind === 'exchange-measure') {
      const { key, mixture } = payload;
      steps.push({ key, role: 'mixture', moment: 'mixture', prediction: null, belief: mixture, stated: mixture, speech: null });
    }
    if (kind === 'ruling-give') {
      const { key, role, prediction, belief, grounds } = payload;
      steps.push({ key, role, moment: 'ruling', prediction, belief, stated: grounds?.verbal ?? null, speech: null });
      heard.set(role, speeches.length);
    }
    if (kind !== 'belief-update') continue;
    const { key, role, prediction, belief, grounds, after } = payload;
    const moment = moments[payload.moment];
    const [only, ...others] = speeches.slice(heard.get(role) ?? 0);
    const follows = only !== undefined && others.length === 0 && moment === 'live' && after === only.key;
    const speech = follows ? { role: only.role, turn: only.turn } : null;
    steps.push({ key, role, moment, prediction, belief, stated: grounds === undefined ? belief : grounds.verbal, speech });
    if (moment !== 'recalled') heard.set(role, speeches.length);
  }
  return steps;
}

function endIn(events: readonly RecordEvent[]): Trajectory['end'] {
  const exchange = payloads(events, 'exchange-measure').at(-1);
  if (exchange !== undefined) return exchange.stop === null ? null : { rounds: exchange.round, reason: exchange.stop };
  const stop = payloads(events, 'debate-stop').at(-1);
  return stop === undefined ? null : { rounds: stop.rounds, reason: stop.reason };
}

/** @param events of one attempt, in order; those of `trajectoryKinds` suffice */
export function trajectoryOf(events: readonly RecordEvent[]): Trajectory {
  const assigned = payloads(events, 'side-assign').at(-1);
  const ruling = payloads(events, 'ruling-give').at(-1);
  return {
    steps: stepsIn(events),
    speeches: payloads(events, 'utterance-make').map(({ role, turn }) => ({ role, turn })),
    assigned: assigned === undefined ? null : { sides: assigned.sides, order: assigned.order },
    ruling: ruling === undefined ? null : { role: ruling.role, votes: ruling.grounds?.votes ?? null },
    exchanges: payloads(events, 'exchange-measure'),
    rounds: payloads(events, 'round-settle').map(({ round, result, mean, judge }) => ({
      round,
      result,
      mean,
      judge: judge?.belief ?? null,
    })),
    evaluations: payloads(events, 'argument-evaluate').map(({ key, score }) => ({ key, score })),
    end: endIn(events),
    sheets: payloads(events, 'panel-score').map(({ role, order, scores, winner, declared }) => ({
      role,
      first: order[0],
      scores,
      winner,
      declared,
    })),
    subtopics: payloads(events, 'subtopics-settle').at(-1)?.subtopics ?? null,
  };
}
