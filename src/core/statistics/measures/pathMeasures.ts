// What changed between first answer and verdict.
import { readOnce } from '../../../shared/remembered.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { heldSteps } from '../../trajectory/verdictPath.ts';
import { type answerChange, changeOf } from '../answerChanges.ts';
import { answerFlips, flips } from '../flips.ts';
import { persuasion } from '../persuasion.ts';
import { type PlannedMeasure, plannedEffect, plannedMean, plannedRatio, plannedShare } from './planned.ts';
import { type CasedTrials, type MeasuredTrial, ofReading } from './trials.ts';

const noInitial = 'no decided trial with a known truth and an answer before the verdict';
const noPath = 'no decided trial with two beliefs that were held one after the other';
const noSpeech = 'no speech between two beliefs that were held just before and just after it';
const recalled = 'the beliefs were recalled at the end and not held at the time';

type Change = ReturnType<typeof answerChange>;

const changeIn = (trial: MeasuredTrial): Change | null => changeOf(trial, trial.path?.initial ?? null);

const right: readonly Change[] = ['stayedRight', 'degraded'];
const wrong: readonly Change[] = ['corrected', 'stayedWrong'];

/** By the stated answer. */
function answerFlipsOf({ outcome, path = null }: MeasuredTrial) {
  if (outcome !== 'decided' || path === null) return null;
  return answerFlips(heldSteps(path).flatMap(({ prediction }) => (prediction === null ? [] : [prediction])));
}

/** By the label in front, or where several labels can be right by the named set. */
function flipsOf(trial: MeasuredTrial) {
  const { outcome, path = null } = trial;
  if (outcome !== 'decided' || path === null) return null;
  if (heldSteps(path).some(({ prediction }) => Array.isArray(prediction))) return answerFlipsOf(trial);
  return flips(heldSteps(path).flatMap(({ belief }) => (belief === null ? [] : [belief])));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Mean change of belief per speech: its size over all, and towards its own label by side and by turn. */
function speechMeasures(trials: CasedTrials, positive: string | null, none: string): PlannedMeasure[] {
  const read = readOnce(({ path = null }: MeasuredTrial) => (path === null ? [] : persuasion(path, positive)));
  const effects = trials.trials.flatMap(read);
  const turns = [...new Set(effects.map(({ turn }) => turn))];
  const options = { isShare: false, none };
  const towards = (side: 'prosecution' | 'defense', turn: string | null) =>
    plannedRatio(
      { name: 'persuasion', side, turn, over: 'speeches' },
      trials,
      (trial) => {
        const mine = read(trial).filter((effect) => effect.side === side && (turn === null || effect.turn === turn));
        return { sum: sum(mine.map((effect) => effect.towards ?? 0)), count: mine.length };
      },
      options,
    );
  return [
    plannedRatio(
      { name: 'belief_change', over: 'speeches' },
      trials,
      (trial) => {
        const mine = read(trial);
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

/** Of the accuracy: of the verdict less that of the first answer. */
const accuracyChange = ofReading(changeIn, (change) => Number(change === 'corrected') - Number(change === 'degraded'));

interface Part {
  readonly over: Measure['over'];
  readonly among: readonly Change[];
  readonly none: string;
}

/** What deliberation did: corrections and degradations, flips of the leading label or of the named set, and what each speech moved. */
export function pathMeasures(trials: CasedTrials, positive: string | null): PlannedMeasure[] {
  const onlyRecalled = trials.trials.some(({ path }) => path?.steps.some(({ moment }) => moment === 'recalled') ?? false);
  const why = (none: string) => (onlyRecalled ? recalled : none);
  const share = (
    name: string,
    wanted: readonly Change[],
    { over = 'initial-and-verdict', among = [...right, ...wrong], none = noInitial }: Partial<Part> = {},
  ) =>
    plannedShare(
      { name, over },
      trials,
      ofReading(changeIn, (change) => (among.includes(change) ? wanted.includes(change) : null)),
      why(none),
    );
  const flipsOver = (flipped: string, mean: string, read: typeof flipsOf) => {
    const [isFlipped, count] = [ofReading(read, (found) => found > 0), ofReading(read, (found) => found)];
    return [
      plannedShare({ name: flipped, over: 'paths' }, trials, isFlipped, why(noPath)),
      plannedMean({ name: mean, over: 'paths' }, trials, count, why(noPath)),
    ];
  };
  const ofWrong: Part = { over: 'initially-wrong', among: wrong, none: 'no decided trial that began with a wrong answer' };
  const ofRight: Part = { over: 'initially-right', among: right, none: 'no decided trial that began with a right answer' };
  return [
    share('initial_accuracy', right),
    share('verdict_accuracy', ['stayedRight', 'corrected']),
    plannedEffect({ name: 'accuracy_change', over: 'initial-and-verdict' }, trials, accuracyChange, why(noInitial)),
    share('corrections', ['corrected']),
    share('corrections_of_wrong', ['corrected'], ofWrong),
    share('degradations', ['degraded']),
    share('degradations_of_right', ['degraded'], ofRight),
    ...flipsOver('flipped', 'flips', flipsOf),
    ...flipsOver('answer_flipped', 'answer_flips', answerFlipsOf),
    ...speechMeasures(trials, positive, why(noSpeech)),
  ];
}
