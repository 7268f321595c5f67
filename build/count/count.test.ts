import { expect, it } from 'vitest';
import { countLine, countResults, countVitest } from './count.ts';

const missing = Symbol('missing');

const steps = (failing: readonly string[] = []) =>
  ['types', 'lint', 'unit', 'e2e'].map((name) => ({ name, ok: !failing.includes(name) }));
const vitest = (...files: string[][]) => ({
  success: true,
  testResults: files.map((states) => ({
    status: states.includes('failed') ? 'failed' : 'passed',
    assertionResults: states.map((status) => ({ status })),
  })),
});

const playwright = (
  stats: { expected?: number; unexpected?: number; flaky?: number; skipped?: number },
  errors: unknown[] = [],
) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
});

/** The reports of a whole check, those that are not named being of runners without a test. */
function line(given: Record<string, unknown>): string {
  const reports: Record<string, unknown> = { 'vitest.json': vitest(), 'e2e.json': playwright({}), ...given };
  for (const [file, report] of Object.entries(reports)) if (report === missing) delete reports[file];
  return countLine(
    countResults((file) => {
      if (!(file in reports)) throw new Error(`no ${file}`);
      return reports[file];
    }),
  );
}

it.each([
  ['all is well', { 'steps.json': steps(), 'vitest.json': vitest(['passed', 'passed'], ['passed']) }, '3 passed, 0 failed'],
  [
    'tests are skipped',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed', 'skipped', 'todo']) },
    '1 passed, 0 failed, 2 skipped',
  ],
  ['a test fails', { 'steps.json': steps(['unit']), 'vitest.json': vitest(['passed', 'failed']) }, '1 passed, 1 failed'],
  ['another step fails', { 'steps.json': steps(['lint']), 'vitest.json': vitest(['passed']) }, '1 passed, 1 failed'],
  [
    'two steps and a test fail',
    { 'steps.json': steps(['types', 'lint', 'unit']), 'vitest.json': vitest(['failed']) },
    '0 passed, 3 failed',
  ],
  [
    'the runner fails though every test passes',
    { 'steps.json': steps(['unit']), 'vitest.json': vitest(['passed']) },
    '1 passed, 1 failed',
  ],
  [
    'a test file cannot be loaded',
    {
      'steps.json': steps(['unit']),
      'vitest.json': { success: false, testResults: [{ status: 'failed', assertionResults: [] }] },
    },
    '0 passed, 1 failed',
  ],
  ['no test ran', { 'steps.json': steps(), 'vitest.json': vitest() }, '0 passed, 1 failed'],
  ['every test is skipped', { 'steps.json': steps(), 'vitest.json': vitest(['skipped']) }, '0 passed, 1 failed, 1 skipped'],
  ['the report is missing', { 'steps.json': steps(), 'vitest.json': missing }, '0 passed, 1 failed'],
  [
    'two runners pass',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed']), 'e2e.json': playwright({ expected: 2 }) },
    '3 passed, 0 failed',
  ],
  [
    'an end-to-end test fails',
    { 'steps.json': steps(['e2e']), 'vitest.json': vitest(['passed']), 'e2e.json': playwright({ expected: 2, unexpected: 1 }) },
    '3 passed, 1 failed',
  ],
  [
    'an end-to-end test passes at the second try only',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed']), 'e2e.json': playwright({ flaky: 1 }) },
    '1 passed, 1 failed',
  ],
  [
    'no browser is there',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed']), 'e2e.json': playwright({ skipped: 4 }) },
    '1 passed, 0 failed, 4 skipped',
  ],
  [
    'an end-to-end file cannot be loaded',
    { 'steps.json': steps(['e2e']), 'vitest.json': vitest(['passed']), 'e2e.json': playwright({}, [{ message: 'no' }]) },
    '1 passed, 1 failed',
  ],
  [
    'the end-to-end report is missing',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed']), 'e2e.json': missing },
    '1 passed, 1 failed',
  ],
  [
    'a real engine was tried too',
    {
      'steps.json': steps(),
      'vitest.json': vitest(['passed']),
      'engine.json': vitest(['passed', 'skipped']),
    },
    '2 passed, 0 failed, 1 skipped',
  ],
  [
    'a test with a real engine fails',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed']), 'engine.json': vitest(['passed', 'failed']) },
    '2 passed, 1 failed',
  ],
  [
    'a report of a real engine is no report',
    { 'steps.json': steps(), 'vitest.json': vitest(['passed']), 'engine.json': {} },
    '1 passed, 1 failed',
  ],
  ['the report is no report', { 'steps.json': steps(), 'vitest.json': { success: true } }, '0 passed, 1 failed'],
  ['nothing was written at all', { 'vitest.json': missing, 'e2e.json': missing }, '0 passed, 1 failed'],
  ['the check did not finish', { 'vitest.json': vitest(['passed']) }, '1 passed, 1 failed'],
])('%s', (_name, reports, expected) => {
  expect(line(reports)).toBe(expected);
});

it('names each failed test with the first line of its error', () => {
  const failed = {
    status: 'failed',
    fullName: 'a store opens',
    failureMessages: ['\u001b[31mError: locked\u001b[39m\n  at open'],
  };
  const report = { success: false, testResults: [{ name: 'src/a.test.ts', status: 'failed', assertionResults: [failed] }] };
  expect(countVitest(report).failures).toEqual(['src/a.test.ts: a store opens: Error: locked at open']);
  const test = {
    status: 'unexpected',
    results: [{ errors: [{ message: 'no such button\n at line 3' }, { message: 'no such link' }] }],
  };
  const suite = { specs: [], suites: [{ specs: [{ file: 'b.spec.ts', title: 'a trial ends', tests: [test] }] }] };
  const reports: Record<string, unknown> = {
    'steps.json': steps(['e2e', 'lint']),
    'vitest.json': vitest(['passed']),
    'e2e.json': { ...playwright({ unexpected: 1 }), suites: [suite] },
  };
  expect(countResults((file) => reports[file] ?? expect.unreachable()).failures).toEqual([
    'b.spec.ts: a trial ends: no such button at line 3',
    'b.spec.ts: a trial ends: no such link',
    'lint: failed outside of any test',
  ]);
});
