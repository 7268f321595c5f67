import type { ExperimentFrame } from '../../../../shared/api/experiments.ts';
import type { StatsFrame } from '../../../../shared/api/statistics.ts';
import type { TellProgress } from '../../queries/query.ts';
import { statisticsFolder } from '../../report/statisticsCache.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import type { StreamSource } from '../streams.ts';

/** Trials that one frame tells of. */
const mostLines = 200;

type ExperimentBody = ExperimentFrame['body'];

/** Changes of an experiment's trials after a place, and its run. */
function experimentSource(service: Service, experiment: string, from: string | null): StreamSource<ExperimentBody> {
  const { changes, queries, runs } = service;
  let cursor = from ?? changes.cursor();
  let runChanged = true;
  const gap = (): ExperimentBody => {
    cursor = changes.cursor();
    runChanged = true;
    return { kind: 'gap', cursor };
  };
  return {
    listen(tell) {
      const stops = [
        changes.onExperiment(experiment, tell),
        changes.onStatus(() => {
          runChanged = true;
          tell();
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    async take(replaceable) {
      const bodies: ExperimentBody[] = [];
      if (runChanged && replaceable) {
        runChanged = false;
        bodies.push({ kind: 'run', run: runs.of(experiment) });
      }
      const changed = changes.after(cursor, experiment, mostLines);
      if (changed === null) return [...bodies, gap()];
      cursor = changed.cursor;
      if (changed.trials.length > 0) {
        const lines = await queries.run('trialLines', { experiment, trials: changed.trials });
        bodies.push({ kind: 'trials', cursor, lines });
      }
      return bodies;
    },
    gap,
  };
}

function progressSource({ progress }: Service, experiment: string): StreamSource<StatsFrame['body']> {
  let changed = true;
  return {
    listen: (tell) =>
      progress.onChange(() => {
        changed = true;
        tell();
      }),
    take(replaceable) {
      if (!changed || !replaceable) return [];
      changed = false;
      return [{ kind: 'progress', progress: progress.of(experiment) }];
    },
    gap() {
      changed = true;
      return { kind: 'gap' };
    },
  };
}

/** What this helper's part of the experiments' procedures is; the drafts have the others. */
export const experiments = {
  list: os.experiments.list.handler(async ({ context: { service } }) => {
    const [summaries] = await Promise.all([service.queries.run('experimentList', null), service.runs.review()]);
    return summaries.map((summary) => ({ ...summary, run: service.runs.of(summary.name) }));
  }),
  read: os.experiments.read.handler(async ({ context: { service }, input }) => {
    // Before the reading: what changes meanwhile is told again rather than lost.
    const cursor = service.changes.cursor();
    const [view] = await Promise.all([service.queries.run('experiment', input), service.runs.review()]);
    return { ...view, cursor, summary: { ...view.summary, run: service.runs.of(input.experiment) } };
  }),
  trials: os.experiments.trials.handler(({ context: { service }, input }) => service.queries.run('trialPage', input)),
  stats: os.experiments.stats.handler(({ context: { service }, input, signal }) => {
    const ask = (tell?: TellProgress) => service.queries.run('statistics', { ...input, cache: statisticsFolder() }, signal, tell);
    return input.quick ? ask() : service.progress.during(input.experiment, ask);
  }),
  watchStats: os.experiments.watchStats.handler(async ({ context: { service, streams }, input: { experiment }, signal }) => {
    // Throws not-found.
    await service.queries.run('runOrder', { experiment }, signal);
    return streams.open(progressSource(service, experiment), signal);
  }),
  differing: os.experiments.differing.handler(({ context: { service }, input, signal }) =>
    service.queries.run('differing', input, signal),
  ),
  compared: os.experiments.compared.handler(({ context: { service }, input, signal }) =>
    service.queries.run('compared', input, signal),
  ),
  flipped: os.experiments.flipped.handler(({ context: { service }, input, signal }) =>
    service.queries.run('flipped', input, signal),
  ),
  deliberation: os.experiments.deliberation.handler(({ context: { service }, input, signal }) =>
    service.progress.during(input.experiment, (tell) =>
      service.queries.run('deliberation', { ...input, cache: statisticsFolder() }, signal, tell),
    ),
  ),
  protocols: os.experiments.protocols.handler(({ context: { service }, input, signal }) =>
    service.queries.run('protocolFigures', { ...input, cache: statisticsFolder() }, signal),
  ),
  watch: os.experiments.watch.handler(async ({ context: { service, streams }, input: { experiment, cursor }, signal }) => {
    const source = experimentSource(service, experiment, cursor);
    // Throws not-found.
    await service.queries.run('runOrder', { experiment }, signal);
    return streams.open(source, signal);
  }),
};
