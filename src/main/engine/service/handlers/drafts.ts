// Requests that check, plan and start new experiments and tries.
import { findProtocol } from '../../../../core/protocols/index.ts';
import { trialId } from '../../../../core/record/identity.ts';
import { type BackendChoice, ollamaBackend } from '../../../../shared/api/engine.ts';
import type { Draft } from '../../../../shared/api/experiments.ts';
import type { TryDraft } from '../../../../shared/api/trials.ts';
import { screenSentenceOf } from '../../../../shared/checks.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import { type Experiment, experimentSchema } from '../../../../shared/experiment.ts';
import { dataFileEntry, refuseChangedFile } from '../../dataFiles/entries.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import { connectBackends, probeBackends, readyBackends } from '../../lab/backends.ts';
import type { Answerer } from '../../lab/checks.ts';
import { askedOf, prepareDrafted, readExperimentData } from '../../lab/experimentFile.ts';
import { fitChecks, measureModels, type Slots } from '../../lab/fitChecks.ts';
import { freezeExperiment } from '../../lab/freeze.ts';
import { callsAtATime, poolsIn } from '../../lab/lanes.ts';
import { withChecks } from '../../lab/plan.ts';
import type { PreparedExperiment } from '../../lab/preparedArm.ts';
import { prepareTry, type TryRequest } from '../../lab/tryOut.ts';
import { freeForStore } from '../../store/location.ts';
import { beginOf, refuseTime } from '../gate.ts';
import { os } from '../os.ts';
import { awayYet } from '../reachServers.ts';
import { callsWanted, draftBackends, knownServer, runBackends } from '../servers.ts';
import type { Service } from '../service.ts';
import { orNever } from '../streams.ts';

function connected(service: Service, prepared: PreparedExperiment) {
  const { backends, runtime } = prepared.experiment;
  const asked = askedOf(prepared);
  const models = connectBackends(service.network.dispatcher(), backends, runtime);
  return { models, ...asked, pools: poolsIn(asked.played) };
}

/** Records an experiment and starts it; without server or model it throws and records nothing. @returns name and first trial */
async function startExperiment(
  service: Service,
  prepared: PreparedExperiment,
  data: Dataset,
  {
    first,
    heldUntil,
    between,
    isFileGone,
    ...run
  }: {
    readonly backend: BackendChoice;
    readonly concurrency: number;
    readonly entry?: string;
    readonly first?: boolean;
    /** When it starts; null: now. */
    readonly heldUntil?: string | null;
    /** The hours of every day in which it asks; null: all. */
    readonly between?: string | null;
    /** The data are from the record because their file is gone. */
    readonly isFileGone?: boolean;
  },
  nameFor: (taken: readonly string[]) => string,
): Promise<{ experiment: string; trial: string }> {
  const { models, needed, retrievers, pools } = connected(service, prepared);
  await readyBackends(models, needed, retrievers, pools).catch((error: unknown) => {
    // By the time that it begins, they can be there.
    if (heldUntil == null || awayYet(error) === null) throw error;
  });
  return service.store.write((store) => {
    if (heldUntil != null) refuseTime(heldUntil);
    const name = nameFor(store.experiments.names());
    freezeExperiment(store, { ...prepared, experiment: { ...prepared.experiment, name } }, data);
    const { backend, concurrency } = run;
    service.runs.start(name, { backend, concurrency, retry: [], first, heldUntil, between, isFileGone });
    store.runs.save({ experiment: name, session: service.launch.session, ...run });
    const [arm = '', kase = ''] = [prepared.arms[0]?.definition.name, data.sample[0]];
    return { experiment: name, trial: trialId({ experiment: name, arm, case: kase, replicate: 0 }) };
  });
}

const longestName = 200;
/** Used as the name until the number of cases is known. */
const unnamed = 'unnamed';

const serversNamed = ({ arms }: Draft) =>
  arms.flatMap(({ cast }, index) =>
    Object.entries(cast).map(([role, { backend }]) => ({ name: backend, field: `arms[${index}].cast.${role}.backend` })),
  );

