import { afterAll, describe, expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { type FaultKind, faultKinds } from '../models/standin/profiles.ts';
import { startStandin } from '../models/standin/standin.ts';
import { callFinder, openLaboratory, until } from './testing/laboratory.ts';

/** Where in its trial a fault hits; the n-th case is hit at the n-th place, and the last case nowhere. */
const places = [
  ['first call', 'turn-1/prosecutor'],
  ['mid-trial', 'turn-1/after-prosecutor'],
  ['ruling', 'ruling/judge'],
] as const;
type Row = readonly [string, string, string];

/** Calls of a trial in which nothing goes wrong; every failed attempt that is asked again adds one. */
const calls = 5;
const again = `decided ${calls + 1}`;
const unharmed = `decided ${calls}`;
/** The turn is given up and the trial goes on; without a ruling the failure is the outcome. */
const lost = (failure: string, attempts = calls + 2): Row => [
  `decided without ${failure} turn ${attempts}`,
  `decided without ${failure} turn ${attempts}`,
  `${failure} ${attempts}`,
];
const declined = [`decided without undecided turn ${calls}`, `undecided ${calls}`] as const;
const same = (outcome: string): Row => [outcome, outcome, outcome];

/**
 * What a fault comes to when it hits one attempt, and when it hits every attempt of a call; `|` parts what
 * depends on how the text was spoiled.
 */
const expected: Readonly<Record<FaultKind, { once: Row; lasting: Row }>> = {
  // Broken JSON is repaired where it can be read in one way only.
  malformed: {
    once: same(`${unharmed}|${again}`),
    lasting: [
      `${unharmed}|${again}|decided 7|decided without malformed turn 7`,
      `${unharmed}|${again}|decided 7|decided without malformed turn 7`,
      `${unharmed}|${again}|decided 7|malformed 7`,
    ],
  },
  prose: { once: same(unharmed), lasting: same(unharmed) },
  'http-500': { once: same(again), lasting: lost('backend_error') },
  // The server is overloaded: the run waits, and what it waits for is no attempt.
  'http-503': { once: same(unharmed), lasting: same('no-backend') },
  cut: { once: same(again), lasting: lost('backend_error') },
  hang: { once: same(again), lasting: lost('timeout') },
  truncated: { once: same(again), lasting: lost('truncated') },
  // To decline is an answer of the judge, and none of an advocate.
  declining: {
    once: [again, ...declined],
    lasting: ['decided without malformed turn 7', ...declined],
  },
  // A speech has no label; "Undetermined" declines.
  'wrong-label': {
    once: [unharmed, `${again}|decided without undecided turn 5`, `${again}|undecided 5`],
    lasting: [unharmed, 'decided without (invalid_label|undecided) turn [567]', 'invalid_label 7|undecided [567]'],
  },
  garbage: { once: same(again), lasting: lost('backend_error') },
  'error-line': { once: same(again), lasting: lost('backend_error') },
  // The same prompt would be too long again.
  overflow: { once: lost('overflow', calls), lasting: lost('overflow', calls) },
  empty: { once: same(again), lasting: lost('malformed') },
};

const table: string[][] = [['fault', 'hits', ...places.map(([name]) => name)]];

afterAll(() => {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\n${lines.join('\n')}\n(the number counts attempts; an undisturbed trial has ${calls})\n`);
});

/** Runs four trials, three of them hit; tells what came of each, by case. */
async function suffer(kind: FaultKind, lasting: boolean): Promise<Map<string, string>> {
  const hit = new Set<number>();
  let faulty = true;
  const standin = await startStandin({
    fault({ seed }) {
      const call = callOf(seed);
      if (!faulty || seed === null || call === undefined) return null;
      if (places[Number(call.trial.caseId.slice(1))]?.[1] !== call.key) return null;
      if (!lasting && (call.attempt > 1 || hit.has(seed))) return null;
      hit.add(seed);
      return { kind };
    },
  });
  const runtime = { idleSeconds: 0.1, timeoutSeconds: 5, waitMinutes: lasting ? 0.005 : 1 };
  const lab = await openLaboratory({ url: standin.url, cases: places.length + 1, runtime });
  const callOf = callFinder(
    lab.trials,
    places.map(([, key]) => key),
    3,
  );
  try {
    let stopped: string | null = null;
    try {
      await lab.run({ concurrency: places.length + 1 });
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      stopped = error.code;
    }
    const outcomes = lab.lines().map((line): [string, string] => {
      const forfeits = lab.chain(line.trial).flatMap((event) => (event.kind === 'turn-forfeit' ? [event.payload.failure] : []));
      const without = forfeits.length === 0 ? '' : ` without ${forfeits.join()} turn`;
      expect(line.incomplete).toBe(forfeits.length > 0);
      return [line.case, line.outcome === null ? String(stopped) : `${line.outcome}${without} ${line.attempts}`];
    });
    if (stopped !== null) {
      faulty = false;
      expect(await lab.run()).toMatchObject({ complete: true, outcomes: { decided: places.length + 1 } });
    }
    // The server notices a closed connection a moment later.
    await until(() => standin.load().busy === 0);
    expect(standin.load()).toEqual({ busy: 0, waiting: 0 });
    return new Map(outcomes);
  } finally {
    await lab.close();
    await standin.close();
  }
}

describe.each(faultKinds)('%s', (kind) => {
  test.each(['once', 'lasting'] as const)('%s', async (duration) => {
    const startedAt = performance.now();
    const outcomes = await suffer(kind, duration === 'lasting');
    expect(performance.now() - startedAt, 'nothing hangs').toBeLessThan(5000);
    table.push([kind, duration, ...places.map((_, index) => outcomes.get(`c${index}`) ?? '')]);
    expect(outcomes.get(`c${places.length}`), 'the others go on').toBe(unharmed);
    for (const [index, [name]] of places.entries()) {
      expect(outcomes.get(`c${index}`), name).toMatch(new RegExp(`^(${expected[kind][duration][index]})$`));
    }
  });
});
