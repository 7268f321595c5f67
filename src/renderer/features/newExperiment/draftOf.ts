import { ollamaBackend } from '../../../shared/api/engine.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { type ArmForm, armNames, type DraftForm, newArm } from './draft.ts';

type Definition = ExperimentView['definition'];

const everyone = '*';

function armForm(arm: Definition['arms'][number], key: string, extend: boolean): ArmForm {
  const all = arm.cast[everyone] ?? Object.values(arm.cast)[0];
  const roles = Object.entries(arm.cast).filter(([role]) => role !== everyone);
  const others = roles.filter(([, member]) => member.backend !== (all?.backend ?? ollamaBackend));
  const form: ArmForm = {
    ...newArm(key, arm.protocol),
    params: arm.params,
    model: all?.model ?? null,
    roles: Object.fromEntries(roles.filter(([, { model }]) => model !== all?.model).map(([role, { model }]) => [role, model])),
    options: all?.options ?? {},
    server: all === undefined || all.backend === ollamaBackend ? null : all.backend,
    roleServers: Object.fromEntries(others.map(([role, { backend }]) => [role, backend])),
    counterbalance: [...(arm.counterbalance ?? [])],
    prompts: arm.prompts ?? '',
  };
  // A name that the program made goes on following protocol and model.
  const isMade = !extend && armNames([form], { model: '' })[0] === arm.name;
  return isMade ? form : { ...form, name: arm.name };
}

/** Settings of an arm that the form has no field for. */
const unknownIn = ({ belief, mask, cast }: Definition['arms'][number]): string[] => [
  ...(belief === 'verbal' ? [] : ['source of beliefs']),
  ...(mask === undefined ? [] : ['masked names']),
  ...(new Set(Object.values(cast).map(({ options }) => JSON.stringify(options))).size > 1 ? ['sampling of single roles'] : []),
];

/**
 * An experiment as the form for a new one, and the settings that the form has no field for.
 * @param extend the same experiment is to grow: it and its arms keep their names
 */
export function draftOf(
  definition: Definition,
  { extend, makeKey }: { readonly extend: boolean; readonly makeKey: () => string },
): { form: DraftForm; left: string[] } {
  const { name, seed, replicates, runtime, arms, dataset, primary, stop, reading } = definition;
  const { from, n = null, by, distinct } = dataset.sample;
  const left = [
    ...arms.flatMap(unknownIn),
    ...(primary === undefined ? [] : ['comparison decided beforehand']),
    ...(stop === undefined ? [] : ['rule to stop']),
    ...(reading === 'strict' ? [] : ['reading of answers']),
    ...(by === undefined && !distinct ? [] : ['way of sampling']),
  ];
  return {
    form: {
      name: extend ? name : '',
      from,
      n,
      seed,
      replicates,
      backend: null,
      runtime,
      arms: arms.map((arm) => armForm(arm, makeKey(), extend)),
      ...(extend ? { extend: true } : {}),
    },
    left: [...new Set(left)],
  };
}
