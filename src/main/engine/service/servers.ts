// The model servers of the settings, as experiments and runs name them.
import { playersIn, seatNames } from '../../../core/protocols/cast.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { type BackendChoice, ollamaBackend, type ServerSetting, type Settings } from '../../../shared/api/engine.ts';
import { demoCalls } from '../../../shared/demoModel.ts';
import { badInput } from '../../../shared/errors.ts';
import type { BackendDefinition, Runtime } from '../../../shared/experiment.ts';
import { overrideUrl } from '../lab/backends.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { wholePools } from '../lab/lanes.ts';

type Backends = Record<string, BackendDefinition>;

/** The server of the settings that is called so. Throws bad input that names the field. */
export function knownServer({ servers }: Pick<Settings, 'servers'>, name: string, field: string): ServerSetting {
  const found = servers.find((server) => server.name === name);
  if (found !== undefined) return found;
  throw badInput(`the settings have no server ${JSON.stringify(name)}; add it there, or choose another`, field);
}

/** Calls at a time that a run is to make; null: as many as the server has slots. */
export const callsWanted = (concurrency: number, backend: BackendChoice): number | null =>
  concurrency || (backend === 'standin' ? demoCalls : null);

/**
 * The backends of an experiment that is made now: the Ollama or demo model at `url` under the name `default`, and
 * the servers that are named, with those that share their calls. The demo model answers in place of all of them. Throws bad input.
 * @param named name of a server and the field that names it
 */
export function draftBackends(
  choice: BackendChoice,
  url: string,
  settings: Pick<Settings, 'servers'>,
  named: readonly { readonly name: string; readonly field: string }[],
  { reproducible }: Pick<Runtime, 'reproducible'>,
): Backends {
  const asked = new Set([ollamaBackend, ...named.map(({ name }) => name)]);
  const joining =
    choice === 'standin' || reproducible ? [] : settings.servers.filter(({ backend: { joins = '' } }) => asked.has(joins));
  const others = [...joining.map(({ name }) => ({ name, field: 'backends' })), ...named].filter(
    ({ name }) => name !== ollamaBackend,
  );
  const pools = {
    [ollamaBackend]: { kind: 'ollama' as const, url },
    ...Object.fromEntries(
      others.map(({ name, field }) => {
        const { backend } = knownServer(settings, name, field);
        return [name, choice === 'standin' ? { kind: 'ollama' as const, url, concurrency: backend.concurrency } : backend];
      }),
    ),
  };
  return wholePools(pools);
}

/**
 * The backends of an experiment on record as a run of now asks them. The Ollama of the settings takes the place of
 * the definition's own, and a server of the settings that of one with its name and kind, since addresses change and
 * every call is recorded with the one it went to. The demo model takes every place.
 * @param url of the Ollama of the settings, or of the demo model
 */
export function runBackends(
  definition: Backends,
  choice: BackendChoice,
  url: string,
  { servers }: Pick<Settings, 'servers'>,
): Backends {
  if (choice === 'standin') {
    return Object.fromEntries(
      Object.entries(definition).map(([name, { concurrency }]) => [name, { kind: 'ollama', url, concurrency }]),
    );
  }
  const now = new Map(servers.map(({ name, backend }) => [name, backend]));
  const moved = Object.fromEntries(
    Object.entries(definition).map(([name, backend]) => {
      const known = now.get(name);
      if (known?.kind !== backend.kind) return [name, backend];
      // Whose calls a server shares is the experiment's own.
      const { joins: _of, ...place } = known;
      return [name, backend.joins === undefined ? place : { ...place, joins: backend.joins }];
    }),
  );
  const known = Object.keys(definition).some((name) => now.has(name));
  // The only server of an experiment gives way to the Ollama of the settings, unless the settings know it by name.
  return known && !(ollamaBackend in definition) ? moved : overrideUrl(moved, url, { otherKinds: false });
}

/** The backends of a run with the servers that share their calls by the settings of now, of which the experiment need not know. */
export function withJoining(
  backends: Backends,
  choice: BackendChoice,
  { servers }: Pick<Settings, 'servers'>,
  { reproducible }: Pick<Runtime, 'reproducible'>,
): Backends {
  if (choice === 'standin' || reproducible) return backends;
  const joining = servers.filter(({ name, backend: { joins = '' } }) => !(name in backends) && joins in backends);
  return wholePools({ ...backends, ...Object.fromEntries(joining.map(({ name, backend }) => [name, backend])) });
}

/** The arms with the entries of their casts that play: of no other model is a server asked. */
export const playedArms = ({ definition, arms }: FrozenExperiment) => ({
  runtime: definition.runtime,
  backends: definition.backends,
  arms: definition.arms.map((arm) => {
    const version = arms.find(({ name }) => name === arm.name)?.protocolVersion;
    const protocol = version === undefined ? undefined : findProtocol(arm.protocol, version);
    if (protocol === undefined) return arm;
    const bound = protocol.bind(arm.params);
    const roles = bound.roles.flatMap((role) => seatNames(role, bound.seats));
    return { ...arm, cast: playersIn(arm.cast, roles, bound) };
  }),
});
