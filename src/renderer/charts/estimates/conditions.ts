import { isEmbeddingRole } from '../../../core/protocols/cast.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';

/** What arms have in common, whatever models play them: protocol and parameters. */
export interface Condition {
  /** Equal for arms of the same condition. */
  readonly key: string;
  /** The protocol, with those of its parameters in which the experiment's arms differ: `standard, style cot`. */
  readonly words: string;
}

type Params = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The condition of each arm, in the order of the arms. */
export function conditionsOf(view: ExperimentView, arms: readonly Pick<ArmStatistics, 'arm' | 'protocol'>[]): Condition[] {
  const defined = new Map(view.definition.arms.map(({ name, params }) => [name, params]));
  const paramsOf = ({ arm }: { readonly arm: string }): Params => defined.get(arm) ?? {};
  const differing = (protocol: string): string[] => {
    const mine = arms.filter((arm) => arm.protocol === protocol).map(paramsOf);
    const keys = [...new Set(mine.flatMap((params) => Object.keys(params)))].toSorted();
    return keys.filter((key) => new Set(mine.map((params) => JSON.stringify(params[key]))).size > 1);
  };
  const keysOf = new Map([...new Set(arms.map(({ protocol }) => protocol))].map((protocol) => [protocol, differing(protocol)]));
  return arms.map((arm) => {
    const params = paramsOf(arm);
    const parts = (keysOf.get(arm.protocol) ?? []).map(
      (key) => `${key} ${params[key] === undefined ? 'as usual' : textOf(params[key])}`,
    );
    const words = [arm.protocol, ...parts].join(', ');
    return { key: words, words };
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

/** The models of an arm as one name: equal for arms of the same models. */
export const modelsOf = ({ models }: Pick<ArmStatistics, 'models'>): string => models.toSorted().join(' + ');
