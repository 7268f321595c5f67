import { setTimeout as sleep } from 'node:timers/promises';
import type { Pull } from '../../../../shared/api/models.ts';
import { badInput } from '../../../../shared/errors.ts';
import { byteSize } from '../../../../shared/sizes.ts';
import { fullModelName } from '../../lab/backends.ts';
import { type SupervisorClock, systemClock } from '../../service/supervisor.ts';
import type { OllamaLibrary } from './client.ts';
import { cloudRefusal } from './listed.ts';
import { attemptPull, type PullPatience, usualPatience } from './pullAttempt.ts';
import { judgePullFailure, type PullFailure } from './pullFailure.ts';
import { nothingPulled, type PullProgress, sumOf, withLine } from './pullProgress.ts';
import { PullRate, secondsLeft } from './pullRate.ts';

/** What tests replace. */
export interface PullClock extends SupervisorClock {
  /** Rejects when the signal fires. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const usualClock: PullClock = {
  ...systemClock,
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Pauses before a broken pull is gone on with, in seconds: each further one that brought nothing waits longer. */
const pausesInSeconds = [1, 2, 4, 8, 16, 30, 30, 30, 30];

/** Files of one model that may come damaged before it is given up: each was fetched in vain as a whole. */
const mostDamaged = 2;

/** Pulls that are kept on the list when they have ended. */
const mostEnded = 200;

interface Job {
  pull: Pull;
  readonly controller: AbortController;
}

/** The pulls of this start of the program: one after the other, each gone on with by itself where it breaks. */
export interface PullDesk {
  /** The newest first. */
  list(): readonly Pull[];
  /** Queues models; one that is under way already is left as it is. Throws bad input for cloud models. */
  add(models: readonly string[]): void;
  /** Throws bad input where there is none under way. */
  cancel(model: string): void;
  /** Takes an ended one off the list. Throws bad input where it goes on, or there is none. */
  dismiss(model: string): void;
  /** Whether a pull of the model waits or goes on. */
  underWay(model: string): boolean;
  /** Resolves when nothing waits and nothing goes on. */
  idle(): Promise<void>;
  /** Calls all off, and resolves when their connections are closed. */
  close(): Promise<void>;
}

export interface PullDeskOptions {
  /** The server to ask, looked for anew for each model. */
  readonly library: () => Promise<OllamaLibrary>;
  /** Bytes free where the server keeps its models; null where nobody knows. */
  readonly diskFree: () => Promise<number | null>;
  /** Told whenever the list has changed. */
  readonly onChange: () => void;
  /** Told when a model is there. */
  readonly onPulled: () => void;
  /** A server's words as they may be shown. */
  readonly tellable?: (text: string) => string;
  readonly clock?: PullClock;
  readonly patience?: PullPatience;
}

const newPull = (model: string): Pull => ({
  model,
  state: 'waiting',
  status: 'waiting for its turn',
  layers: [],
  completed: 0,
  total: 0,
  bytes_per_second: null,
  seconds_left: null,
  resumed: 0,
  problem: null,
  warning: null,
  silent_seconds: null,
});

const isOver = ({ state }: Pull): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

export function openPullDesk(options: PullDeskOptions): PullDesk {
  const { clock = usualClock, patience = usualPatience, tellable = (text) => text } = options;
  let jobs: Job[] = [];
  let turn: Promise<void> | null = null;
  let closed = false;

  const jobOf = (model: string) => jobs.find(({ pull }) => fullModelName(pull.model) === fullModelName(model));

  const change = (job: Job, part: Partial<Pull>) => {
    job.pull = { ...job.pull, ...part };
    options.onChange();
  };

  const showProgress = (job: Job, { state, status, layers }: PullProgress, rate: number | null) => {
    const sums = sumOf(layers);
    const left = state === 'verifying' ? null : secondsLeft(sums.total - sums.completed, rate);
    change(job, {
      state,
      status: tellable(status),
      layers: [...layers],
      ...sums,
      bytes_per_second: rate,
      seconds_left: left,
      silent_seconds: null,
    });
  };

  /** What is still to be fetched of the layers that are known, against what is free. */
  const lookAtDisk = async (job: Job) => {
    const free = await options.diskFree().catch(() => null);
    const { completed, total } = job.pull;
    const short = free !== null && !isOver(job.pull) && total - completed > free;
    const warning = short
      ? `About ${byteSize(total - completed)} are still to be fetched, and ${byteSize(free)} are free where the models lie.`
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
      const rate = new PullRate(clock.now());
      const before = sumOf(progress.layers).completed;
      try {
        await attemptPull(
          library,
          model,
          {
            onLine(line) {
              // What is still on its way when it is called off no longer counts.
              if (signal.aborted) return;
              const known = progress.layers.length;
              const now = clock.now();
              progress = withLine(progress, line);
              rate.see(line, now);
              showProgress(job, progress, rate.bytesPerSecond(now));
              if (progress.layers.length > known) void lookAtDisk(job);
            },
            onSilence(seconds) {
              if (!signal.aborted) change(job, { silent_seconds: seconds, bytes_per_second: null, seconds_left: null });
            },
          },
          { signal, clock, patience },
        );
        change(job, { state: 'done', silent_seconds: null, bytes_per_second: null, seconds_left: null, warning: null });
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = judgePullFailure(error, library.url);
        vain = rate.fetched > 0 || sumOf(progress.layers).completed > before ? 0 : vain + 1;
        if (failure.damaged) damaged += 1;
        const hopeless = failure.permanent || damaged > mostDamaged;
        const pause = hopeless ? undefined : pausesInSeconds[Math.max(0, vain - 1)];
        if (pause === undefined) return fail(job, failure, vain);
        change(job, {
          state: 'pulling',
          silent_seconds: null,
          status: `interrupted: ${tellable(failure.reason)}; going on in ${pause} s`,
          bytes_per_second: null,
          seconds_left: null,
        });
        // The wait ends early only when it is called off, which the loop sees.
        await clock.wait(pause * 1000, signal).catch(() => undefined);
        if (!signal.aborted) change(job, { resumed: job.pull.resumed + 1, status: nothingPulled.status });
      }
    }
  }

