import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import tables from '../../../../docs/reference/values/tables.json' with { type: 'json' };
import { learnEncoding } from '../../../core/baselines/features.ts';
import { boostedProbabilities } from '../../../core/baselines/gradientBoosting.ts';
import { areaUnderCurve } from '../../../core/statistics/areaUnderCurve.ts';
import { datasetSchema } from '../../../shared/experiment.ts';
import { readDataset } from '../datasets/dataset.ts';

/** The tables are no part of the repository; docs/reference/tables.py says how to make the folder. */
const folder = process.env.ASSIZE_TABLES;

it.skipIf(folder === undefined).each(tables.sets)(
  'gradient boosting is as good as that of scikit-learn on $name',
  async (set) => {
    const path = join(folder ?? '', `${set.name}.csv`);
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(set.sha256);
    const definition = datasetSchema.parse({ path, label: { column: set.label }, question: '?', exclude: set.exclude });
    const { cases } = await readDataset(path, definition, { seed: 1 });
    const [training, onTrial] = [0, 1].map((parity) => cases.filter((_, index) => index % 2 === parity));
    if (training === undefined || onTrial === undefined) throw new Error('there are no cases');
    expect([training.length, onTrial.length]).toEqual([set.trained, set.heldOut]);
    const encoding = learnEncoding(training);
    expect(encoding.width).toBe(set.width);
    const [rows, held] = [training, onTrial].map((each) => encoding.encode(each, Number.NaN));
    if (rows === undefined || held === undefined) throw new Error('there are no rows');
    const isPositive = (each: (typeof cases)[number]) => each.truth === set.positive;
    const classes = Int32Array.from(training, (each) => Number(isPositive(each)));
    const { probabilities } = boostedProbabilities(rows, classes, 2, held, { seed: 1 });
    const area = areaUnderCurve(
      onTrial.map((_, row) => probabilities[2 * row + 1] ?? 0),
      onTrial.map(isPositive),
    );
    expect(Math.abs((area ?? 0) - set.oneHot.mean)).toBeLessThan(0.005);
  },
);
