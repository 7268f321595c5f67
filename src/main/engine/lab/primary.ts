// Checks what an experiment decides beforehand.
import { comparableBaselines } from '../../../core/baselines/baseline.ts';
import { severalSettings } from '../../../core/figures/ablations.ts';
import { pointsOf } from '../../../core/figures/shares.ts';
import { casesForMargin, detectableDifference } from '../../../core/statistics/mcnemarPower.ts';
import { foundDifference } from '../../../core/statistics/measures/casesNeeded.ts';
import { power } from '../../../core/statistics/measures/comparisons.ts';
import { qualitiesOf } from '../../../core/statistics/measures/pairedDifferences.ts';
import type { PrimaryMaterial } from '../../../core/statistics/measures/primaryComparison.ts';
import { confoundedText } from '../../../core/statistics/measures/primaryText.ts';
import type { RaisedReplicates } from '../../../core/statistics/measures/reportNotes.ts';
import { type Check, note, warning } from '../../../shared/checks.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import { type Experiment, recordedExperimentSchema } from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import { baselineMark, familyLevel } from '../../../shared/primary.ts';
import { quantity } from '../../../shared/sizes.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { settingsOfPair } from './armSettings.ts';
import type { FrozenExperiment } from './frozen.ts';
import type { Fail, PreparedExperiment } from './preparedArm.ts';

/** An experiment of other arms and cases than its file has: what the file decides beforehand is not about it. */
export function withoutPrimary({ primary: _primary, stop: _stop, ...rest }: Experiment): Experiment {
  return rest;
}

/** What each freeze of an experiment planned, the first one first. */
const plansOf = (store: Store, name: string) =>
  store.experiments.history(name).map(({ hash, payload: { at, definition } }) => {
    const { dataset, replicates } = recordedExperimentSchema.parse(JSON.parse(store.blobs.need(definition)));
    return { hash, at, replicates, cases: dataset.sample.n ?? Number.POSITIVE_INFINITY };
  });

/** The trials that have begun, each with the freeze that it began under. @param isCounted by arm */
const begunTrials = (store: Store, name: string, isCounted: (arm: string) => boolean) =>
  store.trials.heads(name).flatMap(({ trial, arm, case_id: caseId }) => {
    if (!isCounted(arm)) return [];
    const [open] = parseReadable(store.events.ofKinds(trial, ['trial-open']));
    return open?.kind === 'trial-open' ? [{ caseId, freeze: open.payload.freeze }] : [];
  });

/** Extensions with more replicates that came after trials had begun; an imported prediction is none. */
export function raisedReplicates(store: Store, { name, arms }: FrozenExperiment): RaisedReplicates[] {
  const plans = plansOf(store, name);
  const raises = plans.flatMap(({ at, replicates: to }, place) => {
    const from = plans[place - 1]?.replicates ?? to;
    return to > from ? [{ at, from, to, earlier: new Set(plans.slice(0, place).map(({ hash }) => hash)) }] : [];
  });
  const tried = new Set(arms.filter((arm) => !isImported(arm)).map((arm) => arm.name));
  const begun = raises.length === 0 ? [] : begunTrials(store, name, (arm) => tried.has(arm));
  return raises.flatMap(({ earlier, ...raise }) => {
    const trials = begun.filter(({ freeze }) => earlier.has(freeze)).length;
    return trials === 0 ? [] : [{ ...raise, trials }];
  });
}

/** What was planned when the compared arms' first trial began; undefined where unchanged since, and under a stopping rule. */
export function plannedFirst(store: Store, { name, definition, dataset, sample }: FrozenExperiment): PrimaryMaterial['planned'] {
  const { primary, stop } = definition;
  if (primary === undefined || stop !== undefined) return undefined;
  const plans = plansOf(store, name);
  const [now] = plans.slice(-1);
  const isGrown = (plan: (typeof plans)[number]) => plan.cases !== now?.cases || plan.replicates !== now.replicates;
  if (!plans.some(isGrown)) return undefined;
  const trials = begunTrials(store, name, (arm) => primary.compare.includes(arm));
  const first = plans.find(({ hash }) => trials.some(({ freeze }) => freeze === hash));
  if (first === undefined || !isGrown(first)) return undefined;
  // The cases that a sample was drawn from, and with them its order, can be gone; those that were tried are on the record.
  const isErased = store.erasures.tookCases(store.datasets.get(dataset.id).manifest);
  const tried = trials.flatMap(({ caseId, freeze }) => (freeze === first.hash ? [caseId] : []));
  return { cases: new Set(isErased ? tried : sample().slice(0, first.cases)), replicates: first.replicates };
}

