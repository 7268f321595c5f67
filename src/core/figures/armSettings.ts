import type { ArmSettings, Setting } from '../../shared/api/protocolFigures.ts';
import type { BeliefChoice, Cast, CastMember } from '../../shared/experiment.ts';
import { canonical } from '../answers/fields.ts';

/** Value for the words that come with the program, where arms are compared by their prompts. */
export const shippedPrompts = 'shipped';

/** What a setting's value is: single values as they are, all else as JSON text with its keys in order. */
function settingOf(value: unknown): Setting {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return canonical(value);
}

/** Parameters by name, as settings; empty for what is no object. */
export function settingsOf(params: unknown): Record<string, Setting> {
  if (params === null || typeof params !== 'object') return {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, settingOf(value)]));
}

/** Who plays, in words: `llama3.1:8b`, or with models for single roles `llama3.1:8b, judge qwen2.5:7b`. */
function castText(cast: Cast, of: (member: CastMember) => string): string {
  const everybody = cast['*'];
  const usual = everybody === undefined ? null : of(everybody);
  const others = Object.entries(cast)
    .filter(([role, member]) => role !== '*' && of(member) !== usual)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([role, member]) => `${role} ${of(member)}`);
  return [...(usual === null ? [] : [usual]), ...others].join(', ');
}

interface ArmTerms {
  readonly cast: Cast;
  readonly belief: BeliefChoice;
  /** The variant's name, or `shippedPrompts`. */
  readonly prompts: string;
  /** What is masked in the facts; null where nothing is. */
  readonly mask: 'names' | null;
}

/**
 * Everything by which an arm can differ from another of its experiment: parameters, and who plays with which options on
 * which server.
 *
 * @param params with every default filled in
 * @param defaults what the protocol has where nothing is said
 */
export function armSettings(
  arm: Pick<ArmSettings, 'arm' | 'protocol' | 'version' | 'swap'>,
  params: unknown,
  defaults: unknown,
  { cast, belief, prompts, mask }: ArmTerms,
): ArmSettings {
  return {
    ...arm,
    settings: {
      ...settingsOf(params),
      model: castText(cast, ({ model }) => model),
      options: castText(cast, ({ options }) => String(settingOf(options))),
      backend: castText(cast, ({ backend }) => backend),
      belief: settingOf(belief),
      prompts,
      mask,
    },
    defaults: { ...settingsOf(defaults), belief: 'verbal', prompts: shippedPrompts, mask: null },
  };
}