  const fail = (job: Job, { reason, mend, permanent, damaged }: PullFailure, tries: number) => {
    const times = permanent || damaged ? '' : ` after ${tries} tries that brought nothing`;
    change(job, {
      state: 'failed',
      silent_seconds: null,
      problem: `It was given up${times}: ${tellable(reason)}. ${mend}`.trim(),
      bytes_per_second: null,
      seconds_left: null,
    });
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
    change(job, { state: 'cancelled', status: 'called off', silent_seconds: null, bytes_per_second: null, seconds_left: null });
  };

  return {
    list: () => jobs.map(({ pull }) => pull),
    add(models) {
      for (const model of models) {
        const refusal = cloudRefusal(model);
        if (refusal !== null) throw badInput(`${model}: ${refusal}`, { field: 'models' });
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
    cancel(model) {
      const job = jobOf(model);
      if (job === undefined || isOver(job.pull)) throw badInput(`${model} is not being fetched`, { field: 'model' });
      end(job);
    },
    dismiss(model) {
      const job = jobOf(model);
      if (job === undefined) throw badInput(`there is no pull of ${model}`, { field: 'model' });
      if (!isOver(job.pull)) throw badInput(`${model} is being fetched; cancel that first`, { field: 'model' });
      jobs = jobs.filter((other) => other !== job);
      options.onChange();
    },
    underWay(model) {
      const job = jobOf(model);
      return job !== undefined && !isOver(job.pull);
    },
    async idle() {
      while (turn !== null) await turn;
    },
    async close() {
      closed = true;
      for (const job of jobs) end(job);
      await turn;
    },
  };
}
