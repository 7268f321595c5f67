import { describe, expect, it } from 'vitest';
import type { Ensemble, InstalledModel } from '../../../shared/api/models.ts';
import { ensemblesOf, missingOf, neighbourOf, type Order, pressed, sameModel, searched, sorted } from './installed.ts';

const model = (name: string, changes: Partial<InstalledModel> = {}): InstalledModel => ({
  name,
  digest: null,
  size: null,
  family: null,
  parameters: null,
  quantization: null,
  context: null,
  capabilities: [],
  modified_at: null,
  refused: null,
  ...changes,
});

const models = [
  model('qwen2.5:14b', { size: 9e9, context: 32_768, modified_at: '2026-03-01T00:00:00Z', family: 'qwen2' }),
  model('qwen2.5:7b', { size: 4.7e9, context: 32_768, modified_at: '2026-02-01T00:00:00Z', capabilities: ['tools'] }),
  model('unknown:1b', { modified_at: 'never' }),
  model('Llama3.1:8b', { size: 4.9e9, context: 131_072, modified_at: '2026-01-01T00:00:00Z', quantization: 'Q4_K_M' }),
];

describe('the list of installed models', () => {
  it.each<[Order['column'], Order['direction'], string[]]>([
    ['name', 'ascending', ['Llama3.1:8b', 'qwen2.5:7b', 'qwen2.5:14b', 'unknown:1b']],
    ['name', 'descending', ['unknown:1b', 'qwen2.5:14b', 'qwen2.5:7b', 'Llama3.1:8b']],
    ['size', 'descending', ['qwen2.5:14b', 'Llama3.1:8b', 'qwen2.5:7b', 'unknown:1b']],
    ['size', 'ascending', ['qwen2.5:7b', 'Llama3.1:8b', 'qwen2.5:14b', 'unknown:1b']],
    ['context', 'descending', ['Llama3.1:8b', 'qwen2.5:7b', 'qwen2.5:14b', 'unknown:1b']],
    ['modified', 'ascending', ['Llama3.1:8b', 'qwen2.5:7b', 'qwen2.5:14b', 'unknown:1b']],
  ])('by %s, %s', (column, direction, names) => {
    expect(sorted(models, { column, direction }).map(({ name }) => name)).toEqual(names);
  });

  it('turns the order at a second press, and starts again at another column', () => {
    const byName: Order = { column: 'name', direction: 'ascending' };
    expect(pressed(byName, 'name')).toEqual({ column: 'name', direction: 'descending' });
    expect(pressed(byName, 'size')).toEqual({ column: 'size', direction: 'descending' });
  });

  it.each([
    ['', 4],
    ['QWEN', 2],
    ['qwen tools', 1],
    ['q4_k', 1],
    ['nothing like it', 0],
  ])('finds by all words of %j', (search, found) => expect(searched(models, search)).toHaveLength(found));

  it('gives the focus to the next row, else to the one before', () => {
    expect(neighbourOf(['a', 'b', 'c'], 'b')).toBe('c');
    expect(neighbourOf(['a', 'b', 'c'], 'c')).toBe('b');
    expect(neighbourOf(['a'], 'a')).toBeNull();
  });
});

describe('ensembles', () => {
  const part = (name: string, bytes: number | null, installed = false) => ({ name, called: name, note: null, bytes, installed });
  const ensemble: Ensemble = {
    id: 'four',
    title: 'Four',
    source: 'a paper',
    models: [part('llama3.1', 5e9, true), part('qwen2.5:7b', 4.7e9), part('phi3:14b', null), part('gemma2:9b', 5.4e9)],
    own: false,
    problem: null,
  };

  it('knows a model by its full name', () => {
    expect(sameModel('llama3.1', 'llama3.1:latest')).toBe(true);
    expect(sameModel('llama3.1:8b', 'llama3.1')).toBe(false);
    expect(sameModel('host:5000/llama3.1', 'host:5000/llama3.1:latest')).toBe(true);
    expect(ensemblesOf([ensemble], 'llama3.1:latest')).toEqual(['Four']);
    expect(ensemblesOf([ensemble], 'mistral:7b')).toEqual([]);
  });

  it('counts what is missing, without what is on its way, and holds it against the disk', () => {
    expect(missingOf(ensemble, [], 11e9)).toEqual({
      models: ['qwen2.5:7b', 'phi3:14b', 'gemma2:9b'],
      bytes: 4.7e9 + 5.4e9,
      unknown: 1,
      fits: true,
    });
    expect(missingOf(ensemble, ['gemma2:9b'], 4e9)).toMatchObject({
      models: ['qwen2.5:7b', 'phi3:14b'],
      bytes: 4.7e9,
      fits: false,
    });
    expect(missingOf(ensemble, [], null).fits).toBeNull();
    expect(missingOf(ensemble, ['gemma2:9b', 'qwen2.5:7b'], 1).fits).toBeNull();
  });
});
