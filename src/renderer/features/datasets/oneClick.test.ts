import { describe, expect, it } from 'vitest';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { draftSchema } from '../../../shared/api/experiments.ts';
import { datasetSchema } from '../../../shared/experiment.ts';
import { oneClick } from './oneClick.ts';

const {
  path: _path,
  sample: _sample,
  ...definition
} = datasetSchema.parse({ path: 'x', kind: 'text', split: { test: 0.5, train: 0.5 } });
const deposits: DataFile = {
  id: 'deposits',
  name: 'Deposits',
  bundled: true,
  addedAt: null,
  format: 'jsonl',
  definition,
  cases: 24,
  labels: ['landlord', 'tenant'],
  positive: 'tenant',
  source: null,
  experiments: [],
};
const preferred = { backend: 'standin', server: 'default', model: 'mistral:7b' } as const;

describe('the trial by one click', () => {
  it('puts five cases on trial before two advocates and a judge, and counts the calls beforehand', () => {
    const found = oneClick(deposits, preferred);
    expect(found).toMatchObject({ possible: true, cases: 5, protocol: 'agentic-sim', calls: { min: 65, max: 65 } });
    if (!found.possible) throw new Error('not possible');
    expect(draftSchema.parse(found.draft)).toMatchObject({
      entry: 'deposits',
      sample: { from: 'test', n: 5 },
      backend: 'standin',
      arms: [{ name: 'AgenticSimLLM · mistral:7b', protocol: 'agentic-sim', cast: { '*': { model: 'mistral:7b' } } }],
    });
  });

  it('takes no more cases than there are, from a split that has some', () => {
    const small = { ...deposits, cases: 3, definition: { ...definition, split: { test: 0, train: 1, validation: 0 } } };
    expect(oneClick(small, preferred)).toMatchObject({ cases: 3, draft: { sample: { from: 'train', n: 3 } } });
  });

  it('takes one call where the deliberation needs two labels and there are more', () => {
    expect(oneClick({ ...deposits, labels: ['a', 'b', 'c'] }, preferred)).toMatchObject({
      protocol: 'standard',
      calls: { min: 5, max: 5 },
    });
  });

  it('debates open questions', () => {
    const open = { ...deposits, labels: [], definition: { ...definition, kind: 'open' as const } };
    expect(oneClick(open, preferred)).toMatchObject({ possible: true, protocol: 'socrasynth', calls: { min: 95, max: 140 } });
  });

  it('says why nothing can be started', () => {
    const label = { column: 'decision', multiple: '|' };
    const openSets = { ...deposits, definition: { ...definition, kind: 'open' as const, label } };
    expect(oneClick(openSets, preferred)).toEqual({
      possible: false,
      why: 'No protocol of this version tries such cases yet.',
    });
    expect(oneClick({ ...deposits, cases: 0 }, preferred)).toMatchObject({ possible: false, why: 'The data set has no cases.' });
  });
});
