import { expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, BrokenCall, CallFailure } from '../../../shared/model.ts';
import type { LanguageModel } from '../models/port.ts';
import { emptyResult } from '../models/testing/results.ts';
import { answersSmallQuestion } from './smallQuestion.ts';

const reset = new BrokenCall('the connection broke');

/** Asks a server with these models, some of which fail. */
async function ask(
  model: string,
  {
    installed,
    ofRun = [model],
    fails,
    broke = [],
    kind = 'ollama',
  }: {
    installed: readonly string[];
    ofRun?: readonly string[];
    fails: (name: string) => Error | null;
    broke?: readonly string[];
    kind?: LanguageModel['kind'];
  },
) {
  const asked: string[] = [];
  const server: LanguageModel = {
    kind,
    url: 'http://127.0.0.1:1',
    version: () => Promise.reject(new Error('not asked for')),
    embed: () => Promise.reject(new Error('not asked for')),
    models: () => Promise.resolve(installed.map((name) => ({ name, digest: null, remote: name.endsWith('-cloud') }))),
    complete(request) {
      asked.push(request.model);
      const failure = fails(request.model);
      return failure === null ? Promise.resolve(emptyResult) : Promise.reject(failure);
    },
  };
  const known = new Set(broke);
  const needed = new Map(ofRun.map((name) => [name, 512]));
  const { signal } = new AbortController();
  const well = await answersSmallQuestion(server, { model, numCtx: 512, embeds: false }, needed, known, signal);
  return { well, asked, broke: [...known] };
}

const sickFail = (name: string) => (name.startsWith('sick') ? reset : null);

test('a model that answers is the end of it; no other is asked', async () => {
  expect(await ask('m:1', { installed: ['m:1', 'other:1'], fails: () => null })).toEqual({
    well: true,
    asked: ['m:1'],
    broke: [],
  });
});

test('a second sick model of the run does not hide the well one', async () => {
  const models = ['sick:1', 'sick:2', 'm:1'];
  expect(await ask('sick:1', { installed: models, ofRun: models, fails: sickFail })).toEqual({
    well: true,
    asked: models,
    broke: ['sick:1', 'sick:2'],
  });
});

test('models that broke in this run are skipped, and asked only where there are no others', async () => {
  const models = ['sick:1', 'sick:2', 'sick:3', 'sick:4', 'sick:5', 'm:1'];
  const broke = ['sick:2', 'sick:3', 'sick:4', 'sick:5'];
  const asked = await ask('sick:1', { installed: models, ofRun: models, fails: sickFail, broke });
  expect(asked).toMatchObject({ well: true, asked: ['sick:1', 'm:1'] });
  const back = await ask('sick:1', { installed: ['sick:1', 'm:1'], fails: sickFail, broke: ['m:1'] });
  expect(back.well, 'one that broke while the server was away shows that it is back').toBe(true);
});

test('three others are enough to see that a server answers nothing', async () => {
  const installed = ['sick:1', 'a:1', 'b:1', 'c:1', 'd:1'];
  const asked = await ask('sick:1', { installed, fails: () => reset });
  expect(asked).toMatchObject({ well: false, asked: ['sick:1', 'a:1', 'b:1', 'c:1'] });
});

test('another spelling of the same model is the same model, only at an Ollama server', async () => {
  const names = { installed: ['sick:latest', 'well:1'], fails: sickFail };
  expect((await ask('sick', names)).asked).toEqual(['sick', 'well:1']);
  expect((await ask('sick', { ...names, kind: 'openai' })).asked).toEqual(['sick', 'sick:latest', 'well:1']);
});

test('a model of another machine is not asked', async () => {
  expect(await ask('sick:1', { installed: ['sick:1', 'big-cloud'], fails: sickFail })).toMatchObject({
    well: false,
    asked: ['sick:1'],
  });
});

test.each([
  ['does not support chat', new CallFailure('backend_error', 'HTTP 400: "vectors" does not support chat', true), true],
  ['HTTP 500', new CallFailure('backend_error', 'HTTP 500: boom', false), true],
  ['a prompt too long', new CallFailure('overflow', 'too long', true), true],
  ['no such model', new AssizeError('missing-model', 'gone'), true],
  ['a timeout', new CallFailure('timeout', 'no complete answer within 5 s', false), false],
  ['a broken connection', reset, false],
  ['an overloaded server', new BackendOutage('HTTP 503 (unavailable)'), false],
])('%s: answered %#', async (_name, failure, well) => {
  const fails = (name: string) => (name === 'vectors:latest' ? failure : reset);
  expect((await ask('sick:1', { installed: ['vectors:latest', 'sick:1'], fails })).well).toBe(well);
});