/** A draft with its data found and its backend given an address. Throws not-found and bad input. */
export async function drafted(service: Service, draft: Draft, signal: AbortSignal | undefined) {
  const known = await dataFileEntry(service, draft.entry, signal);
  const { definition, format } = known.entry;
  const experiment: Experiment = experimentSchema.parse({
    version: 1,
    name: draft.name ?? unnamed,
    seed: draft.seed,
    replicates: draft.replicates,
    // Only the file's name: where it lies on this machine is no part of the record.
    dataset: { ...definition, format, path: known.file, sample: draft.sample },
    backends: draftBackends(
      draft.backend,
      await service.network.url(draft.backend),
      service.settings.read(),
      serversNamed(draft),
      draft.runtime,
    ),
    runtime: draft.runtime,
    reading: draft.reading,
    arms: draft.arms,
    primary: draft.primary,
    stop: draft.stop,
  });
  return { known, prepared: prepareDrafted(experiment, known.path) };
}

const asked = ({ experiment, dataPath }: PreparedExperiment) => ({ experiment, dataPath });

/** Models that the backend does not have; null where it is away or not allowed. */
async function missingModels(service: Service, prepared: PreparedExperiment): Promise<string[] | null> {
  const { models, needed, pools } = connected(service, prepared);
  try {
    return (await probeBackends(models, needed, pools)).missing.map(({ model }) => model);
  } catch (error) {
    if (error instanceof AssizeError && error.place.field?.startsWith('backends') === true) return null;
    throw error;
  }
}

/** Who answers, for what is promised of repeating a run. */
function answererOf({ daemon }: Service, { backend }: Draft, prepared: PreparedExperiment): Answerer {
  const asked = [...askedOf(prepared).needed.keys()];
  const mode = backend === 'ollama' && asked.every((name) => name === ollamaBackend) ? daemon.mode() : null;
  return mode ?? 'foreign';
}

/** Calls whose time can be divided by how many there are: models that share a machine slow each other down, the demo model does not. */
const atATime = ({ settings }: Service, { backend, runtime }: Draft): number =>
  backend === 'standin' && !runtime.reproducible ? (callsWanted(settings.read().concurrency, backend) ?? 1) : 1;

/** Slots of the Ollama of the settings: those of our own, else as many as a run of now has calls for. */
function slotsFor({ daemon, settings }: Service, { experiment: { runtime, backends } }: PreparedExperiment): Slots {
  const own = daemon.slots();
  if (own !== null) return { count: own, known: true };
  const usual = settings.read().concurrency || null;
  return { count: runtime.reproducible ? 1 : callsAtATime(backends[ollamaBackend] ?? {}, usual, null), known: false };
}

/** `<data set>, <protocols>`, with a number where that is taken. It can grow, so it says nothing of its size. */
function madeName(entry: string, { arms }: Experiment, taken: readonly string[]): string {
  const protocols = [...new Set(arms.map(({ protocol }) => findProtocol(protocol)?.title ?? protocol))].join(' and ');
  const rest = `, ${protocols}`.slice(0, longestName / 2);
  const names = new Set(taken);
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? rest : `${rest} (${number})`;
    const name = `${entry.slice(0, longestName - end.length)}${end}`.toWellFormed();
    if (!names.has(name)) return name;
  }
}

