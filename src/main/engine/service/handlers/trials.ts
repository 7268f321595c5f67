// Requests about runs and trials, and the streams of those under way.

import { isUnderWay } from '../../../../shared/api/engine.ts';
import type { LiveFrame, TrialFrame } from '../../../../shared/api/trials.ts';
import { type Outcome, outcomeSchema } from '../../../../shared/domain.ts';
import { badInput } from '../../../../shared/errors.ts';
import type { Writing } from '../../../../shared/longCalls.ts';
import { answerModeration } from '../../lab/moderation.ts';
import { beginOf, refuseTime } from '../gate.ts';
import { answeredBy, os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, type StreamSource } from '../streams.ts';

const outcomes = new Set<string>(outcomeSchema.options);

/** Starts a run of an experiment on the record, as it was last run. Throws where one is under way. */
async function startAgain(
  service: Service,
  experiment: string,
  {
    retry,
    demo,
    ...how
  }: {
    readonly retry: readonly Outcome[];
    readonly demo?: boolean | undefined;
    readonly only?: string;
    readonly heldUntil?: string | null;
    readonly between?: string | null;
  },
): Promise<void> {
  const order = await service.queries.run('runOrder', { experiment });
  const { concurrency } = service.settings.read();
  service.runs.start(experiment, {
    ...(order ?? { backend: 'ollama' as const }),
    ...(demo === undefined ? {} : { backend: demo ? ('standin' as const) : ('ollama' as const) }),
    // The setting of now, which holds for runs that start from now on.
    concurrency,
    retry,
    ...how,
  });
}

async function tryAgain(service: Service, experiment: string, trial: string): Promise<void> {
  const line = await service.queries.run('trialLine', { trial });
  if (line.experiment !== experiment || line.outcome === null || line.outcome === 'decided')
    throw badInput('this trial did not end without a verdict', 'trial');
  await startAgain(service, experiment, { retry: [line.outcome], only: trial });
}

export const runs = {
  resume: os.runs.resume.handler(async ({ context: service, input: { experiment, retry, trial, demo, until, between } }) => {
    if ((until ?? between) !== null && (trial !== null || (retry.length > 0 && service.runs.of(experiment)?.state === 'paused')))
      throw badInput('what is tried again begins at once; leave the time out', 'until');
    if (trial !== null) return tryAgain(service, experiment, trial);
    const unknown = retry.find((outcome) => !outcomes.has(outcome) || outcome === 'decided');
    if (unknown !== undefined) {
      throw badInput(`${JSON.stringify(unknown)} is no outcome that can be tried again`, 'retry');
    }
    const outcomesToRetry = retry.map((outcome) => outcomeSchema.parse(outcome));
    if (service.runs.of(experiment)?.state === 'paused') {
      if (until === null && between === null) service.runs.resume(experiment, outcomesToRetry);
      else service.runs.pause(experiment, until, between);
      return;
    }
    if (until !== null) refuseTime(until);
    await startAgain(service, experiment, { retry: outcomesToRetry, demo, heldUntil: beginOf(between, until), between });
  }),
  pause: os.runs.pause.handler(({ context: service, input: { experiment } }) => service.runs.pause(experiment)),
  stop: os.runs.stop.handler(({ context: service, input: { experiment } }) => service.runs.stop(experiment)),
};

/** Events of a trial after a place, then what comes, with its line and the answer that is being written. */
function trialSource(
  { changes, queries }: Pick<Service, 'changes' | 'queries'>,
  trial: string,
  from: number,
): StreamSource<TrialFrame> {
  let after = from;
  let grown = true;
  let lineChanged = true;
  let sent: readonly Writing[] = [];
  return {
    listen: (tell) =>
      changes.onTrial(trial, (what) => {
        grown ||= what !== 'writing';
        lineChanged ||= what === 'line';
        tell();
      }),
    async take() {
      const frames: TrialFrame[] = [];
      if (grown) {
        grown = false;
        const { lastSeq, entries } = await queries.run('trialEntries', { trial, after });
        after = lastSeq;
        if (entries.length > 0) frames.push({ kind: 'entries', lastSeq, entries });
      }
      if (lineChanged) {
        lineChanged = false;
        frames.push({ kind: 'line', line: await queries.run('trialLine', { trial }) });
      }
      // Last, so that nothing in it is in the chain already.
      const writing = changes.writing(trial);
      for (const each of writing) if (!sent.includes(each)) frames.push({ kind: 'tokens', ...each });
      sent = writing;
      return frames;
    },
  };
}

/** Trials that one stream follows; servers have fewer places. Further ones are taken up as others end. */
const mostCourts = 100;
/** Trials that are read at a time, so that the first are there before the last are read. */
const mostOpened = 4;

interface Court {
  readonly source: ReturnType<typeof trialSource>;
  readonly stop: () => void;
}

