// Requests about the engine itself, its settings and its whole record.

import { writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { EngineStatus } from '../../../../shared/api/engine.ts';
import { type CopyFrame, type RecordCheck, type RecordFrame, recordFrameSchema } from '../../../../shared/api/record.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import type { CopyProgress } from '../../adopt.ts';
import { checkpointView, makeCheckpoint } from '../../checkpoint/checkpoints.ts';
import { attachment } from '../../checkpoint/commands.ts';
import { openUserKey } from '../../checkpoint/userKey.ts';
import { erase } from '../../erase/erase.ts';
import type { TellProgress } from '../../queries/query.ts';
import { wholeCache } from '../../report/statisticsCache.ts';
import { configurationFolder, isOnlyReadable } from '../../store/location.ts';
import { originOf } from '../../store/origin.ts';
import { programVersion } from '../../version.ts';
import { copiesBeside, copyBeside, copyPath, freePlace } from '../copies.ts';
import { diskUse } from '../diskUse.ts';
import { ownLogFile } from '../errorLog.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { refuseDamaged } from '../signingKey.ts';
import { follow, latestFrames, newestOf } from '../streams.ts';

function statusOf({ launch, elsewhere, store, runs, network, settings: file }: Service): EngineStatus {
  return {
    version: programVersion,
    incarnation: launch.incarnation,
    store: originOf(launch.store)?.file ?? basename(launch.store),
    elsewhere: elsewhere(),
    onlyReadable: isOnlyReadable(launch.store),
    writtenElsewhere: store.writtenElsewhere(),
    unknownServers: file.unknownServers(),
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
      const frame = recordFrameSchema.safeParse({ kind: 'progress', stage: what, ...counted });
      if (frame.success) show(frame.data);
    }),
  }));

export const record = {
  check: os.record.check.handler(({ context: { queries, knownFaults }, input: { head }, signal: outer }) =>
    checkFrames(outer, async (signal, tell) => {
      const done = knownFaults.checking();
      const check = await queries.run('recordCheck', head, signal, tell);
      done(check);
      return check;
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
    ({ context: { connection, queries, files }, input: { upload, head }, signal: outer }) => {
      const { path, fileName } = files.upload(upload);
      // Also where the screen leaves before it asks for the first frame.
      outer?.addEventListener('abort', () => void files.release(upload), { once: true });
      return checkFrames(outer, async (signal, tell) => {
        if (connection.checked !== null) await files.release(connection.checked);
        connection.checked = upload;
        let isKept = false;
        try {
          const check = await queries.run('recordFileCheck', { path, fileName, head }, signal, tell);
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
    return {};
  }),
  leave: os.record.leave.handler(async ({ context: { given }, input: { record } }) => {
    await given.leave(record);
    return {};
  }),
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
