import { benchSplits, changeKinds, type DeliberationFigures, type DeliberationStep } from '../../shared/api/deliberation.ts';
import type { Belief } from '../../shared/domain.ts';
import type { Resampling } from '../../shared/statistics.ts';
import { changeOf } from '../statistics/answerChanges.ts';
import { deliberationMeasures } from '../statistics/measures/deliberationMeasures.ts';
import { followedLabel, meanShare } from './beliefChanges.ts';
import { splitOf } from './benchVotes.ts';
import { type DeliberationTerms, type EndedTrial, flipsOf } from './endedTrials.ts';
import { inOrder, type PlacedStep } from './steps.ts';

/** Speeches beyond which single ones are not looked at. */
export const mostEffects = 3000;

function places<T>() {
  const known = new Map<string, number>();
  const list: T[] = [];
  const place = (name: string, thing: T): number => {
    const found = known.get(name);
    if (found !== undefined) return found;
    known.set(name, list.length);
    return list.push(thing) - 1;
  };
  return { list, place, find: (name: string) => known.get(name) ?? -1 };
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
const asNumber = (value: boolean | null) => (value === null ? -1 : value ? 1 : 0);
function changePlace({ line, decided }: EndedTrial): number {
  const change = changeOf(line, decided?.path.initial ?? null);
  return change === null ? -1 : changeKinds.indexOf(change);
}

type Follows = DeliberationFigures['follows'];

function followed(trials: readonly EndedTrial[], { labels, positive, multiLabel }: DeliberationTerms): Follows {
  if (multiLabel) {
    const isKnown = trials.some(({ line }) => Array.isArray(line.truth));
    return { rule: isKnown ? 'true-labels' : 'predicted-labels', label: null };
  }
  if (labels.length <= 2) return { rule: 'positive', label: followedLabel(labels, positive) ?? null };
  return { rule: trials.some(({ line }) => typeof line.truth === 'string') ? 'true' : 'predicted', label: null };
}

/** The labels whose probability a trial's lines show; none where it has no lines. More than one only where several can apply. */
function labelsOf({ line: { truth, prediction } }: EndedTrial, { rule, label }: Follows): readonly string[] {
  if (rule === 'positive') return label === null ? [] : [label];
  const own = rule === 'true' || rule === 'true-labels' ? truth : prediction;
  const ofSets = rule === 'true-labels' || rule === 'predicted-labels';
  if (Array.isArray(own)) return ofSets ? own : [];
  return ofSets || own === null ? [] : [own];
}

const shareOf = (belief: Belief, labels: readonly string[]) => rounded(Math.min(1, meanShare(belief, labels) ?? 0));

function columnsOf(trials: readonly EndedTrial[], terms: DeliberationTerms) {
  const arms = places<string>();
  for (const { name } of terms.arms) arms.place(name, name);
  const [cases, roles, outcomes] = [places<string>(), places<string>(), places<string>()];
  const steps = places<DeliberationStep>();
  const follows = followed(trials, terms);
  const labels = places<string>();
  for (const label of terms.labels) labels.place(label, label);
  const rows: DeliberationFigures['rows'] = {
    trial: [],
    arm: [],
    case: [],
    outcome: [],
    truth: [],
    correct: [],
    ambiguous: [],
    change: [],
    flips: [],
    lastFlip: [],
    recalled: [],
    split: [],
  };
  const lines: DeliberationFigures['lines'] = { row: [], role: [], rules: [], from: [] };
  const points: DeliberationFigures['points'] = { step: [], value: [] };
  const stepPlace = ({ name, side }: PlacedStep) => steps.place(name, { name, side });
  trials.forEach((trial, row) => {
    const { line, decided } = trial;
    const flipped = terms.multiLabel ? null : flipsOf(decided);
    rows.trial.push(line.trial);
    rows.arm.push(arms.find(line.arm));
    rows.case.push(cases.place(line.case, line.case));
    rows.outcome.push(outcomes.place(line.outcome ?? '', line.outcome ?? ''));
    rows.truth.push(typeof line.truth === 'string' ? labels.find(line.truth) : -1);
    rows.correct.push(asNumber(line.correct));
    rows.ambiguous.push(asNumber(line.ambiguous));
    rows.change.push(changePlace(trial));
    rows.flips.push(flipped?.flips ?? -1);
    rows.lastFlip.push(flipped?.last == null ? -1 : stepPlace(flipped.last));
    rows.recalled.push(decided?.path.steps.some(({ moment }) => moment === 'recalled') === true ? 1 : 0);
    const split = decided?.votes == null ? null : splitOf(decided.votes);
    rows.split.push(split === null ? -1 : benchSplits.indexOf(split));
    const followedLabels = labelsOf(trial, follows);
    if (followedLabels.length === 0 || decided === null) return;
    for (const { role, rules, points: held } of decided.lines) {
      lines.row.push(row);
      lines.role.push(roles.place(role, role));
      lines.rules.push(rules ? 1 : 0);
      lines.from.push(points.step.length);
      for (const { step, belief } of held) {
        points.step.push(stepPlace(step));
        points.value.push(shareOf(belief, followedLabels));
      }
    }
  });
  const byArm = Map.groupBy(trials, ({ line }) => line.arm);
  const stepsOf = (arm: string) =>
    inOrder(
      (byArm.get(arm) ?? []).flatMap(({ decided }) => (decided?.lines ?? []).map((line) => line.points.map(({ step }) => step))),
    ).map(stepPlace);
  return {
    arms: terms.arms.map(({ name, protocol }) => ({ name, protocol, steps: stepsOf(name) })),
    cases: cases.list,
    roles: roles.list,
    steps: steps.list,
    outcomes: outcomes.list,
    follows,
    rows,
    lines,
    points,
  };
}

function effectsOf(trials: readonly EndedTrial[]): DeliberationFigures['effects'] {
  const found = trials.flatMap(({ decided }, row) =>
    (decided?.persuasion ?? []).flatMap(({ side, turn, towards }) =>
      side === 'neutral' || towards === null ? [] : [{ row, side, turn, towards: rounded(towards) }],
    ),
  );
  const shown = found.length > mostEffects ? [] : found;
  return {
    row: shown.map(({ row }) => row),
    side: shown.map(({ side }) => side),
    turn: shown.map(({ turn }) => turn),
    towards: shown.map(({ towards }) => towards),
    leftOut: found.length - shown.length,
  };
}

export function deliberationFigures(
  trials: readonly EndedTrial[],
  terms: DeliberationTerms,
  resampling: Resampling,
): DeliberationFigures {
  const { follows, ...columns } = columnsOf(trials, terms);
  return {
    trials: trials.length,
    labels: [...terms.labels],
    positive: terms.positive,
    follows,
    ...columns,
    effects: effectsOf(trials),
    measures: deliberationMeasures(trials, terms, columns, resampling),
  };
}
