/**
 * What single protocols measure from step to step of a trial, from its events: for figures over many trials.
 *
 * `exchange`: the measures of EVINCE's exchanges as they were recorded. `divergence`: of what both agents of EVINCE stated
 * and of their mixture, D_KL(T || P) with T certain of the true label ("SocraSynth and EVINCE", figure 7.5), in nats.
 * With such a T it is minus the logarithm of P(true label), and as a convex function never larger for a mixture than the
 * weighted mean of both: that a mixture lies below that mean is arithmetic and no finding. `opinion`: P(true label) of
 * Debate-Feedback's O_i and of the judge's own answer before smoothing. `reliability`: the mean rating of a round's
 * answers. `evaluation`: CRIT of SocraSynth's whole debate; there is one score of both sides together.
 */

import type { ProtocolFigures, Trace } from '../../shared/api/protocolFigures.ts';
import type { Belief, Truth } from '../../shared/domain.ts';
import type { EventKind, EventPayload, RecordEvent } from '../../shared/events.ts';
import { klDivergence } from '../beliefs/klDivergence.ts';
import { debateMeasures } from './exchangeMeasures.ts';
import { agents } from './exchanges.ts';

/** Kinds of events that are read. */
export const tracedKinds = [
  'trial-open',
  'belief-update',
  'exchange-measure',
  'round-settle',
  'argument-evaluate',
  'subtopics-settle',
  'debate-stop',
  'panel-score',
] as const satisfies readonly EventKind[];

/** One measure of one trial: step -> value, in the order of the steps. */
export interface TrialTrace extends Pick<Trace, 'kind' | 'measure' | 'of'> {
  readonly points: readonly { readonly step: string; readonly value: number }[];
}

type Exchange = EventPayload<'exchange-measure'>;

function payloads<K extends EventKind>(events: readonly RecordEvent[], kind: K): EventPayload<K>[] {
  return events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));
}

const trace = (
  about: Pick<Trace, 'kind' | 'measure' | 'of'>,
  points: readonly { readonly step: string; readonly value: number | null | undefined }[],
): TrialTrace[] => {
  const known = points.flatMap(({ step, value }) => (value === null || value === undefined ? [] : [{ step, value }]));
  return known.length === 0 ? [] : [{ ...about, points: known }];
};

/** Of the measures of an exchange those that are drawn over many trials; a single trial shows them all. */
const overMany = new Set(['contentiousness', 'crit', 'wd', 'jsd', 'mi', 'nmi', 'entropy', 'mixtureEntropy']);

/** The measures of an exchange that are followed over many trials, in the order in which they are told. */
export const tracedMeasures = debateMeasures.filter(({ id }) => overMany.has(id));

const exchangeTraces = (exchanges: readonly Exchange[]): TrialTrace[] =>
  tracedMeasures.flatMap(({ id, lines }) =>
    lines.flatMap(({ of, value }) =>
      trace(
        { kind: 'exchange', measure: id, of },
        exchanges.map((exchange) => ({
          step: String(exchange.round),
          value: value({ kind: 'exchange', seq: 0, role: '', ...exchange }),
        })),
      ),
    ),
  );

/** What a belief says in the speaker's own words, whatever the source of the arm's beliefs. */
const statedOf = ({ belief, grounds }: EventPayload<'belief-update'>) => (grounds === undefined ? belief : grounds.verbal);

/** D_KL(T || P) over the labels, T being certain of the truth. */
function toTruth(belief: Belief | null, truth: string, labels: readonly string[]): number | null {
  if (belief === null || !labels.some((label) => (belief[label] ?? 0) > 0)) return null;
  return klDivergence(
    labels.map((label) => (label === truth ? 1 : 0)),
    labels.map((label) => belief[label] ?? 0),
  );
}

