// Every place that holds words of cases, speeches or data, and how an erasure reaches it. A test fails on a column or a file
// of the program's that is not here.
import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../dataFiles/dataFolder.ts';
import { homeFolder } from '../homeFolder.ts';
import { queueFolder, searchFolder, statisticsFolder } from '../report/statisticsCache.ts';
import { logFile } from '../service/errorLog.ts';
import { forgetWords } from '../service/knownFaults.ts';
import type { Store } from '../store/store.ts';
import { removeOrphans } from '../temporaryFolder.ts';

interface Place {
  readonly place: string;
  /** Columns of the store, as `table.column`. */
  readonly columns?: readonly string[];
  /** Modules that write files, from the engine's folder. */
  readonly writers?: readonly string[];
  /** What an erasure does there. */
  readonly how: string;
  /** Cleans it after the texts are gone from the record. */
  readonly clean?: (store: Store) => void;
}

/** A file of another process of the program that is being copied is not older than this. */
const copyingMs = 10 * 60 * 1000;

function emptyFolder(folder: string | null): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
}

function dropDataFiles(store: Store): void {
  const folder = dataFolder(store.path);
  const needed = new Set(store.dataFiles.list().map(({ file }) => file));
  const found = statSync(folder, { throwIfNoEntry: false });
  for (const name of found === undefined ? [] : readdirSync(folder)) {
    const path = join(folder, name);
    const isCopied = /^[0-9a-f]{64}\.\w+$/.test(name) && !needed.has(name);
    const isLeft = name.endsWith('.partial') && Date.now() - statSync(path).mtimeMs > copyingMs;
    if (isCopied || isLeft) rmSync(path, { force: true });
  }
}

function emptyErrorLog(): void {
  const file = logFile(process.env, process.platform, homeFolder() ?? '/');
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) truncateSync(file);
}

/** Places with text. The record comes first; the file itself is cleaned last. */
export const register: readonly Place[] = [
  {
    place: 'texts of the record',
    columns: ['blobs.ref', 'blobs.dataset', 'blobs.encoding', 'blobs.bytes', 'datasets.salt'],
    how: 'deleted, the salt where nothing of the data set stays',
  },
  {
    place: 'what stays of an erased text',
    columns: ['erased.ref', 'erased.erasure', 'erased.stays'],
    how: 'ids and labels of cases, setups of models, lists of cases, definitions without their question',
  },
  {
    place: 'details of the run log',
    columns: ['run_log.detail'],
    how: 'deleted for the experiments that lose texts; the note of a copied record stays, with the name of the file that it is from',
  },
  {
    place: 'list of data sets',
    columns: ['docket.name', 'docket.definition', 'docket.labels', 'docket.positive', 'docket.file'],
    how: 'the entries that hold an erased case are deleted, and all that were removed and could still be restored',
  },
  {
    place: 'data files',
    writers: ['dataFiles/dataFolder.ts'],
    how: 'files that no entry needs are deleted',
    clean: dropDataFiles,
  },
  {
    place: 'cached statistics and figures, and what checks found',
    writers: ['report/resultCache.ts'],
    how: 'all are deleted, and made again when they are needed; only that a record was damaged is still known',
    clean: () => {
      emptyFolder(statisticsFolder());
      forgetWords();
    },
  },
  {
    place: 'index of what was said',
    writers: ['store/cacheDatabase.ts'],
    how: 'all are deleted, with the lists of trials worth reading; they are made again when they are needed',
    clean: () => [searchFolder(), queueFolder()].forEach(emptyFolder),
  },
  { place: 'error log', writers: ['service/errorLog.ts'], how: 'emptied', clean: emptyErrorLog },
  {
    place: 'temporary folders',
    writers: [
      'temporaryFolder.ts',
      'service/files.ts',
      'service/givenRecords.ts',
      'store/origin.ts',
      'bundle/unpackBundle.ts',
      'store/connection.ts',
      '../../headless/web/webHost.ts',
      'pdf/print.ts',
    ],
    how: 'removed with the process; what killed ones left is deleted',
    clean: () => removeOrphans(),
  },
  {
    place: 'free pages of the store and its write-ahead log',
    how: 'the file is rewritten, the log is emptied',
    clean: (store) => store.clean(),
  },
];