export function refuseUnfitPrimary({ arms, primary, stop, runtime }: Experiment, fail: Fail): void {
  if (primary === undefined) {
    if (stop !== undefined)
      throw fail('a run can only stop by the interval of the primary comparison; add "primary", or leave "stop" out', ['stop']);
    return;
  }
  const { compare, test, margin, measure } = primary;
  const names = arms.map(({ name }) => name);
  const [first, second] = compare;
  const listed = names.map((name) => JSON.stringify(name)).join(', ');
  const lacking = (name: string) =>
    `there is no arm ${JSON.stringify(name)}; the arms are ${listed}; an imported arm cannot be named, because its results are known beforehand: reports compare it as exploratory`;
  if (!names.includes(first)) throw fail(lacking(first), ['primary', 'compare', 0]);
  const isBaseline = !names.includes(second) && second.startsWith(baselineMark);
  if (isBaseline && !comparableBaselines().some((name) => second === `${baselineMark}${name}`)) {
    const known = comparableBaselines()
      .map((name) => `${baselineMark}${name}`)
      .join(', ');
    throw fail(`there is no ${JSON.stringify(second)} to compare with; there are ${known}`, ['primary', 'compare', 1]);
  }
  if (!isBaseline && !names.includes(second)) {
    throw fail(`${lacking(second)}; a baseline is named as "${baselineMark}majority"`, ['primary', 'compare', 1]);
  }
  if (first === second) throw fail('the same arm is named twice; name two', ['primary', 'compare', 1]);
  if (test === 'difference' && margin !== undefined)
    throw fail('the test of a difference has no margin; leave it out, or set "test"', ['primary', 'margin']);
  if (test !== 'difference' && margin === undefined) {
    throw fail(`this test needs "margin": the smallest difference of ${measure} that would matter, such as 0.05`, [
      'primary',
      'test',
    ]);
  }
  if (stop === undefined) return;
  if (measure !== 'accuracy' || isBaseline)
    throw fail('a run can only stop by the accuracy of two arms; compare these, or leave "stop" out', ['stop']);
  if (runtime.order !== undefined)
    throw fail('with "stop" the arms take the cases side by side; leave "order" out, or "stop"', ['runtime', 'order']);
}

export function refuseUnfitMeasure({ experiment: { primary }, file }: PreparedExperiment, data: Dataset): void {
  if (primary === undefined) return;
  const onTrial = new Set(data.sample);
  if (!data.cases.some(({ id, truth }) => truth !== null && onTrial.has(id))) {
    throw file.error('no case on trial has a known truth, so nothing can be compared; leave "primary" out', ['primary']);
  }
  const allowed = qualitiesOf([], data).map(({ name }) => name);
  if (allowed.includes(primary.measure)) return;
  throw file.error(`these cases do not allow ${primary.measure}; they allow ${allowed.join(', ')}`, ['primary', 'measure']);
}

/** Share of cases on which only one of the two is taken to be right, where nothing is known of them yet. */
const discordance = 0.3;

/** What so many cases can show of two accuracies, before anything is tried. Nothing with a stopping rule: its intervals are wider. */
export function showable({ experiment: { primary, stop, replicates, dataset } }: PreparedExperiment, data: Dataset): Check[] {
  if (primary?.measure !== 'accuracy' || stop !== undefined) return [];
  const onTrial = new Set(data.sample);
  const cases = data.cases.filter(({ id, truth }) => truth !== null && onTrial.has(id)).length;
  const alpha = familyLevel(primary);
  const { is } = rightWords({ decided_by: dataset.label?.decidedBy });
  const { test, margin } = primary;
  if (margin !== undefined) {
    const needed = casesForMargin(margin, power, { discordance, alpha, ends: test === 'equivalence' ? 2 : 1 });
    const text = `${test} with a margin of ${pointsOf(margin)} would be shown four times in five with about ${quantity(needed, 'case')}, if in three of ten only one of the two ${is}, each as often as the other; there are ${quantity(cases, 'case')}`;
    return [{ ...note(text), about: 'primary' }];
  }
  const least = detectableDifference(cases, power, { discordance, alpha });
  const found =
    least === null
      ? `even ${pointsOf(discordance)}, the largest difference that is possible then, would be found less often than four times in five`
      : foundDifference(least);
  const more = replicates > 1 ? '. Several trials of a case can show a little more' : '';
  return [
    {
      ...note(`with ${quantity(cases, 'case')}, if in three of ten only one of the two ${is}, ${found}${more}`),
      about: 'primary',
    },
  ];
}

/** That the two of the primary comparison differ in more than one setting, which nobody can change once it is recorded. */
export function confounded({ experiment: { primary }, arms }: PreparedExperiment): Check[] {
  if (primary === undefined) return [];
  const settings = settingsOfPair(arms, ...primary.compare);
  const differ = settings === null ? [] : severalSettings(...settings);
  if (differ.length === 0) return [];
  const text = `the arms ${primary.compare.join(' and ')} of the primary comparison ${confoundedText(differ)}`;
  return [{ ...warning(text, 'to test one of these, set the others alike in both arms'), about: 'primary' }];
}