function divergenceTraces(
  events: readonly RecordEvent[],
  exchanges: readonly Exchange[],
  truth: Truth,
  labels: readonly string[],
) {
  if (typeof truth !== 'string' || !labels.includes(truth)) return [];
  const beliefs = new Map(payloads(events, 'belief-update').map((belief) => [belief.key, belief]));
  const about = (of: string) => ({ kind: 'divergence', measure: 'toTruth', of }) as const;
  const ofAgent = (agent: (typeof agents)[number]) => {
    // An agent without a valid answer stands where it stood.
    let last: Belief | null = null;
    return exchanges.map(({ round }) => {
      const found = beliefs.get(`round-${round}/${agent}/belief`);
      if (found !== undefined) last = statedOf(found);
      return { step: String(round), value: toTruth(last, truth, labels) };
    });
  };
  return [
    ...agents.flatMap((agent) => trace(about(agent.slice(-1)), ofAgent(agent))),
    ...trace(
      about('mixture'),
      exchanges.map(({ round, mixture }) => ({ step: String(round), value: toTruth(mixture, truth, labels) })),
    ),
  ];
}

function feedbackTraces(events: readonly RecordEvent[], truth: Truth): TrialTrace[] {
  const rounds = payloads(events, 'round-settle');
  if (rounds.length === 0) return [];
  const reliability = trace(
    { kind: 'reliability', measure: 'mean', of: '' },
    rounds.map(({ round, mean }) => ({ step: String(round), value: mean })),
  );
  if (typeof truth !== 'string') return reliability;
  const beliefs = new Map(payloads(events, 'belief-update').map(({ key, belief }) => [key, belief]));
  const share = (belief: Belief | null | undefined) => (belief == null ? null : (belief[truth] ?? 0));
  const initial = { step: '0', value: share(beliefs.get('initial/judge/belief')) };
  return [
    ...reliability,
    ...trace({ kind: 'opinion', measure: 'truth', of: 'opinion' }, [
      initial,
      ...rounds.map(({ round }) => ({ step: String(round), value: share(beliefs.get(`round-${round}/belief`)) })),
    ]),
    ...trace({ kind: 'opinion', measure: 'truth', of: 'judge' }, [
      initial,
      ...rounds.map(({ round, judge }) => ({ step: String(round), value: share(judge?.belief) })),
    ]),
  ];
}

const evaluationTraces = (events: readonly RecordEvent[]): TrialTrace[] =>
  trace(
    { kind: 'evaluation', measure: 'crit', of: '' },
    payloads(events, 'argument-evaluate').flatMap(({ key, score }) => {
      const step = /^(?:round-)?(.+)\/critic\/evaluation$/.exec(key)?.[1];
      return step === undefined ? [] : [{ step, value: score }];
    }),
  );

/** Every trace of a trial. @param labels of the data set, in order */
export function tracesOf(events: readonly RecordEvent[], truth: Truth, labels: readonly string[]): TrialTrace[] {
  const exchanges = payloads(events, 'exchange-measure');
  return exchanges.length > 0
    ? [...exchangeTraces(exchanges), ...divergenceTraces(events, exchanges, truth, labels)]
    : [...feedbackTraces(events, truth), ...evaluationTraces(events)];
}

/** Where a debate ended and why; null where it did not, and in trials that are no such debate. */
export function endIn(events: readonly RecordEvent[]): { readonly rounds: number; readonly reason: string } | null {
  const exchange = payloads(events, 'exchange-measure').at(-1);
  if (exchange !== undefined) return exchange.stop === null ? null : { rounds: exchange.round, reason: exchange.stop };
  const stop = payloads(events, 'debate-stop').at(-1);
  return stop === undefined ? null : { rounds: stop.rounds, reason: stop.reason };
}

/** What became of each round of a debate whose answers are rated. */
export const settlementsIn = (
  events: readonly RecordEvent[],
): Pick<ProtocolFigures['settlements'][number], 'round' | 'result'>[] =>
  payloads(events, 'round-settle').map(({ round, result }) => ({ round, result }));

/** The sheets of a panel; none where there was no panel. */
export const sheetsIn = (events: readonly RecordEvent[]): ProtocolFigures['panels'][number]['sheets'] =>
  payloads(events, 'panel-score').map(({ role, order, scores, winner, declared }) => ({
    role,
    first: order[0],
    scores,
    winner,
    declared,
  }));

/** Ref of the subtopics that hold; null where none were settled. */
export const subtopicsIn = (events: readonly RecordEvent[]): string | null =>
  payloads(events, 'subtopics-settle').at(-1)?.subtopics ?? null;
