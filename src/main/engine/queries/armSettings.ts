// What the arms of an experiment are set to, as the record froze them.
import { z } from 'zod';
import { armSettings, shippedPrompts } from '../../../core/figures/armSettings.ts';
import { type BoundProtocol, findProtocol } from '../../../core/protocols/index.ts';
import type { ArmSettings } from '../../../shared/api/protocolFigures.ts';
import { isImported } from '../../../shared/imported.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';

type Settings = ArmSettings['settings'];

/** Examples that an arm sets although its protocol shows none with these parameters. */
function idleSettings({ params, shots, precedents }: Pick<BoundProtocol, 'params' | 'shots' | 'precedents'>): string[] {
  const said = z.object({ shots: z.number().min(1) }).safeParse(params).success;
  return said && shots === 0 && precedents === null ? ['shots'] : [];
}

/** Every arm that was run, those with a declared change too; imported ones have no settings. */
export function settingsOf(frozen: FrozenExperiment): ArmSettings[] {
  return frozen.arms
    .filter((arm) => !isImported(arm))
    .map((arm) => {
      const { params, cast, belief, swap = null, mask = null } = frozen.terms(arm);
      const protocol = findProtocol(arm.protocol, arm.protocolVersion);
      const defaults = protocol?.bind({}).params ?? {};
      const idle = protocol === undefined ? [] : idleSettings(protocol.bind(params, cast));
      const about = { arm: arm.name, protocol: arm.protocol, version: arm.protocolVersion, swap };
      return {
        ...armSettings(about, params, defaults, { cast, belief, prompts: arm.prompts?.name ?? shippedPrompts, mask }),
        ...(idle.length === 0 ? {} : { idle }),
      };
    });
}

/** All that two arms are set to, each by name; null where one of them is no arm with settings. */
export function settingsOfPair(frozen: FrozenExperiment, a: string, b: string): [Settings, Settings] | null {
  const settings = new Map(settingsOf(frozen).map(({ arm, ...rest }) => [arm, rest]));
  const [one, other] = [settings.get(a), settings.get(b)];
  if (one === undefined || other === undefined) return null;
  // Two variants can have had one name: the version distinguishes them.
  const versions = new Map(frozen.arms.map(({ name, prompts }) => [name, prompts]));
  const wordsOf = (arm: string) => {
    const variant = versions.get(arm);
    return variant === undefined ? shippedPrompts : `${variant.name}, version ${variant.hash.slice(0, 8)}`;
  };
  const all = (arm: string, { protocol, version, swap, settings: own, idle = [] }: typeof one): Settings => ({
    protocol: `${protocol}, version ${version}`,
    exchanged: swap,
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !idle.includes(name))),
    prompts: wordsOf(arm),
  });
  return [all(a, one), all(b, other)];
}
