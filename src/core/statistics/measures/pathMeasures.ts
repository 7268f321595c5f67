// What changed between first answer and verdict.
import type { Measure } from '../../../shared/statistics.ts';
import { heldSteps } from '../../trajectory/verdictPath.ts';
import { answerChange } from '../answerChanges.ts';
import { flips } from '../flips.ts';
import { type Persuasion, persuasion } from '../persuasion.ts';
import { setFlips } from '../setFlips.ts';
import { type PlannedMeasure, plannedRatio, plannedShare } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

const noInitial = 'no decided trial with a known truth and an answer before the verdict';
const noPath = 'no decided trial with two beliefs that were held one after the other';
const noSpeech = 'no speech between two beliefs that were held just before and just after it';
const recalled = 'the beliefs were recalled at the end and not held at the time';

type Change = ReturnType<typeof answerChange>;

function changeOf({ outcome, truth, prediction, path }: MeasuredTrial): Change | null {
  const initial = path?.initial ?? null;
  if (outcome !== 'decided' || truth === null || prediction === null || initial === null) return null;
  return answerChange({ truth, initial, verdict: prediction });
}

/** Share of one kind of change among some kinds. */
function plannedChange(
  trials: CasedTrials,
  [name, over]: [string, Measure['over']],
  wanted: Change,
  among: readonly Change[],
  none: string,
): PlannedMeasure {
  return plannedShare(
    { name, over },
    trials,
    (trial) => {
      const change = changeOf(trial);
      return change === null || !among.includes(change) ? null : change === wanted;
    },
    none,
  );
}

const everyChange = ['corrected', 'degraded', 'stayedRight', 'stayedWrong'] as const;

function flipsOf({ outcome, path }: MeasuredTrial) {
  if (outcome !== 'decided' || path === null) return null;
  const sets = heldSteps(path).flatMap(({ prediction }) => (Array.isArray(prediction) ? [prediction] : []));
  if (sets.length > 0) return setFlips(sets);
  return flips(heldSteps(path).flatMap(({ belief }) => (belief === null ? [] : [belief])));
}

function persuasionReader(positive: string | null): (trial: MeasuredTrial) => Persuasion | null {
  const known = new Map<MeasuredTrial, Persuasion | null>();
  return (trial) => {
    const found = known.get(trial);
    if (found !== undefined) return found;
    const read = trial.path === null ? null : persuasion(trial.path, positive);
    known.set(trial, read);
    return read;
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Mean change of belief per speech: its size over all, and towards its own label by side and by turn. */
function speechMeasures(trials: CasedTrials, positive: string | null, none: string): PlannedMeasure[] {
  const read = persuasionReader(positive);
  const effects = trials.trials.flatMap((trial) => read(trial)?.effects ?? []);
  const turns = [...new Set(effects.map(({ turn }) => turn))];
  const options = { isShare: false, none };
  const towards = (side: 'prosecution' | 'defense', turn: string | null) =>
    plannedRatio(
      { name: 'persuasion', side, turn, over: 'speeches' },
      trials,
      (trial) => {
        const mine = (read(trial)?.effects ?? []).filter(
          (effect) => effect.side === side && (turn === null || effect.turn === turn),
        );
        return { sum: sum(mine.map((effect) => effect.towards ?? 0)), count: mine.length };
      },
      options,
    );
  return [
    plannedRatio(
      { name: 'belief_change', over: 'speeches' },
      trials,
      (trial) => {
        const mine = read(trial)?.effects ?? [];
        return { sum: sum(mine.map(({ change }) => Math.abs(change))), count: mine.length };
      },
      options,
    ),
    ...(['prosecution', 'defense'] as const).flatMap((side) => [
      towards(side, null),
      ...turns.map((turn) => towards(side, turn)),
    ]),
  ];
}

/** What deliberation did: corrections and degradations, flips of the leading label or of the named set, and what each speech moved. */
export function pathMeasures(trials: CasedTrials, positive: string | null): PlannedMeasure[] {
  const onlyRecalled = trials.trials.some(({ path }) => path?.steps.some(({ moment }) => moment === 'recalled') ?? false);
  const why = (none: string) => (onlyRecalled ? recalled : none);
  const right = (name: string, among: readonly Change[]) =>
    plannedShare(
      { name, over: 'initial-and-verdict' },
      trials,
      (trial) => {
        const change = changeOf(trial);
        return change === null ? null : among.includes(change);
      },
      why(noInitial),
    );
  return [
    right('initial_accuracy', ['stayedRight', 'degraded']),
    right('verdict_accuracy', ['stayedRight', 'corrected']),
    plannedChange(trials, ['corrections', 'initial-and-verdict'], 'corrected', everyChange, why(noInitial)),
    plannedChange(
      trials,
      ['corrections_of_wrong', 'initially-wrong'],
      'corrected',
      ['corrected', 'stayedWrong'],
      why('no decided trial that began with a wrong answer'),
    ),
    plannedChange(trials, ['degradations', 'initial-and-verdict'], 'degraded', everyChange, why(noInitial)),
    plannedChange(
      trials,
      ['degradations_of_right', 'initially-right'],
      'degraded',
      ['degraded', 'stayedRight'],
      why('no decided trial that began with a right answer'),
    ),
    plannedShare(
      { name: 'flipped', over: 'paths' },
      trials,
      (trial) => {
        const found = flipsOf(trial);
        return found === null ? null : found.flips > 0;
      },
      why(noPath),
    ),
    plannedRatio(
      { name: 'flips', over: 'paths' },
      trials,
      (trial) => {
        const found = flipsOf(trial);
        return found === null ? null : { sum: found.flips, count: 1 };
      },
      { isShare: false, none: why(noPath) },
    ),
    ...speechMeasures(trials, positive, why(noSpeech)),
  ];
}
