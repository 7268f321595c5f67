import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AssizeError } from '../../../shared/errors.ts';
import { openStore } from '../store/store.ts';
import { readExperiment, readExperimentData } from './experimentFile.ts';
import { freezeExperiment } from './freeze.ts';
import { readStudy } from './study.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-matrix-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'cases.csv'), 'id,age,again\n1,20,YES\n2,30,NO\n3,40,YES\n');

const dataset = { path: 'cases.csv', id: 'id', label: { column: 'again' }, labels: ['NO', 'YES'], question: 'Again?' };

function fileWith(more: Readonly<Record<string, unknown>>): string {
  const path = join(folder, 'experiment.json');
  writeFileSync(path, JSON.stringify({ version: 1, name: 'ensemble', dataset, ...more }, null, 1));
  return path;
}

const styles = { standard: { params: { style: ['system1', 'cot'] } } };

const read = (matrix: unknown, arms?: unknown) => readExperiment(fileWith({ matrix, ...(arms === undefined ? {} : { arms }) }));

const namesOf = (matrix: unknown) => read(matrix).experiment.arms.map(({ name }) => name);

function refusalOf(matrix: unknown, arms?: unknown): Pick<AssizeError, 'message'> & { field: string | undefined; line: number } {
  try {
    read(matrix, arms);
  } catch (error) {
    const { message, place } = error as AssizeError;
    return { message, field: place.field, line: place.line ?? 0 };
  }
  throw new Error('it was read');
}

