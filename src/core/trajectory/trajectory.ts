/** The course of one attempt of a trial: one pass over its events at its end, which statistics, figures and filters all read. */

import { z } from 'zod';
import { panelSchema } from '../../shared/api/protocolFigures.ts';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { beliefGroundsSchema, beliefSchema, predictionSchema } from '../../shared/domain.ts';
import { type EventKind, type EventPayload, eventSchemas, type RecordEvent } from '../../shared/events.ts';
import { answerCountsSchema } from '../../shared/statistics.ts';
import { speechOf } from '../record/withheld.ts';
import { countAnswers } from '../statistics/answerCounts.ts';

/** Raised by any change after which a record gives another trajectory, statistic or figure: stored ones are computed again. */
export const computation = 16;

const speechSchema = z.strictObject({ role: z.string(), turn: z.string() });

const stepSchema = z.strictObject({
  seq: z.int(),
  key: z.string(),
  role: z.string(),
  /** `recalled`: stated later about an earlier moment. `mixture`: computed from both agents' beliefs. */
  moment: z.enum(['prior', 'live', 'recalled', 'mixture', 'ruling']),
  prediction: predictionSchema,
  /** Null where there is no distribution. */
  belief: beliefSchema.nullable(),
  /** The distribution in the speaker's own words, with any source of beliefs; of a ruling only if its grounds have it. */
  stated: beliefSchema.nullable(),
  /** Key of the utterance that it follows; null for a prior, and for what follows none. */
  after: z.string().nullable(),
  /** The one speech that was made since the role's last step; null where there was none, or more than one. */
  speech: speechSchema.nullable(),
});
export type BeliefStep = z.infer<typeof stepSchema>;

/** Every field is in the order of the record. It holds no text: only labels, numbers, roles and references. */
export const trajectorySchema = z.strictObject({
  steps: z.array(stepSchema),
  speeches: z.array(speechSchema),
  /** Keys of the speeches that somebody heard whose answer can count for the verdict: one who was asked after them. */
  heard: z.array(z.string()),
  /** Who argues for which label, and the order of reading, where the trial settles that itself. */
  assigned: eventSchemas['side-assign'].pick({ sides: true, order: true }).nullable(),
  /** Null for a trial without its own ruling. */
  ruling: z.strictObject({ role: z.string(), votes: beliefGroundsSchema.shape.votes.unwrap().nullable() }).nullable(),
  exchanges: z.array(eventSchemas['exchange-measure']),
  /** `judge`: the judge's own belief, before smoothing. */
  rounds: z.array(
    eventSchemas['round-settle'].pick({ round: true, result: true, mean: true }).extend({ judge: beliefSchema.nullable() }),
  ),
  /** CRIT of a whole debate, by key. */
  evaluations: z.array(eventSchemas['argument-evaluate'].pick({ key: true, score: true })),
  /** Where a debate ended and why; null where it did not, and in trials that are no such debate. */
  end: z.strictObject({ rounds: z.number(), reason: z.string() }).nullable(),
  /** The sheets of a panel; none where there was no panel. */
  sheets: panelSchema.shape.sheets,
  /** Reference to the subtopics that hold; null where none were settled. */
  subtopics: z.string().nullable(),
  answers: answerCountsSchema,
});
export type Trajectory = z.infer<typeof trajectorySchema>;

export const trajectoryKinds = [
  'trial-open',
  'side-assign',
  'call-answer',
  'utterance-make',
  'belief-update',
  'exchange-measure',
  'round-settle',
  'argument-evaluate',
  'subtopics-settle',
  'debate-stop',
  'panel-score',
  'ruling-give',
  'prediction-import',
] as const satisfies readonly EventKind[];

const moments = { prior: 'prior', live: 'live', retrospective: 'recalled' } as const;

function payloads<K extends EventKind>(events: readonly RecordEvent[], kind: K): EventPayload<K>[] {
  return events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));
}

type Of<K extends EventKind, Field extends keyof EventPayload<K>> = { readonly seq: number } & Pick<EventPayload<K>, Field>;

/** What steps are made from: what a transcript has of these events, and nothing of its other entries. */
type Entry =
  | ({ readonly kind: 'utterance' } & Of<'utterance-make', 'key' | 'role' | 'turn'>)
  | ({ readonly kind: 'belief' } & Of<'belief-update', 'key' | 'role' | 'moment' | 'after' | 'prediction' | 'belief' | 'grounds'>)
  | ({ readonly kind: 'exchange' } & Of<'exchange-measure', 'key' | 'mixture'>)
  | ({ readonly kind: 'ruling' } & Of<'ruling-give', 'key' | 'role' | 'prediction' | 'belief' | 'grounds'>)
  | { readonly kind: Exclude<TranscriptEntry['kind'], 'utterance' | 'belief' | 'exchange' | 'ruling'> };

/** Who held the opinions of a trial that was imported with them. */
const importedRole = 'system';

/** Imported opinions, and the prediction as their result; nothing where none were imported. */
function importedCourse(seq: number, { course, prediction, belief }: EventPayload<'prediction-import'>): Entry[] {
  if (course === undefined) return [];
  const about = { seq, role: importedRole } as const;
  const opinions = course.flatMap((label, place): Entry[] =>
    label === null
      ? []
      : [{ ...about, kind: 'belief', key: `opinion-${place + 1}`, moment: 'live', after: null, prediction: label, belief: null }],
  );
  return [...opinions, { ...about, kind: 'ruling', key: 'prediction', prediction, belief: belief ?? null }];
}

