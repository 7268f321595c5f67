// Queries that read a data file: inspect, preview, count and list its cases.
import type { CaseDefinition, CasePage, CasePreview, FileReading, Inspection } from '../../../shared/api/dataFiles.ts';
import { pageOfCases, previewCases, summarizeCases } from '../dataFiles/caseReading.ts';
import { inspectFile } from '../dataFiles/inspection.ts';
import type { FileQuery } from './query.ts';

interface DataFile {
  readonly path: string;
  readonly definition: CaseDefinition;
}

export const inspectDataFile: FileQuery<{ path: string } & FileReading, Inspection> = {
  needs: 'no store',
  run: ({ path, ...reading }) => inspectFile(path, reading),
};

export const previewDataFile: FileQuery<DataFile, CasePreview> = {
  needs: 'no store',
  run: ({ path, definition }) => previewCases(path, definition),
};

export const summarizeDataFile: FileQuery<DataFile, Awaited<ReturnType<typeof summarizeCases>>> = {
  needs: 'no store',
  run: ({ path, definition }) => summarizeCases(path, definition),
};

export const dataFileCases: FileQuery<DataFile & { search: string | undefined; offset: number; limit: number }, CasePage> = {
  needs: 'no store',
  run: ({ path, definition, ...page }) => pageOfCases(path, definition, page),
};