/** The trials under way, what is said and being written in them, as in their own streams. @param experiment null: of all runs */
function liveSource(service: Pick<Service, 'changes' | 'queries' | 'runs'>, experiment: string | null): StreamSource<LiveFrame> {
  const { changes, queries, runs } = service;
  const courts = new Map<string, Court>();
  /** Trials that began and are not followed yet. */
  const begun = new Set<string>();
  const changed = new Set<string>();
  let isOpen = false;
  let ring: () => void = () => undefined;

  const follow = (trial: string, after: number) => {
    const source = trialSource(service, trial, after);
    const stop = source.listen(() => {
      changed.add(trial);
      ring();
    });
    courts.set(trial, { source, stop });
    // What came between the reading and now.
    changed.add(trial);
    ring();
  };

  const readRunning = async () => {
    const names = runs.all().flatMap((run) => (isUnderWay(run) ? [run.experiment] : []));
    for (const name of names) {
      if (experiment !== null && name !== experiment) continue;
      const { lines } = await queries.run('trialPage', {
        ...{ experiment: name, status: 'running', order: 'newest', offset: 0, limit: mostCourts },
      });
      for (const { trial } of lines) if (!courts.has(trial)) begun.add(trial);
    }
  };

  const takeChanges = async (): Promise<LiveFrame[]> => {
    const shown = [...changed].flatMap((trial) => {
      const court = courts.get(trial);
      return court === undefined ? [] : [{ trial, court }];
    });
    changed.clear();
    const changes = await Promise.all(
      shown.map(async ({ trial, court }) => {
        const frames = await court.source.take();
        if (frames.some((frame) => frame.kind === 'line' && frame.line.status === 'done')) {
          court.stop();
          courts.delete(trial);
        }
        return { trial, frames };
      }),
    );
    const news = changes.filter(({ frames }) => frames.length > 0);
    return news.length === 0 ? [] : [{ kind: 'changes', changes: news }];
  };

  const takeBegun = async (): Promise<LiveFrame[]> => {
    const next = [...begun].slice(0, Math.min(mostOpened, mostCourts - courts.size));
    for (const trial of next) begun.delete(trial);
    const views = await Promise.all(next.map((trial) => queries.run('trial', { trial })));
    // The others have ended meanwhile.
    const running = views.filter(({ line }) => line.status === 'running');
    for (const { line, lastSeq } of running) follow(line.trial, lastSeq);
    if (next.length > 0) ring();
    return running.map((view) => ({ kind: 'court', view }));
  };

  return {
    listen(tell) {
      ring = tell;
      const stop = changes.onLines((of, trial) => {
        if ((experiment !== null && of !== experiment) || courts.has(trial)) return;
        begun.add(trial);
        tell();
      });
      return () => {
        stop();
        for (const court of courts.values()) court.stop();
        courts.clear();
      };
    },
    async take() {
      if (!isOpen) {
        isOpen = true;
        await readRunning();
      }
      return [...(await takeChanges()), ...(await takeBegun())];
    },
  };
}

export const trials = {
  read: os.trials.read.handler(async ({ context: { queries, knownFaults }, input, signal }) => {
    const view = await queries.run('trial', input, signal);
    knownFaults.trial('trial', view.line.experiment, input.trial, view.damage);
    return view;
  }),
  alike: os.trials.alike.handler(answeredBy('alikeCases')),
  call: os.trials.call.handler(answeredBy('call')),
  check: os.trials.check.handler(async ({ context: { queries, knownFaults }, input, signal }) => {
    const check = await queries.run('trialCheck', input, signal);
    const { experiment } = await queries.run('trialLine', input, signal);
    const { chain, replay, problem } = check;
    knownFaults.trial('trial-check', experiment, input.trial, chain === 'intact' ? null : (problem ?? 'it fails its check'));
    // A trial that could not be replayed says nothing of what a replay found before, and the replay of a broken chain nothing of the trial.
    if (chain === 'intact' && (replay === 'identical' || replay === 'different'))
      knownFaults.trial('replay', experiment, input.trial, replay === 'identical' ? null : (problem ?? 'its replay differs'));
    return check;
  }),
  moderate: os.trials.moderate.handler(async ({ context: service, input: { trial, moderation } }) => {
    const { experiment } = await service.queries.run('trialLine', { trial });
    await service.store.write((store) => answerModeration(store, experiment, trial, moderation));
    service.changes.trial(experiment, trial, 'events');
    // A run under way takes the trial up when it gets to it.
    if (!isUnderWay(service.runs.of(experiment))) await startAgain(service, experiment, { retry: [] });
  }),
  watch: os.trials.watch.handler(async ({ context: service, input: { trial, after }, signal }) => {
    // Throws not-found.
    await service.queries.run('trialLine', { trial }, signal);
    return follow(trialSource(service, trial, after), signal);
  }),
};

export const live = {
  watch: os.live.watch.handler(async ({ context: service, input: { experiment }, signal }) => {
    // Throws not-found.
    if (experiment !== null) await service.queries.run('runOrder', { experiment }, signal);
    return follow(liveSource(service, experiment), signal);
  }),
};