function entriesIn({ seq, kind, payload }: RecordEvent): Entry[] {
  switch (kind) {
    case 'utterance-make':
      return [{ kind: 'utterance', seq, ...payload }];
    case 'belief-update':
      return [{ kind: 'belief', seq, ...payload }];
    case 'exchange-measure':
      return [{ kind: 'exchange', seq, ...payload }];
    case 'ruling-give':
      return [{ kind: 'ruling', seq, ...payload }];
    case 'prediction-import':
      return importedCourse(seq, payload);
    default:
      return [];
  }
}

/**
 * What every role answered, step by step; a trial that is under way may be given as far as it goes. A step has a speech only
 * if it is the only one since the role's step before, and if the step says that it follows this speech: a change after two
 * speeches, or after a forfeited turn, has none.
 */
export function stepsOf(entries: readonly Entry[]): BeliefStep[] {
  const steps: BeliefStep[] = [];
  const speeches: Extract<Entry, { kind: 'utterance' }>[] = [];
  /** Role -> how many speeches had been made at its last step. */
  const heard = new Map<string, number>();
  const alone = { after: null, speech: null };
  for (const entry of entries) {
    if (entry.kind === 'utterance') speeches.push(entry);
    if (entry.kind === 'exchange') {
      const { seq, key, mixture: belief } = entry;
      steps.push({ seq, key, role: 'mixture', moment: 'mixture', prediction: null, belief, stated: belief, ...alone });
    }
    if (entry.kind === 'ruling') {
      const { seq, key, role, prediction, belief, grounds } = entry;
      steps.push({ seq, key, role, moment: 'ruling', prediction, belief, stated: grounds?.verbal ?? null, ...alone });
      heard.set(role, speeches.length);
    }
    if (entry.kind !== 'belief') continue;
    const { seq, key, role, prediction, belief, grounds, after } = entry;
    const moment = moments[entry.moment];
    const [only, ...others] = speeches.slice(heard.get(role) ?? 0);
    const follows = only !== undefined && others.length === 0 && moment === 'live' && after === only.key;
    const speech = follows ? { role: only.role, turn: only.turn } : null;
    const stated = grounds === undefined ? belief : grounds.verbal;
    steps.push({ seq, key, role, moment, prediction, belief, stated, after, speech });
    if (moment !== 'recalled') heard.set(role, speeches.length);
  }
  return steps;
}

/** Steps of SocraSynth that follow the decision: the joint proposal, and how the debate compares with a plain answer. */
const afterDecision = /^(?:proposal|answer|comparison)\//;

interface CallOrUtterance {
  readonly kind: 'call' | 'utterance';
  readonly key: string;
}

/** Keys of the speeches that somebody heard whose answer can count for the verdict. @param told what an attempt has of both, in order */
export function heardAmong(told: readonly CallOrUtterance[]): string[] {
  const lastCall = told.findLastIndex(({ kind, key }) => kind === 'call' && !afterDecision.test(key));
  const keys = (from: number, to?: number) =>
    new Set(told.slice(from, to).flatMap(({ kind, key }) => (kind === 'utterance' ? [speechOf(key)] : [])));
  // A speech of several utterances is heard where all of them are.
  return lastCall < 0 ? [] : [...keys(0, lastCall).difference(keys(lastCall))];
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
  const end = endIn(events);
  const hasCourse = payloads(events, 'prediction-import').some(({ course }) => course !== undefined);
  const importedRuling = hasCourse ? { role: importedRole, votes: null } : null;
  return {
    steps: stepsOf(events.flatMap(entriesIn)),
    speeches: payloads(events, 'utterance-make').map(({ role, turn }) => ({ role, turn })),
    heard: heardAmong(
      events.flatMap(({ kind, payload }): CallOrUtterance[] => {
        if (kind === 'call-answer') return [{ kind: 'call', key: payload.key }];
        return kind === 'utterance-make' ? [{ kind: 'utterance', key: payload.key }] : [];
      }),
    ),
    assigned: assigned === undefined ? null : { sides: assigned.sides, order: assigned.order },
    ruling: ruling === undefined ? importedRuling : { role: ruling.role, votes: ruling.grounds?.votes ?? null },
    exchanges: payloads(events, 'exchange-measure'),
    rounds: payloads(events, 'round-settle').map(({ round, result, mean, judge }) => ({
      round,
      result,
      mean,
      judge: judge?.belief ?? null,
    })),
    evaluations: payloads(events, 'argument-evaluate').map(({ key, score }) => ({ key, score })),
    end,
    sheets: payloads(events, 'panel-score').map(({ role, order, scores, winner, declared }) => ({
      role,
      first: order[0],
      scores,
      winner,
      declared,
    })),
    subtopics: payloads(events, 'subtopics-settle').at(-1)?.subtopics ?? null,
    answers: {
      ...countAnswers(payloads(events, 'call-answer')),
      ...(end === null ? {} : { ended_early: { trials: Number(end.reason !== 'rounds'), of: 1 } }),
    },
  };
}
