// Requests about the engine itself, its settings and its whole record, with copies of records from elsewhere.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { EngineStatus } from '../../../../shared/api/engine.ts';
import type { Copies, CopyFrame, DiskUse, RecordCheck, RecordFrame } from '../../../../shared/api/record.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import { attempt } from '../../attempt.ts';
import { checkpointView, makeCheckpoint } from '../../checkpoint/checkpoints.ts';
import { attachment } from '../../checkpoint/commands.ts';
import { openUserKey } from '../../checkpoint/userKey.ts';
import { dataFolder } from '../../dataFiles/dataFolder.ts';
import { erase } from '../../erase/erase.ts';
import type { CopyProgress } from '../../newStores.ts';
import type { TellProgress } from '../../queries/query.ts';
import { queueFolder, searchFolder, wholeCache } from '../../report/statisticsCache.ts';
import { isDamagedStore } from '../../store/databaseError.ts';
import { configurationFolder, isOnlyReadable, resolveStorePath } from '../../store/location.ts';
import { originOf } from '../../store/origin.ts';
import { openStoreReadOnly } from '../../store/store.ts';
import { programVersion } from '../../version.ts';
import { ownLogFile } from '../errorLog.ts';
import { refuseDamaged } from '../knownFaults.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, latestFrames, newestOf } from '../streams.ts';

const mostListed = 100;

type Own = Pick<Service, 'elsewhere' | 'launch'>;

/** The store that the program began with, or, where that is from elsewhere, the one that it begins with by itself. Throws bad-input */
const ownStore = ({ elsewhere, launch }: Own): string =>
  elsewhere() === null ? resolve(launch.store) : resolveStorePath(undefined);

/** Where a copy of a name can be. Throws output-exists for the user's own record, bad-input for a user without a folder for it. */
function copyPath(own: Own, name: string): string {
  const mine = ownStore(own);
  const path = join(dirname(mine), name.endsWith('.db') ? name : `${name}.db`);
  if (path !== mine) return path;
  throw new AssizeError('output-exists', 'your own record has this name; choose another one', 'name');
}

/** A free place for a copy of a record from elsewhere; null for a user without a folder of their own. */
function freePlace(own: Own, store: string): { folder: string; name: string } | null {
  const name =
    basename(originOf(store)?.file ?? store)
      .replace(/\.\w+$/, '')
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^\.+/, '')
      .slice(0, 100) || 'record';
  const mine = attempt(() => ownStore(own), null);
  if (mine === null) return null;
  const isTaken = (path: string) => path === mine || existsSync(path);
  let into = join(dirname(mine), `${name}.db`);
  for (let number = 2; isTaken(into); number++) into = join(dirname(mine), `${name}-${number}.db`);
  return { folder: dirname(into), name: basename(into) };
}

/** Where one that is there is. Throws not-found */
function copyBeside(own: Own, name: string): string {
  if (copiesBeside(own).some((copy) => copy.name === name)) return copyPath(own, name);
  throw new AssizeError('not-found', 'this copy is no longer there');
}

