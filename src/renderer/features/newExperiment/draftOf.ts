import type { useLocation } from 'wouter';
import { ollamaBackend } from '../../../shared/api/engine.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { toExtension, toNewExperiment } from '../../app/routes.ts';
import { quantity } from '../../ui/quantity.ts';
import { readSessionState, saveSessionState } from '../../ui/sessionState.ts';
import { notify } from '../../ui/Toasts.tsx';
import { type ArmForm, armNames, type DraftForm, draftFormSchema, draftKey, newArm, unrecorded, unshownIn } from './draft.ts';
import { primaryFormOf } from './primaryForm.ts';

type Definition = ExperimentView['definition'];

interface Copied {
  readonly form: DraftForm;
  readonly left: readonly string[];
}

const everyone = '*';

/** An arm as its form. The model of all roles is the one that most of them have, where none is named for all. */
export function armForm(arm: Definition['arms'][number], key: string): ArmForm {
  const byModel = Map.groupBy(Object.values(arm.cast), ({ model }) => model);
  const [commonest] = [...byModel.values()].toSorted((one, other) => other.length - one.length);
  const all = arm.cast[everyone] ?? commonest?.[0];
  const roles = Object.entries(arm.cast).filter(([role]) => role !== everyone);
  const others = roles.filter(([, member]) => member.backend !== (all?.backend ?? ollamaBackend));
  return {
    ...newArm(key, arm.protocol),
    name: arm.name,
    params: arm.params,
    model: all?.model ?? null,
    roles: Object.fromEntries(roles.filter(([, { model }]) => model !== all?.model).map(([role, { model }]) => [role, model])),
    options: all?.options ?? {},
    server: all === undefined || all.backend === ollamaBackend ? null : all.backend,
    roleServers: Object.fromEntries(others.map(([role, { backend }]) => [role, backend])),
    counterbalance: [...(arm.counterbalance ?? [])],
    prompts: arm.prompts ?? '',
    recorded: arm,
  };
}

/** The arm without its record; a generated name still follows protocol and model. */
function asNewArm(arm: ArmForm): ArmForm {
  if (arm.recorded === undefined) return arm;
  const form = { ...unrecorded(arm), name: '' };
  // Names that were made earlier say nothing of parameters.
  const made = [form, { ...form, params: {} }].flatMap((each) => armNames([each], { model: '' }));
  return made.includes(arm.name) ? form : { ...form, name: arm.name };
}

/** The form of a growing experiment as a new one, without changed arms. @param hasResults leaves the comparison out */
export function asNew({ extend, ...grown }: DraftForm, hasResults: boolean): Copied {
  if (extend === undefined) return { form: grown, left: [] };
  const { sample, reading, stop } = extend;
  const kept = grown.arms.filter(({ recorded }) => recorded?.change === undefined);
  const changed = grown.arms.length - kept.length;
  const primary =
    extend.primary === undefined || hasResults
      ? undefined
      : primaryFormOf(extend.primary, stop, (name) => kept.find((arm) => arm.name === name)?.key);
  const left = [
    ...(changed === 0 ? [] : [quantity(changed, 'changed arm')]),
    ...kept.flatMap(({ recorded }) => (recorded === undefined ? [] : unshownIn(recorded))),
    ...(extend.primary === undefined || primary !== undefined || hasResults ? [] : ['comparison decided beforehand']),
    ...(stop === undefined || primary !== undefined || hasResults ? [] : ['rule to stop']),
    ...(reading === 'strict' ? [] : ['reading of answers']),
    ...(sample.each === undefined ? [] : ['way of sampling']),
    ...(sample.ids === undefined ? [] : ['choice of single cases']),
  ];
  const form = {
    ...grown,
    name: '',
    by: sample.each === undefined ? sample.by : undefined,
    arms: kept.map(asNewArm),
    ...(primary === undefined ? {} : { primary }),
    ...(hasResults ? { triedIn: { name: grown.name, from: grown.from, seed: grown.seed } } : {}),
  };
  return { form, left: [...new Set(left)] };
}

/** An experiment as the form for a new one, and settings without a field. @param extend it grows: recorded parts stay */
export function draftOf(
  { name, seed, replicates, runtime, arms, dataset: { sample }, primary, stop, reading }: Definition,
  { extend, hasResults, makeKey }: { readonly extend: boolean; readonly hasResults: boolean; readonly makeKey: () => string },
): Copied {
  const form: DraftForm = {
    name,
    from: sample.from,
    n: sample.n ?? null,
    ...(sample.distinct ? { distinct: true } : {}),
    ...(sample.by === undefined ? {} : { by: sample.by }),
    seed,
    replicates,
    backend: null,
    runtime,
    arms: arms.map((arm) => armForm(arm, makeKey())),
    extend: { sample, replicates, reading, primary, stop },
  };
  return extend ? { form, left: [] } : asNew(form, hasResults);
}

/** Opens the form of a data set with other settings; what it lacks of them is said, and what it held before can be had back. */
export function openForm(
  entry: string,
  extend: boolean,
  { form, left }: Copied,
  [place, navigate]: ReturnType<typeof useLocation>,
): void {
  const key = draftKey(entry, extend);
  const before = readSessionState(key, draftFormSchema, sessionStorage);
  saveSessionState(key, form);
  navigate(extend ? toExtension(entry) : toNewExperiment(entry));
  if (left.length > 0) notify(`This form has no fields for these settings, so they were left out: ${left.join(', ')}.`);
  if (before === null) return;
  // The screen of the form reads it when it opens: so it is left.
  notify('This replaced what you had in the form of this data set.', () => {
    saveSessionState(key, before);
    navigate(place);
  });
}
