// Requests about experiments: their trials, statistics and reviews, what was said in them, and assistants that learn from them.
import { basename } from 'node:path';
import type { TrainFrame } from '../../../../shared/api/assistants.ts';
import type { ExperimentFrame } from '../../../../shared/api/experiments.ts';
import type { SearchFrame } from '../../../../shared/api/search.ts';
import type { StagedStats } from '../../../../shared/api/statistics.ts';
import type { StatsReport } from '../../../../shared/outputs.ts';
import { embedderOf, refuseForeignArms, type TrainingProgress, trainOnExperiment } from '../../lab/assistant/train.ts';
import { connectBackends, neededModels, readyBackends } from '../../lab/backends.ts';
import { loadFrozen } from '../../lab/frozen.ts';
import { countLook, noteLook, withUncounted } from '../../lab/looks.ts';
import { isOnThisMachine } from '../../models/dispatcher.ts';
import type { TellProgress } from '../../queries/query.ts';
import { reviewedVerdict } from '../../queries/reviewPage.ts';
import { statisticsFolder } from '../../report/statisticsCache.ts';
import { adjudicate, giveComment, giveReview, signRecord } from '../../reviews/ledger.ts';
import { answeredBy, os } from '../os.ts';
import { runBackends } from '../servers.ts';
import type { Service } from '../service.ts';
import { follow, latestFrames, newestOf, type StreamSource } from '../streams.ts';

const mostLines = 200;

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

/** How a look at results is counted: what says how far they are, and what writes it down. */
export const looking = ({ queries, store }: Service, experiment: string) =>
  [() => queries.run('primaryNow', { experiment }), store.write] as const;