/** Those that are there, the newest first. */
function copiesBeside(own: Own): Copies {
  const mine = attempt(() => ownStore(own), null);
  const folder = mine === null ? null : dirname(mine);
  if (folder === null || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.db') && join(folder, entry.name) !== mine)
    .map(({ name }) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(0, mostListed)
    .flatMap(({ name }) => {
      const store = attempt(() => openStoreReadOnly(join(folder, name)), null);
      const of = store?.runLog.adoption() ?? null;
      store?.close();
      return of === null || of.joined ? [] : [{ name, of }];
    });
}

/** Bytes of a file, or of all files in a folder; 0 where there is none. */
async function bytesOf(path: string | null): Promise<number> {
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path === null || found === null) return 0;
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  return sumOf(names.map((name) => join(path, name)));
}

async function sumOf(paths: readonly (string | null)[]): Promise<number> {
  return (await Promise.all(paths.map(bytesOf))).reduce((sum, bytes) => sum + bytes, 0);
}

/** What is there of the store at a path and of the user's own files, in bytes. */
async function diskUse(store: string): Promise<DiskUse> {
  const [index, cache] = await Promise.all([sumOf([searchFolder(), queueFolder()]), bytesOf(wholeCache())]);
  const found: DiskUse = [
    { of: 'record', bytes: await sumOf([store, `${store}-wal`, `${store}-shm`]) },
    { of: 'data', bytes: await bytesOf(dataFolder(store)) },
    { of: 'index', bytes: index },
    { of: 'cache', bytes: cache - index },
    { of: 'log', bytes: await bytesOf(ownLogFile()) },
  ];
  return found.filter(({ bytes }) => bytes > 0);
}

function statusOf({ launch, elsewhere, store, runs, network, settings: file }: Service): EngineStatus {
  return {
    version: programVersion,
    incarnation: launch.incarnation,
    store: originOf(launch.store)?.file ?? basename(launch.store),
    elsewhere: elsewhere(),
    onlyReadable: isOnlyReadable(launch.store),
    writtenElsewhere: store.writtenElsewhere(),
    unknownServers: file.unknownServers(),
    unknownContinue: file.unknownContinue(),
    runs: [...runs.all()],
    connections: network.connections(),
    refused: network.refused(),
  };
}

export const engine = {
  status: os.engine.status.handler(({ context: service }) => statusOf(service)),
  watch: os.engine.watch.handler(({ context: service, signal }) => {
    const source = newestOf((changed) => service.changes.onStatus(() => changed('status')), { status: () => statusOf(service) });
    return follow(source, signal);
  }),
};

export const settings = {
  read: os.settings.read.handler(({ context: service }) => service.settings.read()),
  change: os.settings.change.handler(async ({ context: service, input }) => {
    const changed = service.settings.change(input);
    // Calls to a host that is no longer allowed end now and not with the next call.
    service.network.dispatcher();
    service.changes.status();
    if (input.ollamaUrl !== undefined) await service.daemon.moved();
    return changed;
  }),
  confirmServers: os.settings.confirmServers.handler(async ({ context: service }) => {
    service.settings.confirmServers();
    service.network.dispatcher();
    service.changes.status();
    await service.daemon.moved();
    return service.settings.read();
  }),
};

type Check = (signal: AbortSignal, tell: TellProgress) => Promise<RecordCheck>;

/** Frames of a check: how far it is, then what it found. */
const checkFrames = (outer: AbortSignal | undefined, check: Check) =>
  latestFrames<RecordFrame>(outer, async (signal, show) => ({
    kind: 'done',
    check: await check(signal, ({ what, counted }) => {
      if (counted !== undefined && (what === 'texts' || what === 'events')) show({ kind: 'progress', stage: what, ...counted });
    }),
  }));

export const record = {
  check: os.record.check.handler(({ context: { queries, knownFaults }, input: { head }, signal: outer }) =>
    checkFrames(outer, async (signal, tell) => {
      const done = knownFaults.checking();
      try {
        const check = await queries.run('recordCheck', head, signal, tell);
        done(check);
        return check;
      } catch (error) {
        if (isDamagedStore(error))
          done({ result: 'tampered', first_bad: { trial: null, seq: null, kind: 'file', problem: error.message } });
        throw error;
      }
    }),
  ),
  place: os.record.place.handler(async ({ context: { connection, launch, queries, elsewhere }, signal }) => ({
    store: launch.store,
    folder: dirname(launch.store),
    configuration: configurationFolder(),
    cache: wholeCache(),
    log: ownLogFile(),
    copy_of: originOf(launch.store)?.file ?? null,
    copy: elsewhere() === null ? null : freePlace(connection.own, launch.store),
    adopted: await queries.run('adoption', null, signal),
  })),
  diskUse: os.record.diskUse.handler(({ context: { launch } }) => diskUse(launch.store)),
  known: os.record.known.handler(({ context: { knownFaults } }) => knownFaults.read()),
  checkFile: os.record.checkFile.handler(
    ({ context: { connection, queries, files }, input: { upload, head, since }, signal: outer }) => {
      const { path, fileName } = files.upload(upload);
      // Also where the screen leaves before it asks for the first frame.
      outer?.addEventListener('abort', () => void files.release(upload), { once: true });
      return checkFrames(outer, async (signal, tell) => {
        if (connection.checked !== null) await files.release(connection.checked);
        connection.checked = upload;
        let isKept = false;
        try {
          const check = await queries.run('recordFileCheck', { path, fileName, head, since }, signal, tell);
          // For the comparison with another copy, or to be read on the screens.
          isKept = check.kind === 'bundle' || (check.result === 'intact' && check.left_out === 0);
          return check;
        } finally {
          if (!isKept) await files.release(upload);
        }
      });
    },
  ),
  compareFiles: os.record.compareFiles.handler(async ({ context: { queries, files }, input, signal }) => {
    const [checked, other] = [files.upload(input.upload), files.upload(input.other)];
    try {
      const names = { compared: checked.fileName, other: other.fileName };
      return await queries.run('bundleDifferences', { checked: checked.path, other: other.path, names }, signal);
    } finally {
      await files.release(input.other);
    }
  }),
  read: os.record.read.handler(async ({ context: { given }, input: { upload } }) => ({ record: await given.read(upload) })),
  copy: os.record.copy.handler(({ context: { connection, launch, elsewhere, given }, input: { name }, signal: outer }) => {
    if (elsewhere() === null) throw badInput('this record is your own already');
    const into = copyPath(connection.own, name);
    return latestFrames<CopyFrame>(outer, async (signal, show) => {
      const onProgress = ({ step, done, of }: CopyProgress) => show({ kind: 'progress', step, done, of });
      const record = await given.copy(launch.store, into, { signal, onProgress });
      return { kind: 'done', record, place: { folder: dirname(into), name: basename(into) } };
    });
  }),
  copies: os.record.copies.handler(({ context: { connection } }) => copiesBeside(connection.own)),
  openCopy: os.record.openCopy.handler(({ context: { connection, given }, input: { name } }) => ({
    record: given.openCopy(copyBeside(connection.own, name)),
  })),
  enter: os.record.enter.handler(({ context: { connection, given }, input: { record } }) => {
    given.service(record);
    connection.record = record;
  }),
  leave: os.record.leave.handler(({ context: { given }, input: { record } }) => given.leave(record)),
  checkpoint: os.record.checkpoint.handler(({ context: { queries }, signal }) => queries.run('checkpoint', null, signal)),
  sign: os.record.sign.handler(({ context: service }) => {
    refuseDamaged(service.knownFaults);
    return service.store.write((store) => {
      makeCheckpoint(store, openUserKey());
      return checkpointView(store);
    });
  }),
  attach: os.record.attach.handler(async ({ context: service, input: { upload } }) => {
    const add = attachment(service.files.upload(upload).path);
    const view = await service.store.write((store) => {
      add(store);
      return checkpointView(store);
    });
    await service.files.release(upload);
    return view;
  }),
  erase: os.record.erase.handler(async ({ context: service, input: { target, confirmed }, signal }) => {
    if (!confirmed) return service.queries.run('erasePreview', target, signal);
    const running = [...service.runs.all()].find((run) => ['running', 'waiting', 'paused', 'stopping'].includes(run.state));
    if (running !== undefined) throw badInput(`experiment ${JSON.stringify(running.experiment)} is running; stop it first`);
    const { store: _path, ...report } = await service.store.write((store) => erase(store, target, true));
    return report;
  }),
  saveCheckpoint: os.record.saveCheckpoint.handler(async ({ context: service, signal }) => {
    const { checkpoint } = await service.queries.run('checkpoint', null, signal);
    if (checkpoint === null) throw new AssizeError('not-found', 'there is no checkpoint yet; make one first');
    const fileName = `checkpoint-${checkpoint.size}.txt`;
    const { file, path } = service.files.reserve(fileName);
    writeFileSync(path, checkpoint.note);
    return { file, fileName };
  }),
};
