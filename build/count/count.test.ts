import { expect, it } from 'vitest';
import { countLine, countResults } from './count.ts';

const steps = (failing: readonly string[] = []) =>
  ['types', 'lint', 'unit'].map((name) => ({ name, ok: !failing.includes(name) }));
const vitest = (...files: string[][]) => ({
  success: true,
  testResults: files.map((states) => ({
    status: states.includes('failed') ? 'failed' : 'passed',
    assertionResults: states.map((status) => ({ status })),
  })),
});

function line(reports: Record<string, unknown>): string {
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
  ['the report is missing', { 'steps.json': steps() }, '0 passed, 1 failed'],
  ['the report is no report', { 'steps.json': steps(), 'vitest.json': { success: true } }, '0 passed, 1 failed'],
  ['nothing was written at all', {}, '0 passed, 1 failed'],
  ['the check did not finish', { 'vitest.json': vitest(['passed']) }, '1 passed, 1 failed'],
])('%s', (_name, reports, expected) => {
  expect(line(reports)).toBe(expected);
});