export const drafts = {
  plan: os.experiments.plan.handler(async ({ context: service, input, signal }) => {
    const { prepared } = await drafted(service, input, signal);
    const ollama = input.backend === 'ollama' ? connected(service, prepared).needed.get(ollamaBackend) : undefined;
    const [missing, fits] = await Promise.all([
      missingModels(service, prepared),
      fitChecks(service.models, ollama ?? new Map(), slotsFor(service, prepared), orNever(signal)),
    ]);
    const answerer = answererOf(service, input, prepared);
    const report = await service.queries.run(
      'draftPlan',
      {
        ...asked(prepared),
        missingModels: missing,
        answerer,
        measured: [...service.measured.values()],
        isExtension: input.extend,
        atATime: atATime(service, input),
      },
      signal,
    );
    return withChecks(report, fits, freeForStore(service.store.path));
  }),

  measure: os.experiments.measure.handler(async ({ context: service, input, signal }) => {
    if (input.backend === 'ollama') await service.daemon.ensure();
    const { prepared } = await drafted(service, input, signal);
    const { models, played } = connected(service, prepared);
    const { speeds, checks } = await measureModels(models, played, orNever(signal));
    for (const speed of speeds) service.measured.set(speed.of, speed);
    return { notes: checks.map(screenSentenceOf) };
  }),

  preview: os.experiments.preview.handler(async ({ context: service, input: { draft, arm }, signal }) => {
    const { prepared } = await drafted(service, draft, signal);
    return service.queries.run('draftPreview', { ...asked(prepared), arm, variant: null }, signal);
  }),

  start: os.experiments.start.handler(async ({ context: service, input: { until, between, ...draft }, signal }) => {
    const { backend, entry } = draft;
    if (backend === 'ollama') await service.daemon.ensure();
    const { prepared, known } = await drafted(service, draft, signal);
    const data = await service.queries.run('draftData', asked(prepared), signal);
    refuseChangedFile(known, data);
    const { concurrency } = service.settings.read();
    const isFileGone = data.fileRef !== undefined;
    const heldUntil = beginOf(between, until);
    return startExperiment(service, prepared, data, { backend, concurrency, entry, heldUntil, between, isFileGone }, (taken) => {
      const name = draft.name ?? madeName(known.entry.name, prepared.experiment, taken);
      if (taken.includes(name) === draft.extend) return name;
      if (draft.extend) throw badInput(`there is no experiment ${JSON.stringify(name)} to extend`, 'name');
      throw badInput(`there is an experiment ${JSON.stringify(name)} already; give this one another name`, 'name');
    });
  }),

  varySize: os.experiments.varySize.handler(async ({ context: service, input, signal }) => {
    return (await service.queries.run('variedDraft', input, signal)).size;
  }),

  vary: os.experiments.vary.handler(async ({ context: service, input, signal }) => {
    const { experiment } = input;
    const order = await service.queries.run('runOrder', { experiment }, signal);
    const { experiment: made, data, standin } = await service.queries.run('variedDraft', input, signal);
    const backend = order?.backend ?? (standin ? 'standin' : 'ollama');
    if (backend === 'ollama') await service.daemon.ensure();
    const settings = service.settings.read();
    const backends = runBackends(made.backends, backend, await service.network.url(backend), settings);
    const run = { backend, concurrency: settings.concurrency, ...(order?.entry == null ? {} : { entry: order.entry }) };
    const prepared = prepareDrafted({ ...made, backends }, '');
    const { experiment: started } = await startExperiment(service, prepared, data, run, () => made.name);
    return { experiment: started };
  }),
};

/** A try with its server found. Throws bad input where the settings do not have it. */
async function requested(service: Service, { backend, server, ...request }: TryDraft): Promise<TryRequest> {
  const url = await service.network.url(backend);
  // The demo model answers instead of any server.
  if (server === undefined || backend === 'standin') return { ...request, url };
  return { ...request, url, server: knownServer(service.settings.read(), server, 'server') };
}

export const tries = {
  look: os.tries.look.handler(async ({ context: service, input, signal }) =>
    service.queries.run('tryNeed', await requested(service, input), signal),
  ),
  start: os.tries.start.handler(async ({ context: service, input }) => {
    const { backend } = input;
    if (backend === 'ollama') await service.daemon.ensure();
    const prepared = prepareTry(await requested(service, input), new Date());
    const { name } = prepared.experiment;
    const data = await readExperimentData(prepared);
    return startExperiment(service, prepared, data, { backend, concurrency: 0, first: true }, () => name);
  }),
};
