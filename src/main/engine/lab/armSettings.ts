// What the arms of an experiment are set to, before it is frozen and as the record froze them.
import { z } from 'zod';
import { armSettings, shippedPrompts } from '../../../core/figures/armSettings.ts';
import { castMember, plainRole } from '../../../core/protocols/cast.ts';
import { type BoundProtocol, findProtocol, type RegisteredProtocol } from '../../../core/protocols/index.ts';
import type { ArmSettings } from '../../../shared/api/protocolFigures.ts';
import type { ArmDefinition, Cast } from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import type { Swap } from '../../../shared/swaps.ts';
import type { FrozenExperiment } from './frozen.ts';
import type { PreparedArm } from './preparedArm.ts';

type Settings = ArmSettings['settings'];

interface Terms extends Pick<ArmDefinition, 'name' | 'protocol' | 'cast' | 'belief'> {
  readonly version: number;
  /** With every default filled in. */
  readonly params: unknown;
  readonly swap: Swap | null;
  readonly mask?: 'names' | undefined;
  /** Other words of the prompts; absent where they are the shipped ones. */
  readonly prompts?: { readonly name: string; readonly hash: string } | undefined;
}

function idleSettings({ params, shots, precedents }: Pick<BoundProtocol, 'params' | 'shots' | 'precedents'>): string[] {
  const said = z.object({ shots: z.number().min(1) }).safeParse(params).success;
  return said && shots === 0 && precedents === null ? ['shots'] : [];
}

/** The temperature that the cast has for each role, and for each seat that it names, such as `judge2`. */
const castTemperatures = (roles: readonly string[], cast: Cast): (number | undefined)[] =>
  [...roles, ...Object.keys(cast).filter((name) => roles.includes(plainRole(name)))].map(
    (role) => castMember(cast, role)?.options.temperature,
  );

/** The protocol's temperature, where every role samples with one of its cast instead. */
const replaced = ({ roles }: RegisteredProtocol, cast: Cast): string[] =>
  castTemperatures(roles, cast).includes(undefined) ? [] : ['temperature'];

/** The temperature with which every role samples by its cast; null where a role has none there, or another one. */
function sampledAt({ protocol, version, cast }: Pick<Terms, 'protocol' | 'version' | 'cast'>): number | null {
  const roles = findProtocol(protocol, version)?.roles ?? [];
  const [first, ...others] = new Set(castTemperatures(roles, cast));
  return others.length === 0 ? (first ?? null) : null;
}

const withoutTemperature = (cast: Cast): Cast =>
  Object.fromEntries(
    Object.entries(cast).map(
      ([
        role,
        {
          options: { temperature: _said, ...options },
          ...member
        },
      ]) => [role, { ...member, options }],
    ),
  );

function settingsOfArm({ name, protocol: id, version, params, cast, belief, swap, mask, prompts }: Terms): ArmSettings {
  const protocol = findProtocol(id, version);
  const defaults = protocol?.bind({}).params ?? {};
  const idle = protocol === undefined ? [] : [...idleSettings(protocol.bind(params, cast)), ...replaced(protocol, cast)];
  const about = { arm: name, protocol: id, version, swap };
  return {
    ...armSettings(about, params, defaults, { cast, belief, prompts: prompts?.name ?? shippedPrompts, mask: mask ?? null }),
    ...(idle.length === 0 ? {} : { idle }),
  };
}

/** Every arm that was run, those with a declared change too; imported ones have no settings. */
const frozenTerms = (frozen: FrozenExperiment): Terms[] =>
  frozen.arms
    .filter((arm) => !isImported(arm))
    .map((arm) => {
      const { params, cast, belief, swap = null, mask } = frozen.terms(arm);
      const { name, protocol, protocolVersion: version, prompts } = arm;
      return { name, protocol, version, params, cast, belief, swap, mask, prompts };
    });

const preparedTerms = ({ definition, protocol, bound, swap, variant }: PreparedArm): Terms => ({
  ...definition,
  ...{ protocol: protocol.id, version: protocol.version, params: bound.params, swap, prompts: variant ?? undefined },
});

export const settingsOf = (frozen: FrozenExperiment): ArmSettings[] => frozenTerms(frozen).map(settingsOfArm);

/** All that two arms are set to, each by name, temperatures where they apply; null where one of them is no arm with settings. */
export function settingsOfPair(of: FrozenExperiment | readonly PreparedArm[], a: string, b: string): [Settings, Settings] | null {
  const terms = 'terms' in of ? frozenTerms(of) : of.map(preparedTerms);
  const [one, other] = [a, b].map((wanted) => terms.find(({ name }) => name === wanted));
  if (one === undefined || other === undefined) return null;
  const all = (arm: Terms): Settings => {
    const temperature = sampledAt(arm);
    const {
      protocol,
      version,
      swap,
      settings,
      idle = [],
    } = settingsOfArm(temperature === null ? arm : { ...arm, cast: withoutTemperature(arm.cast) });
    return {
      protocol: `${protocol}, version ${version}`,
      exchanged: swap,
      ...Object.fromEntries(Object.entries(settings).filter(([name]) => !idle.includes(name))),
      ...(temperature === null ? {} : { temperature }),
      // Two variants can have had one name: the version distinguishes them.
      prompts: arm.prompts === undefined ? shippedPrompts : `${arm.prompts.name}, version ${arm.prompts.hash.slice(0, 8)}`,
    };
  };
  return [all(one), all(other)];
}
