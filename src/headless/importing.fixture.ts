import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { pythonMissing, startPythonVerifier } from '../main/engine/audit/testing/pythonVerifier.ts';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { importReportSchema } from '../shared/imported.ts';
import { replayReportSchema, verifyReportSchema } from '../shared/outputs.ts';
import type { TrialLine } from '../shared/trialLine.ts';
import {
  changed,
  type Ended,
  openWorkbench,
  parseTrialLines,
  sampleExperiment,
  type Workbench,
  writeExperiment,
} from './testing.ts';

/** The predictions that come with the program, and the words that import them into an experiment of their own. */
export const published = resolve(import.meta.dirname, '../../resources/predictions/nlsy97/predictions.csv');
export const publishedText = (store: string): string[] =>
  ['import-predictions', published, '--store', store, '--experiment', 'published', '--arm', 'api', '--json']
    .concat(['--case', 'case_id', '--prediction', 'prediction', '--confidence', 'confidence', '--confidence-scale', '100'])
    .concat([
      '--repeat',
      'repeat_id',
      '--system',
      'model_name',
      '--truth',
      'ground_truth',
      '--map',
      'True=YES',
      '--map',
      'False=NO',
    ]);

/** Predictions for the sixteen cases of the sample data: positive for every fourth. */
export const forAll = `id,said\n${Array.from({ length: 16 }, (_, index) => `c${String(index + 1).padStart(2, '0')},${index % 4 === 0 ? 'YES' : 'NO'}`).join('\n')}\n`;

export const reportOf = ({ code, output, errors }: Ended) => {
  if (code !== 0) throw new Error(`the import ended with ${code}: ${errors}`);
  return importReportSchema.parse(JSON.parse(output));
};

/** An experiment, and a file of predictions for it. */
export interface ImportProject {
  readonly room: string;
  /** The experiment file. */
  readonly file: string;
  readonly store: string;
  /** The file of predictions. */
  readonly source: string;
  run(...more: string[]): Promise<Ended>;
  take(...more: string[]): Promise<Ended>;
  lines(): Promise<TrialLine[]>;
}

export interface ImportBench {
  readonly bench: Workbench;
  /** A folder with the sample experiment, all of whose cases are on trial unless it says otherwise, and with predictions. */
  project(name: string, predictions: string, experiment?: string): ImportProject;
  /** Expects that both verifiers find a store intact and that every trial of it is derived again. */
  intact(store: string, trials: number): Promise<void>;
  close(): Promise<void>;
}

export async function openImportBench(): Promise<ImportBench> {
  const bench = openWorkbench();
  const standin = await startDemoServer({ port: 0 });
  const python = pythonMissing() === null ? startPythonVerifier() : null;
  return {
    bench,
    project(name, predictions, experiment = changed(sampleExperiment, ['"from": "test", "n": 3', '"from": "all"'])) {
      const room = bench.room(name);
      const file = writeExperiment(room, experiment);
      const store = join(room, 'store.db');
      const source = join(room, 'predictions.csv');
      writeFileSync(source, predictions);
      const usual = ['--experiment', 'rain', '--arm', 'other', '--case', 'id', '--prediction', 'said'];
      return {
        room,
        file,
        store,
        source,
        run: (...more) => bench.assize(['run', file, '--store', store, '--ollama', standin.url, '--json', ...more]),
        take: (...more) => bench.assize(['import-predictions', source, '--store', store, '--json', ...usual, ...more]),
        async lines() {
          const words = ['export', 'rain', '--store', store, '--format', 'trials-jsonl', '--out', '-'];
          return parseTrialLines((await bench.assize(words)).output);
        },
      };
    },
    async intact(store, trials) {
      const verified = await bench.assize(['verify', store, '--json']);
      expect(verifyReportSchema.parse(JSON.parse(verified.output))).toMatchObject({ result: 'intact', trials, first_bad: null });
      const replayed = await bench.assize(['replay', store, '--json']);
      expect(replayReportSchema.parse(JSON.parse(replayed.output))).toMatchObject({
        identical: trials,
        different: 0,
        not_replayable: 0,
      });
      if (python !== null) expect(await python.verify(store)).toMatchObject({ result: 'intact' });
    },
    async close() {
      python?.close();
      await standin.close();
      bench.remove();
    },
  };
}
