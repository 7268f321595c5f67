/**
 * What single protocols measure from step to step of a trial, from its trajectory: for figures over many trials.
 *
 * `exchange`: the measures of EVINCE's exchanges as they were recorded. `divergence`: of what both agents of EVINCE stated
 * and of their mixture, D_KL(T || P) with T certain of the true label ("SocraSynth and EVINCE", figure 7.5), in nats.
 * With such a T it is minus the logarithm of P(true label), and as a convex function never larger for a mixture than the
 * weighted mean of both: that a mixture lies below that mean is arithmetic and no finding. `opinion`: P(true label) of
 * Debate-Feedback's O_i and of the judge's own answer before smoothing. `reliability`: the mean rating of a round's
 * answers. `evaluation`: CRIT of SocraSynth's whole debate, as the claim of agent A, or the mean of the claims of both where
 * a trial has those.
 */

import type { Trace } from '../../shared/api/protocolFigures.ts';
import type { Belief, Truth } from '../../shared/domain.ts';
import { klDivergence } from '../beliefs/information.ts';
import { debateMeasures } from '../figures/exchangeMeasures.ts';
import { agents } from '../figures/exchanges.ts';
import type { BeliefStep, Trajectory } from './trajectory.ts';

/** One measure of one trial: step -> value, in the order of the steps. */
export interface TrialTrace extends Pick<Trace, 'kind' | 'measure' | 'of'> {
  readonly points: readonly { readonly step: string; readonly value: number }[];
}

const trace = (
  about: Pick<Trace, 'kind' | 'measure' | 'of'>,
  points: readonly { readonly step: string; readonly value: number | null | undefined }[],
): TrialTrace[] => {
  const known = points.flatMap(({ step, value }) => (value === null || value === undefined ? [] : [{ step, value }]));
  return known.length === 0 ? [] : [{ ...about, points: known }];
};

/** Of the measures of an exchange those that are drawn over many trials; a single trial shows them all. */
const overMany = new Set(['contentiousness', 'crit', 'wd', 'jsd', 'mi', 'nmi', 'entropy', 'mixtureEntropy', 'steadiness']);

/** The measures of an exchange that are followed over many trials, in the order in which they are shown. */
export const tracedMeasures = debateMeasures.filter(({ id }) => overMany.has(id));

const exchangeTraces = ({ exchanges }: Trajectory): TrialTrace[] =>
  tracedMeasures.flatMap(({ id, lines }) =>
    lines.flatMap(({ of, value }) =>
      trace(
        { kind: 'exchange', measure: id, of },
        exchanges.map((exchange, index) => ({
          step: String(exchange.round),
          value: value(exchange, exchanges[index - 1] ?? null),
        })),
      ),
    ),
  );

const beliefsOf = ({ steps }: Trajectory): ReadonlyMap<string, BeliefStep> =>
  new Map(steps.flatMap((step) => (step.moment === 'mixture' || step.moment === 'ruling' ? [] : [[step.key, step]])));

/** D_KL(T || P) over the labels, T being certain of the truth. */
function toTruth(belief: Belief | null, truth: string, labels: readonly string[]): number | null {
  if (belief === null || !labels.some((label) => (belief[label] ?? 0) > 0)) return null;
  return klDivergence(
    labels.map((label) => (label === truth ? 1 : 0)),
    labels.map((label) => belief[label] ?? 0),
  );
}

function divergenceTraces(trajectory: Trajectory, truth: Truth, labels: readonly string[]): TrialTrace[] {
  if (typeof truth !== 'string' || !labels.includes(truth)) return [];
  const { exchanges } = trajectory;
  const beliefs = beliefsOf(trajectory);
  const about = (of: string) => ({ kind: 'divergence', measure: 'toTruth', of }) as const;
  const ofAgent = (agent: (typeof agents)[number]) => {
    // An agent without a valid answer keeps its last one.
    let last: Belief | null = null;
    return exchanges.map(({ round }) => {
      const found = beliefs.get(`round-${round}/${agent}/belief`);
      if (found !== undefined) last = found.stated;
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

function feedbackTraces(trajectory: Trajectory, truth: Truth): TrialTrace[] {
  const { rounds } = trajectory;
  if (rounds.length === 0) return [];
  const reliability = trace(
    { kind: 'reliability', measure: 'mean', of: '' },
    rounds.map(({ round, mean }) => ({ step: String(round), value: mean })),
  );
  if (typeof truth !== 'string') return reliability;
  const beliefs = beliefsOf(trajectory);
  const share = (belief: Belief | null | undefined) => (belief == null ? null : (belief[truth] ?? 0));
  const initial = { step: '0', value: share(beliefs.get('initial/judge/belief')?.belief) };
  return [
    ...reliability,
    ...trace({ kind: 'opinion', measure: 'truth', of: 'opinion' }, [
      initial,
      ...rounds.map(({ round }) => ({ step: String(round), value: share(beliefs.get(`round-${round}/belief`)?.belief) })),
    ]),
    ...trace({ kind: 'opinion', measure: 'truth', of: 'judge' }, [
      initial,
      ...rounds.map(({ round, judge }) => ({ step: String(round), value: share(judge) })),
    ]),
  ];
}

function evaluationTraces({ evaluations }: Trajectory): TrialTrace[] {
  const found = evaluations.flatMap(({ key, score }) => {
    const [, step, ofB] = /^(?:round-)?(.+)\/critic(-b)?\/evaluation$/.exec(key) ?? [];
    return step === undefined ? [] : [{ step, score, isOfB: ofB !== undefined }];
  });
  const needed = found.some(({ isOfB }) => isOfB) ? 2 : 1;
  const points = [...Map.groupBy(found, ({ step }) => step)].map(([step, own]) => ({
    step,
    value: own.length < needed ? null : own.reduce((sum, { score }) => sum + score, 0) / own.length,
  }));
  return trace({ kind: 'evaluation', measure: 'crit', of: '' }, points);
}

/** Every trace of a trial. @param labels of the data set, in order */
export const tracesOf = (trajectory: Trajectory, truth: Truth, labels: readonly string[]): TrialTrace[] =>
  trajectory.exchanges.length > 0
    ? [...exchangeTraces(trajectory), ...divergenceTraces(trajectory, truth, labels)]
    : [...feedbackTraces(trajectory, truth), ...evaluationTraces(trajectory)];
