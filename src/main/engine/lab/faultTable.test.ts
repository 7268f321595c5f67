import { afterAll, describe, expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { replayStore } from '../audit/replay.ts';
import { verifyStore } from '../audit/verify.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { type FaultKind, faultKinds } from '../models/demo/profiles.ts';
import { lastingPort } from '../models/testing/server.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { callFinder, type Laboratory, openLaboratory, type Plan, timeless, until } from './testing/laboratory.ts';

/** Where in its trial a fault hits; the n-th case is hit at the n-th place, and the last case nowhere. */
const places = [
  ['first call', 'turn-1/prosecutor'],
  ['mid-trial', 'turn-1/after-prosecutor'],
  ['ruling', 'ruling/judge'],
] as const;
const cases = places.length + 1;
type Row = readonly [string, string, string];
type BackendKind = BackendDefinition['kind'];
const backendKinds: readonly BackendKind[] = ['ollama', 'openai'];
const durations = ['once', 'lasting'] as const;

/** Calls of a trial in which nothing goes wrong; every failed attempt that is asked again adds one. */
const calls = 5;
const again = `decided ${calls + 1}`;
const unharmed = `decided ${calls}`;
/** The turn is given up and the trial continues; without a ruling the failure is the outcome. */
const lost = (failure: string, attempts = calls + 2): Row => [
  `decided without ${failure} turn ${attempts}`,
  `decided without ${failure} turn ${attempts}`,
  `${failure} ${attempts}`,
];
const declined = [`decided without undecided turn ${calls}`, `undecided ${calls}`] as const;
const same = (outcome: string): Row => [outcome, outcome, outcome];

/**
 * What a fault leads to when it hits one attempt, and when it hits every attempt of a call; `|` parts what
 * depends on how the text was spoiled.
 */
const expected: Readonly<Record<FaultKind, { once: Row; lasting: Row }>> = {
  malformed: { once: same(again), lasting: lost('malformed') },
  prose: { once: same(again), lasting: lost('malformed') },
  'http-500': { once: same(again), lasting: lost('backend_error') },
  // The server is overloaded: the run waits, and what it waits for is no attempt.
  'http-503': { once: same(unharmed), lasting: same('no-backend') },
  cut: { once: same(again), lasting: lost('backend_error') },
  // The server answers others: the call failed, not the server.
  hang: { once: same(again), lasting: lost('timeout') },
  truncated: { once: same(again), lasting: lost('truncated') },
  // To decline is an answer of the judge, and none of an advocate.
  declining: {
    once: [again, ...declined],
    lasting: ['decided without malformed turn 7', ...declined],
  },
  // A speech has no label.
  'wrong-label': {
    once: [unharmed, again, again],
    lasting: [unharmed, 'decided without invalid_label turn 7', 'invalid_label 7'],
  },
  garbage: { once: same(again), lasting: lost('backend_error') },
  'error-line': { once: same(again), lasting: lost('backend_error') },
  // The same prompt would be too long again.
  overflow: { once: lost('overflow', calls), lasting: lost('overflow', calls) },
  empty: { once: same(again), lasting: lost('malformed') },
  // The server is healthy and answers other calls: this one is given up, and the run continues.
  reset: { once: same(again), lasting: lost('backend_error') },
  loop: { once: same(again), lasting: lost('truncated') },
};

const leave = (standin: DemoServer): Promise<void> => {
  standin.leave();
  return Promise.resolve();
};
/** How a server goes away under a call and comes back: what the call sees, and what the server does. */
const departures: readonly (readonly [string, FaultKind, (standin: DemoServer) => Promise<void>])[] = [
  ['refused', 'hang', (standin) => standin.close()],
  ['dies in mid-stream', 'cut', leave],
  ['error line, gone', 'error-line', leave],
  ['500, gone', 'http-500', leave],
  ['stalls, gone', 'hang', leave],
];

const table: string[][] = [['backend', 'fault', 'hits', ...places.map(([name]) => name), 'the others']];

afterAll(() => {
  const rows = [table[0] ?? [], ...table.slice(1).toSorted(([a = ''], [b = '']) => a.localeCompare(b))];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(
    `\n${lines.join('\n')}\n(the number counts attempts, of which an undisturbed trial has ${calls}; ` +
      `after an arrow: what the trial came to when the run was begun again)\n`,
  );
});

/** The call of a request, if the fault should hit it. */
type Target = { readonly attempt: number; readonly seed: number };

interface Bench {
  readonly standin: DemoServer;
  readonly lab: Laboratory;
  close(): Promise<void>;
}

/**
 * A demo model and an experiment of four trials, three of which have a call that is hit.
 * @param hit decides how an attempt at such a call goes wrong, if at all
 */
async function openBench(
  plan: Omit<Plan, 'url' | 'cases'>,
  hit: (target: Target, bench: Bench) => FaultKind | null,
): Promise<Bench> {
  const standin = await startDemoServer({
    port: await lastingPort(),
    models: ['m:1'],
    anyModel: false,
    fault({ seed }) {
      const call = callOf(seed);
      if (seed === null || call === undefined) return null;
      if (places[Number(call.trial.caseId.slice(1))]?.[1] !== call.key) return null;
      const kind = hit({ attempt: call.attempt, seed }, bench);
      return kind === null ? null : { kind };
    },
  });
  const lab = await openLaboratory({ url: standin.url, cases, ...plan });
  const callOf = callFinder(
    lab.trials,
    places.map(([, key]) => key),
    3,
  );
  const bench: Bench = {
    standin,
    lab,
    async close() {
      await lab.close();
      await standin.close();
    },
  };
  return bench;
}

/** Runs to the end, or to the failure whose code it returns. */
async function runOf(lab: Laboratory, options: Parameters<Laboratory['run']>[0] = {}): Promise<string | null> {
  try {
    await lab.run({ concurrency: cases, ...options });
    return null;
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return error.code;
  }
}

function outcomesOf(lab: Laboratory, stopped: string | null): string[] {
  return lab
    .lines()
    .toSorted((a, b) => a.case.localeCompare(b.case))
    .map((line) => {
      const forfeits = lab.chain(line.trial).flatMap((event) => (event.kind === 'turn-forfeit' ? [event.payload.failure] : []));
      const without = forfeits.length === 0 ? '' : ` without ${forfeits.join()} turn`;
      expect(line.incomplete).toBe(forfeits.length > 0);
      return line.outcome === null ? String(stopped) : `${line.outcome}${without} ${line.attempts}`;
    });
}

/** Nothing is still under way, and the record holds and can be derived again. */
async function expectWhole({ standin, lab }: Bench): Promise<void> {
  // The server notices a closed connection a moment later.
  await until(() => standin.load().busy === 0);
  expect(standin.load()).toEqual({ busy: 0, waiting: 0 });
  expect(verifyStore(lab.store, {}).result).toBe('intact');
  const reader = openStoreReadOnly(lab.store.path);
  try {
    const replayed = await replayStore(reader, reader.trials.all(), () => undefined);
    expect(replayed).toMatchObject({ identical: cases, different: 0, not_replayable: 0, unfinished: 0 });
  } finally {
    reader.close();
  }
}

/** A limit that a busy machine could reach by itself is set only where the fault should reach it. */
const impatient = (fault: FaultKind) => (fault === 'hang' ? { idleSeconds: 4 } : {});

describe.each(backendKinds)('%s', (kind) => {
  const turn = backendKinds.indexOf(kind);
  /** One place of each fault for a kind of server, another one for the other kind; the exhaustive suite takes all. */
  const placesOf = (fault: number) =>
    [...places.keys()].filter((place) => exhaustive || place === (fault + turn) % places.length);

  describe.each(faultKinds)('%s', (fault) => {
    // A fault that lasts at one kind of server passes at the other; the exhaustive suite takes both at both.
    const mine = durations.filter((_, index) => exhaustive || index === (faultKinds.indexOf(fault) + turn) % durations.length);
    test.each(mine)('%s', async (duration) => {
      const lasting = duration === 'lasting';
      const seen = new Set<number>();
      let faulty = true;
      const bench = kept(
        await openBench({ kind, runtime: { ...impatient(fault), waitMinutes: lasting ? 0.005 : 1 } }, ({ attempt, seed }) => {
          if (!faulty || (!lasting && (attempt > 1 || seen.has(seed)))) return null;
          seen.add(seed);
          return fault;
        }),
      );

      const stopped = await runOf(bench.lab);
      const outcomes = outcomesOf(bench.lab, stopped);
      table.push([kind, fault, duration, ...outcomes]);
      for (const [index, [name]] of places.entries()) {
        expect(outcomes[index], name).toMatch(new RegExp(`^(${expected[fault][duration][index]})$`));
      }
      expect(outcomes.at(-1), 'the others continue').toBe(unharmed);
      if (stopped !== null) {
        faulty = false;
        expect(await bench.lab.run()).toMatchObject({ complete: true, outcomes: { decided: cases } });
      }
      await expectWhole(bench);
    });
  });

  let untouched: Promise<ReturnType<typeof timeless>[]> | undefined;
  /** Lines of a run that nothing befell. */
  const undisturbed = () => {
    untouched ??= (async () => {
      const bench = await openBench({ kind }, () => null);
      try {
        expect(await runOf(bench.lab)).toBe(null);
        return bench.lab.lines().map(timeless);
      } finally {
        await bench.close();
      }
    })();
    return untouched;
  };

  /** A run that ends before its time, at the call of one case; begun again it ends as one that nothing befell. */
  const interrupted = async (
    name: string,
    place: number,
    code: string,
    hit: (bench: Bench, run: AbortController) => FaultKind,
    remedy: (bench: Bench) => Promise<void>,
  ): Promise<string> => {
    let left = 1;
    const run = new AbortController();
    const bench = await openBench({ kind, runtime: { waitMinutes: 1 } }, ({ seed }, on) => {
      const trial = on.lab.trials.find(({ caseId }) => caseId === `c${place}`);
      const finder = callFinder(trial === undefined ? [] : [trial], [places[place]?.[1] ?? ''], 3);
      if (left === 0 || finder(seed) === undefined) return null;
      left -= 1;
      return hit(on, run);
    });
    try {
      expect(await runOf(bench.lab, { signal: run.signal, concurrency: 1 }), name).toBe(code);
      expect(left).toBe(0);
      const stopped = outcomesOf(bench.lab, code);
      await remedy(bench);
      expect(await runOf(bench.lab)).toBe(null);
      expect(bench.lab.lines().map(timeless)).toEqual(await undisturbed());
      const answers = bench.standin.requests().filter(({ endpoint, status }) => endpoint.includes('/chat') && status === 200);
      expect(answers, 'nothing is asked twice').toHaveLength(cases * calls);
      await expectWhole(bench);
      return `${stopped[place]} -> ${outcomesOf(bench.lab, null)[place]}`;
    } finally {
      await bench.close();
    }
  };

  const library = async ({ standin }: Bench, method: 'POST' | 'DELETE', path: string, body: object) => {
    const response = await fetch(`${standin.url}${path}`, { method, body: JSON.stringify(body) });
    expect(response.ok, await response.text()).toBe(true);
  };

  test('cancelled: the run ends at once, and nothing is asked twice', async () => {
    const cells: string[] = [];
    for (const place of placesOf(0)) {
      const stop = (_bench: Bench, run: AbortController): FaultKind => {
        run.abort();
        return 'hang';
      };
      cells.push(await interrupted('cancelled', place, 'interrupted', stop, () => Promise.resolve()));
    }
    table.push([kind, 'cancelled', 'once', ...cells, unharmed]);
    expect(new Set(cells)).toEqual(new Set([`interrupted -> ${unharmed}`]));
  });

  test('missing model: the run ends, and continues when the model is there again', async () => {
    const cells: string[] = [];
    for (const place of placesOf(1)) {
      const vanish = (bench: Bench): FaultKind => {
        // While the model goes the server is too busy; then it does not know the model.
        void library(bench, 'DELETE', '/api/delete', { model: 'm:1' });
        return 'http-503';
      };
      const restore = (bench: Bench) => library(bench, 'POST', '/api/pull', { model: 'm:1', stream: false });
      cells.push(await interrupted('missing model', place, 'missing-model', vanish, restore));
    }
    table.push([kind, 'missing model', 'once', ...cells, unharmed]);
    expect(new Set(cells)).toEqual(new Set([`missing-model -> ${unharmed}`]));
  });

  test.each(durations.filter((_, index) => exhaustive || index === turn))(
    'total timeout: an answer that never ends, %s',
    async (duration) => {
      const bench = kept(
        await openBench({ kind, runtime: { idleSeconds: 60, timeoutSeconds: 4 } }, ({ attempt }) =>
          duration === 'once' && attempt > 1 ? null : 'hang',
        ),
      );

      expect(await runOf(bench.lab)).toBe(null);
      const outcomes = outcomesOf(bench.lab, null);
      table.push([kind, 'total timeout', duration, ...outcomes]);
      expect(outcomes).toEqual([...(duration === 'once' ? same(again) : lost('timeout')), unharmed]);
      const failures = bench.lab.trials.flatMap(({ id }) =>
        bench.lab
          .chain(id)
          .flatMap((event) => (event.kind === 'call-answer' && event.payload.failure ? [event.payload.failure.message] : []))
          .map((ref) => bench.lab.store.blobs.need(ref)),
      );
      expect(new Set(failures)).toEqual(new Set(['no complete answer within 4 s']));
      expect(failures).toHaveLength(duration === 'once' ? places.length : places.length * 3);
      await expectWhole(bench);
    },
  );

  test.each(departures)('%s: the run pauses, and the call that was under way is made again', async (name, fault, depart) => {
    const cells: string[] = [];
    for (const place of placesOf(departures.findIndex(([each]) => each === name))) {
      let back: Promise<DemoServer> | null = null;
      const bench = await openBench({ kind, runtime: { ...impatient(fault), waitMinutes: 1 } }, ({ seed }, { lab, standin }) => {
        const trial = lab.trials.find(({ caseId }) => caseId === `c${place}`);
        const finder = callFinder(trial === undefined ? [] : [trial], [places[place]?.[1] ?? ''], 3);
        if (back !== null || finder(seed) === undefined) return null;
        const gone = depart(standin);
        back = (async () => {
          await gone;
          await until(() => lab.log().includes('run-pause'));
          await standin.close();
          return startDemoServer({ port: standin.port, models: ['m:1'], anyModel: false });
        })();
        return fault;
      });
      try {
        // One call at a time: no other than the one that is hit learns first that the server is gone.
        expect(await runOf(bench.lab, { concurrency: 1 })).toBe(null);
        expect(bench.lab.log()).toEqual(['run-start', 'run-pause', 'run-resume', 'run-end']);
        const outcomes = outcomesOf(bench.lab, null);
        cells.push(outcomes[place] ?? '');
        expect(outcomes.toSpliced(place, 1), 'the others').toEqual(Array(cases - 1).fill(unharmed));
        await expectWhole(bench);
      } finally {
        await (await (back as Promise<DemoServer> | null))?.close();
        await bench.close();
      }
    }
    table.push([kind, name, 'once', ...cells, unharmed]);
    expect(new Set(cells)).toEqual(new Set([again]));
  });
});
