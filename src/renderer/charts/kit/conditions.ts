import { settingText, settingTitle } from '../../../core/figures/ablations.ts';
import { settingsOf } from '../../../core/figures/armSettings.ts';
import { isEmbeddingRole } from '../../../core/protocols/cast.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Setting } from '../../../shared/api/protocolFigures.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';

type Settings = Readonly<Record<string, Setting>>;

/** The parameters by which each arm is run: what its file says, with the defaults of the protocol's version filled in. */
function effectiveSettings({ definition, arms }: ExperimentView): Map<string, Settings> {
  const versions = new Map(arms.map(({ name, protocol_version }) => [name, protocol_version]));
  return new Map(
    definition.arms.map(({ name, protocol, params }) => {
      const known = findProtocol(protocol, versions.get(name));
      return [name, settingsOf(known === undefined ? params : known.bind(params).params)];
    }),
  );
}

/**
 * The condition of each arm, in the order of the arms: what it has in common with others, with any models. It is named by the
 * protocol, with those of its parameters in which the experiment's arms differ: `standard, style cot`. A default that a file spells
 * out makes no other condition.
 */
export function conditionsOf(view: ExperimentView, arms: readonly Pick<ArmStatistics, 'arm' | 'protocol'>[]): string[] {
  const effective = effectiveSettings(view);
  const settingsIn = ({ arm }: { readonly arm: string }): Settings => effective.get(arm) ?? {};
  const differing = (protocol: string): string[] => {
    const mine = arms.filter((arm) => arm.protocol === protocol).map(settingsIn);
    const names = [...new Set(mine.flatMap((settings) => Object.keys(settings)))].toSorted();
    return names.filter((name) => new Set(mine.map((settings) => JSON.stringify(settings[name]))).size > 1);
  };
  const keysOf = new Map([...new Set(arms.map(({ protocol }) => protocol))].map((protocol) => [protocol, differing(protocol)]));
  return arms.map((arm) => {
    const settings = settingsIn(arm);
    const parts = (keysOf.get(arm.protocol) ?? []).map((name) => `${settingTitle(name)} ${settingText(settings[name] ?? null)}`);
    return [arm.protocol, ...parts].join(', ');
  });
}

/** These arms with the models that answer in them: one that only makes vectors, to look for precedents, decides nothing. */
export function speakingArms(view: ExperimentView, arms: readonly ArmStatistics[]): ArmStatistics[] {
  const casts = new Map(view.definition.arms.map(({ name, cast }) => [name, Object.entries(cast)]));
  return arms.map((arm) => {
    const played = (embedding: boolean) =>
      (casts.get(arm.arm) ?? []).flatMap(([role, { model }]) => (isEmbeddingRole(role) === embedding ? [model] : []));
    const [silent, speaking] = [played(true), played(false)];
    return { ...arm, models: arm.models.filter((model) => speaking.includes(model) || !silent.includes(model)) };
  });
}

export const modelsOf = ({ models }: Pick<ArmStatistics, 'models'>): string => models.toSorted().join(' + ');