const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/experiment-file.md'), 'utf8');
const examples = [...page.matchAll(/(\d+) arms, [^`]*```json\n("matrix": [^`]*)```/g)].map(
  ([, arms, text]): [number, unknown] => [Number(arms), JSON.parse(`{${text}}`).matrix],
);

describe('the matrices of the page', () => {
  test('are of the sizes of the paper', () => expect(examples.map(([arms]) => arms)).toEqual([16, 81, 37]));

  test.each(examples)('%i arms', (arms, matrix) => {
    const names = namesOf(matrix);
    expect(names).toHaveLength(arms);
    expect(new Set(names).size).toBe(arms);
  });

  test('the first has the models of the program’s list', () => {
    const list = resolve(import.meta.dirname, '../../../../resources/ensembles/agenticsim-16.json');
    const models = (JSON.parse(readFileSync(list, 'utf8')) as { models: { name: string }[] }).models.map(({ name }) => name);
    expect(namesOf(examples[0]?.[1])).toEqual(models.map((name) => `AgenticSimLLM · ${name}`));
  });
});

test('arms of a matrix come after those of the file, with their models, roles and servers', () => {
  const { experiment } = readExperiment(
    fileWith({
      backends: {
        default: { kind: 'ollama', url: 'http://127.0.0.1:11434' },
        gpu: { kind: 'openai', url: 'http://127.0.0.1:8000/v1' },
      },
      arms: [{ name: 'mine', protocol: 'vote', cast: { '*': { model: 'c:1' } } }],
      matrix: {
        models: ['a:1', { model: 'b:1', backend: 'gpu' }],
        protocols: { ...styles, 'agentic-sim': { params: { turns: [3, 1] }, cast: { judge: { model: 'c:1' } } } },
        exclude: [
          { protocol: 'standard', model: 'b:1' },
          { params: { turns: 1 }, model: 'a:1' },
        ],
      },
    }),
  );
  expect(experiment.arms.map(({ name }) => name)).toEqual([
    'mine',
    'StandardLLM · a:1 · style: system1',
    'StandardLLM · a:1',
    'AgenticSimLLM · a:1',
    'AgenticSimLLM · b:1',
    'AgenticSimLLM · b:1 · turns: 1',
  ]);
  expect(experiment.arms[5]).toEqual({
    name: 'AgenticSimLLM · b:1 · turns: 1',
    protocol: 'agentic-sim',
    params: { turns: 1 },
    belief: 'verbal',
    cast: { '*': { model: 'b:1', backend: 'gpu', options: {} }, judge: { model: 'c:1', backend: 'default', options: {} } },
  });
  expect(experiment).not.toHaveProperty('matrix');
});

test('a study can have a matrix', async () => {
  const path = join(folder, 'study.json');
  const datasets = [{ name: 'one', ...dataset }];
  writeFileSync(
    path,
    JSON.stringify({ version: 1, study: 's', datasets, matrix: { models: ['a:1', 'b:1'], protocols: styles } }),
  );
  expect((await readStudy(path)).study.arms).toHaveLength(4);
});

test.each([
  [{ models: ['a:1'], protocols: styles, exclud: [] }, 'matrix.exclud', /unknown key "exclud"/],
  [{ models: ['a:1'] }, 'matrix.protocols', /this key is missing/],
  [{ models: ['a:1'], protocols: {} }, 'matrix.protocols', /name at least one protocol/],
  [{ models: [], protocols: styles }, 'matrix.models', />=1/],
  [{ models: ['a:1', 'b:1', 'a:1'], protocols: styles }, 'matrix.models[2]', /"a:1" is here twice; name each once/],
  [{ models: ['a:1'], protocols: { standart: {} } }, 'matrix.protocols.standart', /there is no protocol "standart"; there are/],
  [
    { models: ['a:1'], protocols: { standard: { params: { style: 'cot' } } } },
    'matrix.protocols.standard.params.style',
    /list the values of this parameter between brackets/,
  ],
  [
    { models: ['a:1'], protocols: { standard: { params: { styles: ['cot'] } } } },
    'matrix.protocols.standard.params.styles',
    /protocol standard has no parameter "styles"/,
  ],
  [
    { models: ['a:1'], protocols: { standard: { params: { style: ['cot', 'guess'] } } } },
    'matrix.protocols.standard.params.style',
    /system1/,
  ],
  [
    { models: ['a:1'], protocols: { standard: { params: { style: ['cot', 'cot'] } } } },
    'matrix.protocols.standard.params.style[1]',
    /"cot" is here twice/,
  ],
  [{ models: ['a:1'], protocols: { standard: { prompts: [null, 'nowhere'] } } }, 'matrix.protocols.standard.prompts', /nowhere/],
  [
    { models: ['a:1'], protocols: { standard: { cast: { '*': { model: 'b:1' } } } } },
    'matrix.protocols.standard.cast',
    /"\*" is each of "models" here; name single roles/,
  ],
  [
    { models: ['a:1'], protocols: { standard: { cast: { bailiff: { model: 'b:1' } } } } },
    'matrix.protocols.standard.cast.bailiff',
    /has no role "bailiff"/,
  ],
  [{ models: ['a:1', { model: 'b:1', backend: 'gpu' }], protocols: styles }, 'matrix.models[1]', /no backend "gpu"/],
  [{ models: ['a:1'], protocols: styles, exclude: [{ model: 'b:1' }] }, 'matrix.exclude[0]', /no arm of the matrix has this/],
  [{ models: ['a:1'], protocols: styles, exclude: [{}] }, 'matrix.exclude', /leaves out every arm/],
  [
    {
      models: ['a:1', 'b:1'],
      protocols: { vote: { params: { voters: Array.from({ length: 99 }, (_, at) => at + 1), shots: [0, 1, 2] } } },
    },
    'matrix',
    /this makes 594 arms, and a matrix can make 400/,
  ],
  [
    { models: ['a:1'], protocols: { standard: { prompts: [`${'long/'.repeat(40)}x.md`] } } },
    'matrix',
    /would be longer than 200 characters; write that arm in "arms"/,
  ],
])('%j is refused at %s', (matrix, field, message) => {
  const refused = refusalOf(matrix);
  expect(refused).toEqual({ field, message: expect.stringMatching(message), line: expect.any(Number) });
  expect(refused.line).toBeGreaterThan(1);
});

test('an arm of the file with the name of one of the matrix is refused', () => {
  const arms = [{ name: 'StandardLLM · a:1', protocol: 'standard', cast: { '*': { model: 'b:1' } } }];
  expect(refusalOf({ models: ['a:1'], protocols: styles }, arms)).toMatchObject({
    field: 'matrix',
    message: expect.stringMatching(/arm "StandardLLM · a:1" occurs twice/),
  });
});

test('further models, values, protocols and parameters add arms to a recorded experiment; values that go are refused', async () => {
  const store = openStore(join(folder, 'store.db'), { create: true });
  const freeze = async (matrix: unknown) => {
    const prepared = read(matrix);
    const frozen = freezeExperiment(store, prepared, await readExperimentData(prepared));
    return new Set([...frozen.trials()].map(({ id }) => id));
  };
  const both = { models: ['a:1', 'b:1'], protocols: styles };
  let before = await freeze(both);
  expect(before.size).toBe(4 * 3);
  const cot = { style: ['system1', 'cot', 'cot-4-step'] };
  for (const [matrix, arms] of [
    [{ models: ['c:1', 'a:1', 'b:1'], protocols: styles }, 6],
    [{ models: ['c:1', 'a:1', 'b:1'], protocols: { single: {}, standard: { params: cot } } }, 12],
    [{ models: ['c:1', 'a:1', 'b:1'], protocols: { single: {}, standard: { params: { temperature: [0.5, 0], ...cot } } } }, 21],
  ] as const) {
    const after = await freeze(matrix);
    expect(after.size).toBe(arms * 3);
    expect(before.difference(after).size).toBe(0);
    before = after;
  }
  await expect(freeze(both)).rejects.toThrow(/is on the record with an arm .* that is not in this file/);
  expect(store.experiments.history('ensemble')).toHaveLength(4);
  store.close();
});
