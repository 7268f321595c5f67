import { afterEach, describe, expect, test } from 'vitest';
import { sentenceOf } from '../../../shared/checks.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { createDispatcher, type NetworkDispatcher } from '../models/dispatcher.ts';
import { readKey } from './apiKeys.ts';
import { sendingChecks } from './checks.ts';
import { keyNameProblem } from './keyNames.ts';

describe('the name of a variable with a key', () => {
  test.each([
    'GPU_KEY',
    'VLLM_API_KEY',
    'HF_TOKEN',
    'AZURE_OPENAI_API_KEY',
    'gpu_key',
    'ASSIZE_GPU',
    'ASSIZE_SECRET_KEY',
    'KEYCHAIN_KEY',
  ])('%s is one', (name) => expect(keyNameProblem(name)).toBeNull());

  test.each([
    'KEY',
    '_KEYS',
    'HOME',
    'DATABASE_URL',
    'PGPASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'aws_session_token',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'CI_NPM_TOKEN',
    'SSH_PRIVATE_KEY',
    'APP_SECRET_KEY',
    'NOT_ASSIZE_GPU',
  ])('%s is not allowed', (name) => {
    expect(keyNameProblem(name)).toMatch(new RegExp(`^${name} is not read as the key of a server; .* ASSIZE_ .*_API_KEY`));
  });
});

const gpu = (url: string): Record<string, BackendDefinition> => ({
  here: { kind: 'ollama', url: 'http://127.0.0.1:11434' },
  gpu: { kind: 'openai', url, apiKeyVariable: 'GPU_KEY' },
  open: { kind: 'openai', url: 'http://127.0.0.1:9/v1' },
});

test.each([
  ['http://127.0.0.1:8000/v1', '127.0.0.1:8000'],
  ['http://localhost:8000/v1', 'localhost:8000'],
  ['http://[::1]:8000/v1', '[::1]:8000'],
  ['https://gpu.example.org/v1', 'gpu.example.org'],
  [
    'http://gpu.example.org/v1',
    'the key in GPU_KEY and the cases are sent to gpu.example.org over plain http, so that all of it can be read on the way; use an https address, or an SSH tunnel to 127.0.0.1',
  ],
  [
    'http://127.0.0.1.example.org/v1',
    'the key in GPU_KEY and the cases are sent to 127.0.0.1.example.org over plain http, so that all of it can be read on the way; use an https address, or an SSH tunnel to 127.0.0.1',
  ],
])('a plan says whose key goes to %s', (url, words) => {
  const said = sendingChecks(gpu(url), new Set(['here', 'gpu', 'open'])).map(({ check }) => sentenceOf(check));
  expect(said).toEqual([`backend gpu: ${words.startsWith('the key') ? words : `the key in GPU_KEY is sent to ${words}`}`]);
  const without = { gpu: { kind: 'openai', url } } as const;
  expect(sendingChecks(without, new Set(['gpu'])).map(({ check }) => sentenceOf(check))).toEqual(
    words.startsWith('the key') ? [`backend gpu: ${words.replace('the key in GPU_KEY and ', '')}`] : [],
  );
  expect(sendingChecks(gpu(url), new Set(['here', 'open']))).toEqual([]);
});

describe('the key', () => {
  const dispatchers: NetworkDispatcher[] = [];
  afterEach(() => Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.close())));

  const keyFor = (url: string, allowedHosts: readonly string[] = [], variable = 'GPU_KEY') => {
    const dispatcher = createDispatcher({ allowedHosts });
    dispatchers.push(dispatcher);
    return () => readKey({ name: 'gpu', url, variable }, { GPU_KEY: 'sk-1', GITHUB_TOKEN: 'ghp-1' }, dispatcher);
  };

  test.each<[string, readonly string[]]>([
    ['http://127.0.0.1:8000/v1', []],
    ['http://localhost:8000/v1', []],
    ['https://gpu.example.org/v1', []],
    ['http://gpu.example.org/v1', ['GPU.example.org.']],
    ['http://192.0.2.1:8000/v1', ['192.0.2.1']],
  ])('is read for %s where %j is allowed', (url, allowed) => {
    expect(keyFor(url, allowed)()).toBe('sk-1');
  });

  test.each<[string, readonly string[]]>([
    ['http://gpu.example.org/v1', []],
    ['http://gpu.example.org/v1', ['example.org']],
    ['http://192.0.2.1:8000/v1', ['192.0.2.2']],
  ])('is not for %s where %j is allowed: plain http can be read on the way', (url, allowed) => {
    const { hostname } = new URL(url);
    expect(keyFor(url, allowed)).toThrow(
      expect.objectContaining({
        code: 'bad-input',
        place: expect.objectContaining({ field: 'backends.gpu.apiKeyVariable' }),
        advice: expect.stringMatching(
          new RegExp(`^the key in GPU_KEY would go to ${hostname} over plain http.*--allow-host ${hostname}$`),
        ),
      }),
    );
  });

  test('is not read out of another secret, wherever that name came from', () => {
    expect(keyFor('http://127.0.0.1:8000/v1', [], 'GITHUB_TOKEN')).toThrow(/^GITHUB_TOKEN is not read as the key of a server/);
  });
});
