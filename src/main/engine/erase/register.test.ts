import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrations } from '../store/migrations/index.ts';
import { register } from './register.ts';

/** Columns without words of anybody: names, numbers, hashes, times, verdicts and beliefs. They stay. */
const columnsWithoutText: readonly string[] = [
  ...['events.trial', 'events.seq', 'events.kind', 'events.payload', 'events.prev_hash', 'events.hash'],
  ...['state.id', 'state.open', 'state.inode', 'datasets.id', 'datasets.manifest', 'uncleaned.erasure'],
  ...['cases.dataset', 'cases.id', 'cases.position', 'cases.split', 'cases.ref'],
  ...['experiments.name', 'experiments.dataset', 'experiments.definition', 'experiments.head_hash'],
  ...['trials.trial', 'trials.experiment', 'trials.arm', 'trials.case_id', 'trials.replicate', 'trials.attempt', 'trials.seed'],
  ...['trials.protocol', 'trials.protocol_version', 'trials.status', 'trials.outcome', 'trials.incomplete'],
  ...['trials.inconsistent', 'trials.prediction', 'trials.confidence', 'trials.belief', 'trials.belief_source', 'trials.calls'],
  ...['trials.attempts', 'trials.prompt_tokens', 'trials.completion_tokens', 'trials.model_ms', 'trials.wall_ms'],
  ...['trials.models', 'trials.backends', 'trials.standin', 'trials.head_hash', 'trials.ambiguous'],
  ...['run_log.id', 'run_log.at', 'run_log.experiment', 'run_log.event'],
  ...['docket.id', 'docket.added_at', 'docket.file_hash', 'docket.bytes', 'docket.format', 'docket.cases', 'docket.removed_at'],
  ...['runs.experiment', 'runs.backend', 'runs.concurrency', 'runs.session', 'runs.retry', 'runs.entry'],
  ...['trajectories.trial', 'trajectories.head_hash', 'trajectories.computation', 'trajectories.trajectory'],
  ...['log.id', 'log.origin', 'leaves.position', 'leaves.chain', 'leaves.head', 'leaves.hashes'],
  ...['checkpoints.id', 'checkpoints.size', 'checkpoints.made_at', 'checkpoints.note', 'checkpoints.cosignatures'],
  ...['checkpoints.key', 'checkpoints.time_stamp'],
];

/** Modules that write only what the user asked for at a place of the user's, or what says nothing of cases. */
const writersWithoutText: readonly string[] = [
  // Exports, bundles, printed reports and prompts, where the user wants them.
  ...['bundle/writeBundle.ts', 'service/handlers/exports.ts', 'service/handlers/dataFiles.ts'],
  ...['service/handlers/engine.ts', '../shell/files.ts', '../../headless/commands/prompts.ts'],
  '../../headless/commands/vary.ts',
  // Where the user asks the demo model to note what it was sent.
  'models/demo/demoServer.ts',
  // Settings, permissions, keys, checkpoints, prompts, names and heads of chains that were checked, and notes on processes.
  ...['service/settings.ts', 'permissions.ts', 'checkpoint/userKey.ts', 'checkpoint/commands.ts', 'models/daemon/leftovers.ts'],
  ...['audit/earlierCheck.ts', 'lab/promptVariants.ts', 'wholeFile.ts', '../shell/windowState.ts'],
  // The copy of a store is a store.
  ...['newStores.ts', 'store/ownSchema.ts', 'store/statements.ts', 'store/lock.ts'],
];

test('every column of a store is in the register, once', () => {
  const db = new Database(':memory:');
  for (const { sql } of migrations) db.exec(sql);
  const columns = db
    .prepare<[], string>(
      `SELECT tables.name || '.' || columns.name FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all();
  db.close();
  const listed = [...register.flatMap((place) => place.columns ?? []), ...columnsWithoutText];
  expect(listed.toSorted()).toEqual(columns.toSorted());
});

test('every module that writes files is in the register, once', () => {
  const engine = resolve(import.meta.dirname, '..');
  const source = resolve(engine, '../..');
  const writes =
    /\b(writeFile(Sync)?|appendFile(Sync)?|createWriteStream|copyFile(Sync)?|mkdtemp(Sync)?|writeWholeFile|openTemporaryFolder|writeSync)\(|\.open\([^)]*'(w|a)|new Database\(|\bopen\([^)]*'(w|a)/;
  const writers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|testing/.test(name))
    .filter((name) => writes.test(readFileSync(join(source, name), 'utf8')))
    .map((name) => relative(engine, join(source, name)).replaceAll('\\', '/'));
  const listed = [...register.flatMap((place) => place.writers ?? []), ...writersWithoutText];
  expect(listed.toSorted()).toEqual(writers.toSorted());
});
