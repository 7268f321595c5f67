import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProtocol, protocols } from '../../src/core/protocols/index.ts';
import { experimentSchema } from '../../src/shared/experiment.ts';
import { type Call, countCalls, covered, readCalls, readTrials } from './counts.ts';
import { rowsOf, tablesOf } from './results.ts';
import { experimentFile, experimentsOf, protocolNames } from './suite.ts';
import { joinParts } from './weights.ts';

test('parts are joined in order, and only to the bytes that are expected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assize-parts-'));
  const parts = ['a', 'bc'].map((text) => {
    const path = join(folder, text);
    writeFileSync(path, text);
    return path;
  });
  // The sum of "abc", from FIPS 180-2, appendix B.1.
  const sum = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(joinParts(parts, sum).toString()).toBe('abc');
  expect(() => joinParts(parts.toReversed(), sum)).toThrow('the sha256 is');
});

test('every protocol is measured, with experiments that the program accepts', () => {
  expect(protocolNames.toSorted()).toEqual([...new Set(protocols.map(({ id }) => id))].sort());
  const backend = { kind: 'ollama', url: 'http://127.0.0.1:1' } as const;
  const server = { talking: backend, embedding: backend, close: () => Promise.resolve() };
  for (const experiment of experimentsOf(protocolNames, null)) {
    const file = experimentFile(experiment, { cases: 2, tokens: 512, folder: null, model: 'smollm2', server });
    for (const arm of experimentSchema.parse(file).arms) {
      const bound = findProtocol(arm.protocol)?.bind(arm.params, arm.cast);
      expect(bound?.precedents === null).toBe(arm.cast.retriever === undefined);
    }
  }
});

const call = (change: Partial<Call>): Call => ({
  at: '2026-01-01T00:00:10.000Z',
  key: 'answer/attempt-1',
  done: 'stop',
  promptTokens: 100,
  completionTokens: 10,
  wallMs: 4000,
  arm: 'a',
  ...change,
});
const trial = (arm: string, outcome: string | null, confidence: number | null) => ({
  trial: arm + outcome,
  arm,
  status: outcome === null ? 'running' : 'done',
  outcome,
  confidence,
});

test('time counts once, however many calls are under way', () => {
  expect(covered([])).toBe(0);
  expect(
    covered([
      [5, 9],
      [0, 10],
      [20, 21],
      [8, 12],
    ]),
  ).toBe(13);
});

test('counts separate first answers from further ones, and a cut from a loop', () => {
  const calls = [
    call({}),
    call({ rejected: 'truncated', done: 'length' }),
    call({ key: 'answer/attempt-2', done: 'loop', rejected: 'truncated', at: '2026-01-01T00:00:20.000Z' }),
    call({ failure: { kind: 'timeout' }, done: null }),
  ];
  expect(countCalls([trial('a', 'decided', 0.65), trial('a', 'truncated', null), trial('a', null, null)], calls)).toEqual({
    trials: 2,
    decided: 1,
    calls: 4,
    firstAnswers: 3,
    usable: 1,
    refused: { truncated: 1, timeout: 1 },
    cut: 1,
    looped: 1,
    flags: {},
    promptTokens: 400,
    completionTokens: 40,
    seconds: 8,
    confidences: [0.65],
  });
});

test('a call that arms share counts only for the protocol', () => {
  const trials = readTrials(`${JSON.stringify(trial('a', 'decided', 0.5))}\n${JSON.stringify(trial('b', 'decided', 0.7))}\n`);
  const event = (of: string) => JSON.stringify({ trial: of, kind: 'call-answer', payload: JSON.stringify(call({})) });
  const calls = readCalls([event('adecided'), event('bdecided'), event('preparation/x')].join('\n'), trials);
  const rows = rowsOf([{ model: 'm', server: 's', protocol: 'p', trials, calls }]);
  expect(rows.map((row) => [row.variant, row.trials, row.calls])).toEqual([
    [null, 2, 3],
    ['a', 1, 1],
    ['b', 1, 1],
  ]);
  expect(tablesOf(rows)).toContain('| **p** | all | 2 of 2, 100% (34–100) | 3 of 3, 100% (44–100) | – | 3 |');
});
