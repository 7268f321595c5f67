// Requests about experiments, their trials and their statistics.
import type { ExperimentFrame } from '../../../../shared/api/experiments.ts';
import type { StagedStats } from '../../../../shared/api/statistics.ts';
import type { StatsReport } from '../../../../shared/outputs.ts';
import { noteLook } from '../../lab/looks.ts';
import type { TellProgress } from '../../queries/query.ts';
import { statisticsFolder } from '../../report/statisticsCache.ts';
import { answeredBy, os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, latestFrames, newestOf, type StreamSource } from '../streams.ts';

const mostLines = 200;

/** Changes of an experiment's trials after a place, and its run. */
function experimentSource(service: Service, experiment: string, from: string | null): StreamSource<ExperimentFrame> {
  const { changes, queries, runs } = service;
  let cursor = from ?? changes.cursor();
  let runChanged = true;
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
    async take() {
      const frames: ExperimentFrame[] = [];
      if (runChanged) {
        runChanged = false;
        frames.push({ kind: 'run', run: runs.of(experiment) });
      }
      const changed = changes.after(cursor, experiment, mostLines);
      cursor = changed === null ? changes.cursor() : changed.cursor;
      if (changed === null) return [...frames, { kind: 'gap', cursor }];
      if (changed.trials.length > 0) {
        const lines = await queries.run('trialLines', { experiment, trials: changed.trials });
        frames.push({ kind: 'trials', cursor, lines });
      }
      return frames;
    },
  };
}

export const experiments = {
  list: os.experiments.list.handler(async ({ context: service }) => {
    const [list] = await Promise.all([service.queries.run('experimentList', null), service.runs.review()]);
    return { ...list, experiments: list.experiments.map((summary) => ({ ...summary, run: service.runs.of(summary.name) })) };
  }),
  read: os.experiments.read.handler(async ({ context: service, input }) => {
    // Before the reading: what changes meanwhile is reported twice rather than lost.
    const cursor = service.changes.cursor();
    const [view] = await Promise.all([service.queries.run('experiment', input), service.runs.review()]);
    return { ...view, cursor, summary: { ...view.summary, run: service.runs.of(input.experiment) } };
  }),
  undrawn: os.experiments.undrawn.handler(answeredBy('undrawn')),
  trials: os.experiments.trials.handler(answeredBy('trialPage')),
  queues: os.experiments.queues.handler(answeredBy('queueCounts')),
  damage: os.experiments.damage.handler(async ({ context: { queries, knownFaults }, input, signal }) => {
    const damage = await queries.run('damage', input, signal);
    knownFaults.listed(input.experiment, damage);
    return damage;
  }),
  stats: os.experiments.stats.handler(async ({ context: service, input, signal }) => {
    const ask = (tell?: TellProgress) => service.queries.run('statistics', { ...input, cache: statisticsFolder() }, signal, tell);
    const report = await (input.quick ? ask() : service.progress.during(input.experiment, ask));
    // Of a report without intervals, the screens show only counts before the end.
    return input.quick ? report : noteLook(report, service.store.write);
  }),
  stagedStats: os.experiments.stagedStats.handler(({ context: service, input, signal: outer }) =>
    latestFrames<StagedStats>(outer, async (signal, show) => {
      const asked = { ...input, staged: true, cache: statisticsFolder() };
      let look: Promise<StatsReport> | undefined;
      const note = (report: StatsReport) => {
        look ??= noteLook(report, service.store.write);
      };
      const report = await service.progress
        .during(input.experiment, (tell) =>
          service.queries.run('statistics', asked, signal, ({ report: sofar, ...progress }) => {
            tell(progress);
            if (sofar === undefined) return;
            // A reader who leaves before the end has looked all the same.
            note(sofar);
            show({ kind: 'sofar', report: sofar });
          }),
        )
        .finally(() => look);
      note(report);
      const why = (await look)?.primary?.look_uncounted;
      const { primary } = report;
      if (why === undefined || primary == null) return { kind: 'whole', report };
      return { kind: 'whole', report: { ...report, primary: { ...primary, look_uncounted: why } } };
    }),
  ),
  watchStats: os.experiments.watchStats.handler(async ({ context: service, input: { experiment }, signal }) => {
    // Throws not-found.
    await service.queries.run('runOrder', { experiment }, signal);
    const { progress } = service;
    const source = newestOf((changed) => progress.onChange(() => changed('progress')), {
      progress: () => ({ progress: progress.of(experiment) }),
    });
    return follow(source, signal);
  }),
  calibrationChoices: os.experiments.calibrationChoices.handler(answeredBy('calibrationChoices')),
  calibrated: os.experiments.calibrated.handler(answeredBy('calibrated')),
  atPrevalence: os.experiments.atPrevalence.handler(answeredBy('atPrevalence')),
  compared: os.experiments.compared.handler(answeredBy('compared')),
  changed: os.experiments.changed.handler(answeredBy('changed')),
  flipped: os.experiments.flipped.handler(answeredBy('flipped')),
  deliberation: os.experiments.deliberation.handler(({ context: service, input, signal }) =>
    service.progress.during(input.experiment, (tell) =>
      service.queries.run('deliberation', { ...input, cache: statisticsFolder() }, signal, tell),
    ),
  ),
  protocols: os.experiments.protocols.handler(({ context: service, input, signal }) =>
    service.queries.run('protocolFigures', { ...input, cache: statisticsFolder() }, signal),
  ),
  watch: os.experiments.watch.handler(async ({ context: service, input: { experiment, cursor }, signal }) => {
    const source = experimentSource(service, experiment, cursor);
    // Throws not-found.
    await service.queries.run('runOrder', { experiment }, signal);
    return follow(source, signal);
  }),
};
