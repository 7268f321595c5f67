import { describe, expect, test } from 'vitest';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { experimentSchema } from '../../../shared/experiment.ts';
import type { ModelInfo } from '../../../shared/model.ts';
import type { LanguageModel } from '../models/port.ts';
import { fullModelName, probeBackends, type ReadyBackend, refreshBackend } from './backends.ts';
import { prepareExperiment } from './experimentFile.ts';

/** A server with these models; `remote` ones are called so. */
function serverWith(...names: string[]): LanguageModel {
  const infos: ModelInfo[] = names.map((name) => ({ name, digest: `digest of ${name}`, remote: name.startsWith('remote') }));
  return {
    kind: 'ollama',
    url: 'http://127.0.0.1:1',
    version: () => Promise.resolve({ version: '1', standin: false }),
    models: () => Promise.resolve(infos),
    unload: () => Promise.resolve(),
    complete: () => Promise.reject(new Error('nothing is asked')),
  };
}

const probe = (model: LanguageModel, ...wanted: string[]) =>
  probeBackends(new Map([['default', model]]), new Map([['default', new Map(wanted.map((name) => [name, 8192]))]]));

async function refusalOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AssizeError ? `${error.code}: ${error.message}` : `unexpected: ${String(error)}`;
}

test.each([
  ['llama3.1', 'llama3.1:latest'],
  ['Llama3.1:8B', 'llama3.1:8b'],
  ['host.example:5000/library/m', 'host.example:5000/library/m:latest'],
  ['host.example:5000/library/m:1', 'host.example:5000/library/m:1'],
])('the server knows %s as %s', (name, full) => {
  expect(fullModelName(name)).toBe(full);
});

test('a model is found however its letters are written, and what is not there is missing', async () => {
  const { ready, missing } = await probe(serverWith('Qwen:7B', 'm:latest'), 'qwen:7b', 'M', 'gone');
  expect(missing).toEqual([{ backend: 'default', model: 'gone', mend: 'ollama pull gone' }]);
  expect([...(ready.get('default')?.digests ?? [])]).toEqual([
    ['qwen:7b', 'digest of Qwen:7B'],
    ['M', 'digest of m:latest'],
    ['gone', null],
  ]);
});

describe('a model on another machine', () => {
  const refusal = "bad-input: model Remote runs on somebody else's machine; name a local model";

  test('is refused', async () => {
    expect(await refusalOf(probe(serverWith('remote:latest', 'm:latest'), 'm', 'Remote'))).toBe(refusal);
  });

  test('that nobody needs does no harm', async () => {
    expect((await probe(serverWith('remote:latest', 'm:latest'), 'm')).missing).toEqual([]);
  });

  test('is refused when it is found after an outage', async () => {
    const backend: ReadyBackend = {
      name: 'default',
      model: serverWith('remote:latest'),
      version: '1',
      standin: false,
      digests: new Map([['Remote', 'abc']]),
      needed: new Map([['Remote', 8192]]),
    };
    expect(await refusalOf(refreshBackend(backend, new AbortController().signal))).toBe(refusal);
  });

  test.each(['gpt-oss:120b-cloud', 'm:CLOUD', 'm:1-Cloud', 'm_cloud'])('is refused by its name in an experiment: %s', (model) => {
    const experiment = experimentSchema.parse({
      version: 1,
      name: 'e',
      dataset: {
        path: 'cases.csv',
        id: 'id',
        label: { column: 'again' },
        labels: ['NO', 'YES'],
        positive: 'YES',
        question: 'Again?',
      },
      backends: { default: { kind: 'ollama', url: 'http://127.0.0.1:1' } },
      arms: [{ name: 'a', protocol: 'agentic-sim', params: { turns: 1 }, cast: { '*': { model } } }],
    });
    const file = { path: 'e.json', error: (message: string) => badInput(message) };
    expect(() => prepareExperiment(experiment, file, 'cases.csv')).toThrow(/somebody else's machine/);
  });
});
