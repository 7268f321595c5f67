import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Each error of a failed test: its file, its name and how the error begins. */
  readonly failures: readonly string[];
}

const stepsSchema = z.array(z.object({ name: z.string(), ok: z.boolean() })).min(1);

const vitestSchema = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      message: z.string().default(''),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.enum(['passed', 'failed', 'skipped', 'pending', 'todo', 'disabled']),
          fullName: z.string().default(''),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

const suiteSchema = z.object({
  specs: z
    .array(
      z.object({
        file: z.string(),
        title: z.string(),
        tests: z.array(
          z.object({
            status: z.string(),
            results: z.array(z.object({ errors: z.array(z.object({ message: z.string().default('') })) })),
          }),
        ),
      }),
    )
    .default([]),
  get suites() {
    return z.array(suiteSchema).default([]);
  },
});

const playwrightSchema = z.object({
  suites: z.array(suiteSchema).default([]),
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  /** What went wrong outside of any test, such as a file that cannot be loaded. */
  errors: z.array(z.object({ message: z.string().default('') })),
});

/** How much of an error is repeated: which picture differs is on its fourth line. */
const repeatedLength = 240;

/** How an error begins, on one line and without the colours of a terminal. */
function failure(file: string, name: string, message = ''): string {
  const line = stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, repeatedLength);
  return [file, name, line].filter((part) => part !== '').join(': ');
}

function playwrightFailures({ specs, suites }: z.infer<typeof suiteSchema>): string[] {
  const here = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => failure(file, title, message)))),
  );
  return [...here, ...suites.flatMap(playwrightFailures)];
}

/** A test that passed only when it was tried again has failed once, and that is what counts. */
function countPlaywright(report: unknown): Count {
  const { suites, stats, errors } = playwrightSchema.parse(report);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...suites.flatMap(playwrightFailures), ...errors.map(({ message }) => failure('', '', message))],
  };
}

const skippedStates = new Set(['skipped', 'pending', 'todo', 'disabled']);

/** The counts of a report of vitest. Throws on an invalid report. */
export function countVitest(report: unknown): Count {
  const { testResults } = vitestSchema.parse(report);
  const tests = testResults.flatMap(({ name: file, assertionResults }) => assertionResults.map((test) => ({ file, ...test })));
  const states = tests.map(({ status }) => status);
  const failedTests = tests.filter(({ status }) => status === 'failed');
  // A file that cannot be loaded fails without a single test in it.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: failedTests.length + brokenFiles.length,
    skipped: states.filter((state) => skippedStates.has(state)).length,
    failures: [
      ...failedTests.map(({ file, fullName, failureMessages }) => failure(file, fullName, failureMessages[0])),
      ...brokenFiles.map(({ name, message }) => failure(name, '', message)),
    ],
  };
}

/** Which step of the check writes which report, and how it is counted. */
export const reports = [
  { step: 'unit', file: 'vitest.json', count: countVitest, optional: false },
  { step: 'e2e', file: 'e2e.json', count: countPlaywright, optional: false },
  // Runs after the check, and only where a real engine can be had.
  { step: 'engine', file: 'engine.json', count: countVitest, optional: true },
] as const;

/**
 * Sums the reports of a check. A step that failed without a failed test counts as one failure, and so
 * does a report that is missing or unreadable, a check that did not end, and one in which no test ran.
 * The report of the real engine may be missing.
 * @param read gives a report's parsed JSON, and throws where there is none
 */
export function countResults(read: (file: string) => unknown): Count {
  const failedSteps = new Set(failuresOfSteps(read));
  const counts: Count[] = [];
  for (const { step, file, count, optional } of reports) {
    try {
      const report = readReport(read, file);
      if (report === absent && optional) continue;
      const counted = count(report);
      counts.push(counted);
      if (counted.failed > 0) failedSteps.delete(step);
    } catch {
      if (!failedSteps.has(unended)) failedSteps.add(step);
    }
  }
  const sum = (field: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[field], 0);
  const failed = sum('failed') + failedSteps.size;
  return {
    passed: sum('passed'),
    failed: failed === 0 && sum('passed') === 0 ? 1 : failed,
    skipped: sum('skipped'),
    failures: [
      ...counts.flatMap(({ failures }) => failures),
      ...[...failedSteps].map((step) => `${step}: failed outside of any test`),
    ],
  };
}

const absent = Symbol('absent');

function readReport(read: (file: string) => unknown, file: string): unknown {
  try {
    return read(file);
  } catch {
    return absent;
  }
}

const unended = 'the check as a whole';

function failuresOfSteps(read: (file: string) => unknown): string[] {
  try {
    const outcomes = stepsSchema.parse(read('steps.json'));
    return outcomes.filter(({ ok }) => !ok).map(({ name }) => name);
  } catch {
    return [unended];
  }
}

export function countLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