export const experiments = {
  list: os.experiments.list.handler(async ({ context: service }) => {
    const [list] = await Promise.all([service.queries.run('experimentList', null), service.runs.review()]);
    return { ...list, experiments: list.experiments.map((summary) => ({ ...summary, run: service.runs.of(summary.name) })) };
  }),
  read: os.experiments.read.handler(async ({ context: service, input }) => {
    // Before the reading: what changes meanwhile is reported twice rather than lost.
    const cursor = service.changes.cursor();
    const [view] = await Promise.all([service.queries.run('experiment', input), service.runs.review()]);
    const { definition } = view;
    const backends = runBackends(definition.backends, 'ollama', await service.network.url('ollama'), service.settings.read());
    const asked = [...neededModels({ ...definition, backends }).keys()].flatMap((name) => backends[name]?.url ?? []);
    const asks = [...new Set(asked)].map((url) => ({ url, here: isOnThisMachine(url) }));
    return { ...view, cursor, asks, summary: { ...view.summary, run: service.runs.of(input.experiment) } };
  }),
  facts: os.experiments.facts.handler(answeredBy('experimentFacts')),
  undrawn: os.experiments.undrawn.handler(answeredBy('undrawn')),
  trials: os.experiments.trials.handler(answeredBy('trialPage')),
  cases: os.experiments.cases.handler(answeredBy('caseTable')),
  queues: os.experiments.queues.handler(answeredBy('queueCounts')),
  players: os.experiments.players.handler(answeredBy('players')),
  damage: os.experiments.damage.handler(async ({ context: { queries, knownFaults }, input, signal }) => {
    const damage = await queries.run('damage', input, signal);
    knownFaults.listed(input.experiment, damage);
    return damage;
  }),
  stats: os.experiments.stats.handler(async ({ context: service, input, signal }) => {
    const ask = (tell?: TellProgress) => service.queries.run('statistics', { ...input, cache: statisticsFolder() }, signal, tell);
    const report = await (input.quick ? ask() : service.progress.during(input.experiment, ask));
    // Of a report without intervals, the screens show only counts before the end.
    return input.quick ? report : noteLook(report, ...looking(service, input.experiment));
  }),
  stagedStats: os.experiments.stagedStats.handler(({ context: service, input, signal: outer }) =>
    latestFrames<StagedStats>(outer, async (signal, show) => {
      const asked = { ...input, staged: true, cache: statisticsFolder() };
      let look: Promise<string | null> | undefined;
      const [ask, write] = looking(service, input.experiment);
      const note = (report: StatsReport) => {
        look ??= countLook(input.experiment, () => (report.primary === undefined ? ask() : report), write);
        return look;
      };
      const report = await service.progress
        .during(input.experiment, (tell) =>
          service.queries.run('statistics', asked, signal, ({ report: sofar, ...progress }) => {
            tell(progress);
            if (sofar === undefined) return;
            // A reader who leaves before the end has looked all the same.
            void note(sofar);
            show({ kind: 'sofar', report: sofar });
          }),
        )
        .finally(() => look);
      return { kind: 'whole', report: withUncounted(report, await note(report)) };
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

const shownTo = ({ experiment, reviewer }: { readonly experiment: string; readonly reviewer: string }, trial: string) =>
  JSON.stringify([experiment, reviewer, trial]);

export const reviews = {
  next: os.reviews.next.handler(async ({ context: { queries, shownVerdicts }, input, signal }) => {
    const page = await queries.run('reviewPage', input, signal);
    if (page.task !== null && page.task.verdict !== null) shownVerdicts.add(shownTo(input, page.task.trial));
    return page;
  }),
  results: os.reviews.results.handler(async ({ context: service, input, signal }) => {
    const results = await service.queries.run('reviewResults', input, signal);
    await countLook(input.experiment, ...looking(service, input.experiment));
    return results;
  }),
  given: os.reviews.given.handler(answeredBy('givenReviews')),
  comments: os.reviews.comments.handler(answeredBy('comments')),
  comment: os.reviews.comment.handler(async ({ context: { store }, input }) => ({
    seq: await store.write((open) => giveComment(open, input)),
  })),
  disagreements: os.reviews.disagreements.handler(answeredBy('disagreementPage')),
  adjudicate: os.reviews.adjudicate.handler(async ({ context: { store }, input: { experiment, ...found } }) => ({
    seq: await store.write((open) => adjudicate(open, experiment, found)),
  })),
  signOffs: os.reviews.signOffs.handler(answeredBy('signOffPage')),
  sign: os.reviews.sign.handler(async ({ context: { store }, input: { experiment, ...signed } }) => ({
    seq: await store.write((open) => signRecord(open, experiment, signed)),
  })),
  give: os.reviews.give.handler(async ({ context: { store, queries, shownVerdicts }, input: { experiment, ...review } }) => {
    const blind = review.blind && !shownVerdicts.has(shownTo({ experiment, reviewer: review.reviewer }, review.trial));
    const seq = await store.write((open) => giveReview(open, experiment, { ...review, blind }));
    return { seq, verdict: reviewedVerdict(await queries.run('trialLine', { trial: review.trial })) };
  }),
};

export const search = {
  find: os.search.find.handler(({ context: { queries }, input, signal: outer }) =>
    latestFrames<SearchFrame>(outer, async (signal, show) => ({
      kind: 'done',
      result: await queries.run('search', input, signal, ({ counted }) => {
        if (counted !== undefined) show({ kind: 'progress', ...counted });
      }),
    })),
  ),
};

async function train(
  service: Service,
  experiment: string,
  signal: AbortSignal,
  onProgress: (progress: TrainingProgress) => void,
) {
  const { queries, network, settings } = service;
  const order = await queries.run('runOrder', { experiment }, signal);
  const choice = order?.backend ?? 'ollama';
  const url = await network.url(choice);
  return service.store.write(async (store) => {
    const frozen = loadFrozen(store, experiment);
    refuseForeignArms(frozen);
    const embedder = embedderOf(frozen, undefined);
    const { runtime } = frozen.definition;
    const backends = runBackends(frozen.definition.backends, choice, url, settings.read());
    const models = connectBackends(network.dispatcher(), backends, runtime);
    const needed = neededModels({
      runtime,
      backends,
      arms: [{ name: '', protocol: '', params: {}, belief: 'verbal', cast: { embedder } }],
    });
    const report = await trainOnExperiment(store, frozen, await readyBackends(models, needed), embedder, {
      signal,
      onProgress(progress) {
        service.store.checkPlace();
        onProgress(progress);
      },
      fitInWorker: (input) => queries.run('assistantFit', input, signal),
    });
    return { ...report, store: basename(report.store) };
  });
}

/** Where it ends before its end, its vectors are kept. */
const trained = (service: Service, experiment: string, outer: AbortSignal | undefined): AsyncGenerator<TrainFrame, void> =>
  latestFrames<TrainFrame>(outer, async (signal, show) => ({
    kind: 'done',
    report: await train(service, experiment, signal, (progress) => show({ kind: 'progress', ...progress })),
  }));

export const assistants = {
  look: os.assistants.look.handler(answeredBy('assistants')),
  train: os.assistants.train.handler(({ context: service, input: { experiment }, signal }) =>
    trained(service, experiment, signal),
  ),
};
