// An arm over several data sets: each set by itself, and the mean over them.

import type { StudyReport } from '../../../shared/commandOutputs.ts';
import type { Measure, Resampling } from '../../../shared/statistics.ts';
import { meanOverSets } from '../meanOverSets.ts';
import { isSame } from '../sameNumber.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { estimates, gapText, missingEstimate } from './estimates.ts';
import { macroF1Measure } from './labelMeasures.ts';
import type { PlannedMeasure } from './planned.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

export interface ArmOnSet {
  readonly planned: number;
  readonly trials: readonly MeasuredTrial[];
  readonly terms: Pick<CaseTerms, 'labels'>;
}

type Row = Omit<StudyReport['arms'][number], 'arm'>;
type Planned = Readonly<Record<'accuracy' | 'macro_f1', PlannedMeasure>>;

const basis = { accuracy: 'all', macro_f1: 'decided' } as const;

function plannedOn({ trials, terms }: ArmOnSet): Planned {
  const cased = casedTrials(trials);
  return { accuracy: accuracyMeasures(cased)[0], macro_f1: macroF1Measure(cased, terms.labels) };
}

function whyNone(sets: readonly (ArmOnSet | null)[]): string | null {
  const absent = sets.filter((set) => set === null).length;
  if (absent > 0) return `no mean: ${absent} of ${sets.length} data sets were not tried`;
  const open = sets.filter((set) => set !== null && set.trials.length < set.planned).length;
  return open === 0 ? null : `no mean: trials of ${open} of ${sets.length} data sets are not finished`;
}

function meanOf(name: keyof Planned, sets: readonly Planned[], why: string | null, resampling: Resampling): Measure {
  const own = sets.map((planned) => planned[name]);
  const sum = (of: 'n' | 'cases') => own.reduce((total, measure) => total + measure[of], 0);
  const about = { name, label: null, side: null, turn: null, over: basis[name], n: sum('n'), cases: sum('cases') };
  const statistics = own.flatMap(({ statistic }) => statistic ?? []);
  const missing = (reason: string): Measure => ({ ...about, ...missingEstimate(resampling.level, reason) });
  if (why !== null) return missing(why);
  const found = statistics.length < own.length ? null : meanOverSets(statistics, resampling);
  if (found === null) return missing('no mean: the measure is undefined on a data set');
  const { value, low, high, undefinedResamples } = found;
  if (low === null || high === null || isSame(low, high)) {
    return { ...missing(gapText['no-variance']), value };
  }
  return {
    ...about,
    value,
    ...{ low, high, level: resampling.level, interval_method: 'percentile' as const, resamples: resampling.resamples },
    undefined_resamples: undefinedResamples,
    seed: resampling.seed,
    why_null: undefinedResamples === 0 ? null : 'the measure is undefined in some resamples',
  };
}

/** Accuracy and macro-F1 by data set and their means, once all sets are finished. @param sets in order; null where not tried */
export function studyRow(sets: readonly (ArmOnSet | null)[], resampling: Resampling): Row {
  const planned = sets.map((set) => (set === null ? null : plannedOn(set)));
  const why = whyNone(sets);
  const there = planned.filter((each) => each !== null);
  return {
    sets: sets.map((set, place) => {
      const own = planned[place] ?? null;
      if (set === null || own === null) return null;
      const [accuracy, macroF1] = estimates([own.accuracy, own.macro_f1], resampling) as [Measure, Measure];
      return { planned: set.planned, done: set.trials.length, accuracy, macro_f1: macroF1 };
    }),
    mean: {
      accuracy: meanOf('accuracy', there, why, resampling),
      macro_f1: meanOf('macro_f1', there, why, resampling),
    },
  };
}
