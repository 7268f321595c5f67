import { setTimeout as sleep } from 'node:timers/promises';
import type { Pull } from '../../../../shared/api/models.ts';
import { badInput } from '../../../../shared/errors.ts';
import { byteSize } from '../../../../shared/sizes.ts';
import { fullModelName } from '../../lab/backends.ts';
import { type SupervisorClock, systemClock } from '../../service/supervisor.ts';
import { cloudRefusal, type OllamaLibrary } from './client.ts';

import {
  CutPull,
  isWhole,
  judgePullFailure,
  nothingPulled,
  openPullRate,
  type PullFailure,
  type PullLine,
  type PullProgress,
  secondsLeft,
  sumOf,
  withLine,
} from './pullProgress.ts';

/** What tests replace. */
export interface PullClock extends SupervisorClock {
  /** Rejects when the signal fires. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const usualClock: PullClock = {
  ...systemClock,
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Pauses before a broken pull is taken up again, in seconds: each further one that brought nothing waits longer. */
const pausesInSeconds = [1, 2, 4, 8, 16, 30, 30, 30, 30];

/** Damaged files of one model before it is given up: each was fetched as a whole for nothing. */
const mostDamaged = 2;

/** Pulls that are kept on the list when they have ended. */
const mostEnded = 200;

interface Job {
  pull: Pull;
  readonly controller: AbortController;
}

export type PullManager = ReturnType<typeof openPullManager>;

export interface PullManagerOptions {
  readonly library: () => Promise<OllamaLibrary>;
  /** Bytes free where the server keeps its models; null where it is not known. */
  readonly diskFree: () => Promise<number | null>;
  readonly onChange: () => void;
  readonly onPulled: () => void;
  /** A server's words as they may be shown. */
  readonly tellable?: (text: string) => string;
  readonly clock?: PullClock;
}

/** While nothing comes. */
const still = { bytes_per_second: null, seconds_left: null, silent_seconds: null } as const;

const newPull = (model: string): Pull => ({
  ...still,
  model,
  state: 'waiting',
  status: 'waiting for its turn',
  layers: [],
  completed: 0,
  total: 0,
  resumed: 0,
  problem: null,
  warning: null,
});

const isOver = ({ state }: Pull): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

/** The pulls of this start of the program: one after the other, each taken up again by itself where it breaks. */
export function openPullManager(options: PullManagerOptions) {
  const { clock = usualClock, tellable = (text) => text } = options;
  let jobs: Job[] = [];
  let turn: Promise<void> | null = null;
  let closed = false;

  const jobOf = (model: string) => jobs.find(({ pull }) => fullModelName(pull.model) === fullModelName(model));

  const change = (job: Job, part: Partial<Pull>) => {
    job.pull = { ...job.pull, ...part };
    options.onChange();
  };

  const showProgress = (job: Job, { state, status, layers }: PullProgress, bytes_per_second: number | null) => {
    const sums = sumOf(layers);
    const seconds_left = state === 'verifying' ? null : secondsLeft(sums.total - sums.completed, bytes_per_second);
    change(job, { ...still, state, status: tellable(status), layers: [...layers], ...sums, bytes_per_second, seconds_left });
  };

  /** What is still to be fetched of the layers that are known, against what is free. */
  const lookAtDisk = async (job: Job) => {
    const free = await options.diskFree().catch(() => null);
    const { completed, total } = job.pull;
    const short = free !== null && !isOver(job.pull) && total - completed > free;
    const warning = short
      ? `About ${byteSize(total - completed)} are still missing, and ${byteSize(free)} are free on the models’ disk.`
      : null;
    if (warning !== job.pull.warning) change(job, { warning });
  };

  /** One connection after the other, until the model is there or nothing helps. */
  async function fetchModel(job: Job): Promise<void> {
    const { signal } = job.controller;
    const { model } = job.pull;
    const library = await options.library();
    if (signal.aborted) return;
    let progress = nothingPulled;
    let vain = 0;
    let damaged = 0;
    change(job, { state: 'pulling', status: nothingPulled.status });
    while (!signal.aborted) {
      const rate = openPullRate(clock.now());
      const before = sumOf(progress.layers).completed;
      try {
        await attemptPull(
          library,
          model,
          {
            onLine(line) {
              // What is still on its way after a cancel no longer counts.
              if (signal.aborted) return;
              const known = progress.layers.length;
              const now = clock.now();
              progress = withLine(progress, line);
              rate.see(line, now);
              showProgress(job, progress, rate.bytesPerSecond(now));
              if (progress.layers.length > known) void lookAtDisk(job);
            },
            onSilence(seconds) {
              if (!signal.aborted) change(job, { ...still, silent_seconds: seconds });
            },
          },
          { signal, clock },
        );
        change(job, { ...still, state: 'done', warning: null });
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = judgePullFailure(error, library.url);
        vain = rate.fetched() > 0 || sumOf(progress.layers).completed > before ? 0 : vain + 1;
        if (failure.damaged) damaged += 1;
        const hopeless = failure.permanent || damaged > mostDamaged;
        const pause = hopeless ? undefined : pausesInSeconds[Math.max(0, vain - 1)];
        if (pause === undefined) return fail(job, failure, vain);
        const status = `interrupted: ${tellable(failure.reason)}; continuing in ${pause} s`;
        change(job, { ...still, state: 'pulling', status });
        // The wait ends early only when it is cancelled, which the loop sees.
        await clock.wait(pause * 1000, signal).catch(() => undefined);
        if (!signal.aborted) change(job, { resumed: job.pull.resumed + 1, status: nothingPulled.status });
      }
    }
  }

  const fail = (job: Job, { reason, remedy, permanent, damaged }: PullFailure, tries: number) => {
    const times = permanent || damaged ? '' : ` after ${tries} tries that brought nothing`;
    change(job, { ...still, state: 'failed', problem: `It was given up${times}: ${tellable(reason)}. ${remedy}`.trim() });
  };

  async function serveQueue(): Promise<void> {
    for (;;) {
      const job = jobs.findLast(({ pull }) => pull.state === 'waiting');
      if (job === undefined || closed) return;
      try {
        await fetchModel(job);
      } catch (error) {
        if (!isOver(job.pull)) fail(job, judgePullFailure(error, 'the server'), 0);
      }
      if (job.pull.state === 'done') options.onPulled();
    }
  }

  const start = () => {
    turn ??= serveQueue().finally(() => {
      turn = null;
      // One may have come in the meantime.
      if (!closed && jobs.some(({ pull }) => pull.state === 'waiting')) start();
    });
  };

  const end = (job: Job) => {
    if (isOver(job.pull)) return;
    job.controller.abort();
    change(job, { ...still, state: 'cancelled', status: 'cancelled' });
  };

  return {
    /** The newest first. */
    list: (): readonly Pull[] => jobs.map(({ pull }) => pull),
    /** Queues models; one that is under way is not changed. Throws bad input for cloud models. */
    add(models: readonly string[]): void {
      for (const model of models) {
        const refusal = cloudRefusal(model);
        if (refusal !== null) throw badInput(`${model}: ${refusal}`, 'models');
      }
      for (const model of models) {
        const job = jobOf(model);
        if (job !== undefined && !isOver(job.pull)) continue;
        jobs = [{ pull: newPull(model), controller: new AbortController() }, ...jobs.filter((other) => other !== job)];
      }
      const ended = jobs.filter(({ pull }) => isOver(pull)).slice(mostEnded);
      jobs = jobs.filter((job) => !ended.includes(job));
      options.onChange();
      start();
    },
    /** Throws bad input where there is none under way. */
    cancel(model: string): void {
      const job = jobOf(model);
      if (job === undefined || isOver(job.pull)) throw badInput(`${model} is not being fetched`, 'model');
      end(job);
    },
    /** Takes an ended one off the list. Throws bad input where it still runs, or there is none. */
    dismiss(model: string): void {
      const job = jobOf(model);
      if (job === undefined) throw badInput(`there is no pull of ${model}`, 'model');
      if (!isOver(job.pull)) throw badInput(`${model} is being fetched; cancel that first`, 'model');
      jobs = jobs.filter((other) => other !== job);
      options.onChange();
    },
    underWay(model: string): boolean {
      const job = jobOf(model);
      return job !== undefined && !isOver(job.pull);
    },
    /** Resolves when nothing waits and nothing runs. */
    async idle(): Promise<void> {
      while (turn !== null) await turn;
    },
    /** Calls all off, and resolves when their connections are closed. */
    async close(): Promise<void> {
      closed = true;
      for (const job of jobs) end(job);
      await turn;
    },
  };
}

/** How long the server may be silent, in milliseconds. While it fetches it writes seventeen lines a second. */
const patience = {
  /** Until its silence is reported. */
  notice: 10_000,
  /** While it looks for the model, and while it fetches. */
  fetching: 60_000,
  /** While it reads all of a large model again to check it, and writes down what it has. */
  verifying: 1_800_000,
};

/**
 * One connection. Resolves with success; the connection is always closed at the end. Throws as
 * `OllamaLibrary.pull`, and `CutPull` where the server has been silent for too long.
 * @param heard.onSilence called with the seconds without a word while something should come
 */
async function attemptPull(
  library: Pick<OllamaLibrary, 'pull'>,
  model: string,
  heard: { readonly onLine: (line: PullLine) => void; readonly onSilence: (seconds: number) => void },
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: SupervisorClock },
): Promise<void> {
  const silence = new AbortController();
  let since = clock.now();
  let verifying = false;
  let callOff = () => {};
  const look = () => {
    const silent = clock.now() - since;
    if (silent >= (verifying ? patience.verifying : patience.fetching)) {
      // A connection without answers has broken.
      return silence.abort(new CutPull(`the server said nothing for ${Math.round(silent / 1000)} s`));
    }
    if (!verifying && silent >= patience.notice) heard.onSilence(Math.round(silent / 1000));
    callOff = clock.after(patience.notice / 10, look);
  };
  look();
  try {
    await library.pull(
      model,
      (line) => {
        since = clock.now();
        verifying = line.digest === undefined && isWhole(line.status);
        heard.onLine(line);
      },
      AbortSignal.any([signal, silence.signal]),
    );
  } catch (error) {
    throw silence.signal.aborted && !signal.aborted ? silence.signal.reason : error;
  } finally {
    callOff();
    silence.abort();
  }
}
