import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect } from 'vitest';
import { pythonMissing, startPythonVerifier } from '../main/engine/audit/testing/pythonVerifier.ts';
import { importReportSchema } from '../shared/imported.ts';
import { replayReportSchema, verifyReportSchema } from '../shared/outputs.ts';
import { type Bench, changed, type Ended, openBench, type Project, sampleExperiment } from './testing.ts';

/** The predictions that come with the program, and the words that import them into a separate experiment. */
export const published = resolve(import.meta.dirname, '../../resources/predictions/nlsy97/predictions.csv');
export const publishedText = (store: string, file = published) =>
  `import-predictions ${file} --store ${store} --experiment published --arm api --json --case case_id` +
  ' --prediction prediction --confidence confidence --confidence-scale 100 --repeat repeat_id --system model_name' +
  ' --truth ground_truth --map True=YES --map False=NO';

/** Predictions for the sixteen cases of the sample data: positive for every fourth. */
export const forAll = `id,said\n${Array.from({ length: 16 }, (_, index) => `c${String(index + 1).padStart(2, '0')},${index % 4 === 0 ? 'YES' : 'NO'}`).join('\n')}\n`;

export const reportOf = ({ code, output, errors }: Ended) => {
  if (code !== 0) throw new Error(`the import ended with ${code}: ${errors}`);
  return importReportSchema.parse(JSON.parse(output));
};

export interface ImportProject extends Project {
  readonly source: string;
  take(...more: string[]): Promise<Ended>;
}

export interface ImportBench extends Bench {
  /** A folder with the sample experiment, all of whose cases are on trial unless it says otherwise, and with predictions. */
  withPredictions(name: string, predictions: string, experiment?: string, data?: string): ImportProject;
  /** Expects that both verifiers find a store intact and that every trial of it is derived again. */
  intact(store: string, trials: number): Promise<void>;
}

export async function openImportBench(): Promise<ImportBench> {
  const bench = await openBench();
  const python = pythonMissing() === null ? startPythonVerifier() : null;
  afterAll(() => python?.close());
  return {
    ...bench,
    withPredictions(
      name,
      predictions,
      experiment = changed(sampleExperiment, ['"from": "test", "n": 3', '"from": "all"']),
      data,
    ) {
      const project = bench.project(name, experiment, data);
      const source = join(project.room, 'predictions.csv');
      writeFileSync(source, predictions);
      const words = `import-predictions ${source} --store ${project.store} --json --experiment rain --arm other`;
      const usual = [...words.split(' '), '--case', 'id', '--prediction', 'said'];
      return { ...project, source, take: (...more) => bench.assize([...usual, ...more]) };
    },
    async intact(store, trials) {
      const verified = await bench.assize(`verify ${store} --json`);
      expect(verifyReportSchema.parse(JSON.parse(verified.output))).toMatchObject({ result: 'intact', trials, first_bad: null });
      const replayed = await bench.assize(`replay ${store} --json`);
      const derived = { identical: trials, different: 0, not_replayable: 0 };
      expect(replayReportSchema.parse(JSON.parse(replayed.output))).toMatchObject(derived);
      if (python !== null) expect(await python.verify(store)).toMatchObject({ result: 'intact' });
    },
  };
}
