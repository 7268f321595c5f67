import { readFileSync } from 'node:fs';
import { type Settings, settingsSchema } from '../../../shared/api/engine.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage } from '../../../shared/model.ts';
import { attempt } from '../attempt.ts';
import { keyedServers } from '../lab/apiKeys.ts';
import { connectBackends, type NeededModels, overrideUrl, probeBackends } from '../lab/backends.ts';
import { fileChecks, keyCheck } from '../lab/checks.ts';
import { askedOf, readExperiment } from '../lab/experimentFile.ts';
import { joiningIn } from '../lab/pools.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';
import type { LanguageModel } from '../models/port.ts';
import { openPermissions } from '../permissions.ts';
import { besideStore } from '../store/location.ts';
import { demo, type NamedCheck, ok, problem, warning } from './check.ts';

/** A server of an experiment, with the models that are asked there. */
async function checkBackend(
  name: string,
  model: LanguageModel,
  needed: NeededModels,
  joining: ReadonlySet<string>,
): Promise<NamedCheck> {
  const check = `backend ${name}`;
  try {
    const { ready, missing } = await probeBackends(new Map([[name, model]]), new Map([[name, needed]]), joining);
    if (missing.length > 0) {
      const found = `${model.url} does not have ${missing.map((each) => each.model).join(', ')}`;
      return problem(check, found, missing.map(({ remedy }) => remedy).join('; '));
    }
    const { version, standin, away } = ready.get(name) ?? { version: 'unknown', standin: false };
    if (away !== undefined) return warning(check, away, 'a run does without it until it answers; start it, or take `joins` out');
    if (standin) {
      return demo(check, model.url, 'name a server with real models');
    }
    return ok(check, `${model.kind} at ${model.url}, version ${version}, has ${[...needed.keys()].join(', ')}`);
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return problem(check, error.advice, 'fix that, or change `backends` in the experiment file');
  }
}

/** The servers that an experiment asks, and what its file says. Throws bad input where its file is at fault. */
export async function checkBackends(path: string, url: string | undefined, dispatcher: NetworkDispatcher): Promise<NamedCheck[]> {
  const prepared = readExperiment(path);
  const { backends, runtime } = prepared.experiment;
  const asked = overrideUrl(backends, url);
  const models = connectBackends(dispatcher, asked, runtime);
  const { needed, played } = askedOf(prepared);
  const checks = await Promise.all(
    [...models].flatMap(([name, model]) => {
      const wanted = needed.get(name);
      return wanted === undefined ? [] : [checkBackend(name, model, wanted, joiningIn(played))];
    }),
  );
  return [
    ...keyedServers(asked).map((server) => ({ name: `key of ${server.name}`, ...keyCheck(server) })),
    ...checks,
    ...fileChecks(prepared).map((check) => ({ name: 'experiment', ...check })),
  ];
}

/** The settings next to a store; null where none can be read. Never writes. */
export function settingsBeside(store: string): Settings | null {
  // Without them everything has its default, and the engine says so where they were spoilt.
  const found: unknown = attempt(() => JSON.parse(readFileSync(besideStore(store, '.settings.json'), 'utf8')), null);
  const settings = settingsSchema.loose().safeParse(found).data;
  return settings === undefined ? null : openPermissions(store).withoutUnknown(settings);
}

/** The servers that the settings list, whether or not an experiment asks them. */
export function checkServers({ servers }: Settings, dispatcher: NetworkDispatcher): Promise<NamedCheck[]> {
  const limits = { timeoutSeconds: 10, idleSeconds: 10 };
  return Promise.all(
    [...connectBackends(dispatcher, Object.fromEntries(servers.map(({ name, backend }) => [name, backend])), limits)].map(
      async ([name, model]): Promise<NamedCheck> => {
        const check = `server ${name}`;
        try {
          const { version, standin } = await model.version();
          const models = (await model.models()).filter(({ remote }) => !remote);
          if (standin) return demo(check, model.url, 'give a server with models');
          const count = `${models.length} model${models.length === 1 ? '' : 's'}`;
          return ok(check, `${model.kind} at ${model.url}, version ${version}, ${count}`);
        } catch (error) {
          if (!(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
          return warning(check, error.message, 'start it, correct its address in the settings, or take it off there');
        }
      },
    ),
  );
}
