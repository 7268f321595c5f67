import { askedModels } from './askedModels.ts';
import { assistantFit } from './assistantFit.ts';
import { assistants } from './assistants.ts';
import { call } from './call.ts';
import { compared } from './compared.ts';
import { dataFileRows } from './dataFileRows.ts';
import { dataFileCases, inspectDataFile, previewDataFile, summarizeDataFile } from './dataFiles.ts';
import { deliberation } from './deliberation.ts';
import { differing } from './differing.ts';
import { draftData, draftPlan, draftPreview, tryNeed } from './drafts.ts';
import { experiment } from './experiment.ts';
import { experimentFile } from './experimentFile.ts';
import { experimentList } from './experimentList.ts';
import { exportFile } from './exportFile.ts';
import { flipped } from './flipped.ts';
import { importPreview } from './importPreview.ts';
import { protocolFigures } from './protocolFigures.ts';
import type { FileQuery, Query } from './query.ts';
import { recordCheck } from './recordCheck.ts';
import { runOrder } from './runOrder.ts';
import { statistics } from './statistics.ts';
import { trial } from './trial.ts';
import { trialCheck } from './trialCheck.ts';
import { trialEntries } from './trialEntries.ts';
import { trialLine, trialLines } from './trialLines.ts';
import { trialPage } from './trialPage.ts';
import { wantedRuns } from './wantedRuns.ts';

/** Every query by name. One file each; a new one is one line here. */
export const queries = {
  askedModels,
  assistantFit,
  assistants,
  call,
  compared,
  dataFileCases,
  deliberation,
  differing,
  flipped,
  dataFileRows,
  draftData,
  draftPlan,
  draftPreview,
  experiment,
  experimentFile,
  experimentList,
  export: exportFile,
  importPreview,
  inspectDataFile,
  previewDataFile,
  protocolFigures,
  recordCheck,
  runOrder,
  statistics,
  summarizeDataFile,
  trial,
  trialCheck,
  trialEntries,
  trialLine,
  trialLines,
  trialPage,
  tryNeed,
  wantedRuns,
} satisfies Record<string, Query<never, unknown> | FileQuery<never, unknown>>;

type Queries = typeof queries;
export type QueryName = keyof Queries;

type InputOf<Asked> =
  Asked extends FileQuery<infer Input, unknown> ? Input : Asked extends Query<infer Input, unknown> ? Input : never;
type OutputOf<Asked> = Asked extends { run(...words: never[]): infer Output } ? Awaited<Output> : never;

export type QueryInput<Name extends QueryName> = InputOf<Queries[Name]>;
export type QueryOutput<Name extends QueryName> = OutputOf<Queries[Name]>;
