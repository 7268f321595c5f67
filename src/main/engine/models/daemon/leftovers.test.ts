import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { attempt } from '../../attempt.ts';
import { keptFolder } from '../../testing/kept.ts';
import { daemonsOfOthers, endLeftovers, newMark, noteDaemon } from './leftovers.ts';
import { markedProcesses, processIdentity } from './processes.ts';

let folder: string;
let store: string;

beforeEach(() => {
  folder = keptFolder();
  store = join(folder, 'store.db');
});

/** A process in a separate group that ends on request. */
function sleeping(mark: string | null, words: string = 'sleep 600'): { child: ChildProcess; pid: number } {
  const env = { PATH: process.env.PATH, ...(mark === null ? {} : { ASSIZE_DAEMON: mark }) };
  const child = spawn('/bin/sh', ['-c', words], { detached: true, stdio: 'ignore', env });
  const { pid } = child;
  if (pid === undefined) throw new Error('the sleeper was not started');
  // It has ended, as most tests want it.
  onTestFinished(() => void attempt(() => process.kill(-pid, 'SIGKILL'), false));
  return { child, pid };
}

const sleeper = (mark: string | null, words?: string) => sleeping(mark, words).pid;

const identityOf = async (pid: number): Promise<string> => {
  const identity = await processIdentity(pid);
  if (identity === null) throw new Error(`no process ${pid}`);
  return identity;
};

const notes = () => readdirSync(folder);
const alive = async (pid: number) => (await processIdentity(pid)) !== null;

/** A note as it was left by a program that has ended. */
async function leaveNote(pid: number, identity: string, mark: string): Promise<void> {
  const note = { version: 1, mark, owner: { pid: 2 ** 22 - 1, identity: 'long gone' }, daemon: { pid, identity } };
  writeFileSync(join(folder, `store.ollama-${mark}.json`), JSON.stringify(note));
}

test('a process is distinguished from an earlier one with its number, and an ended one does not count', async () => {
  const { child, pid } = sleeping(null);
  expect(await identityOf(pid)).toBe(await identityOf(pid));
  expect(await identityOf(pid)).not.toBe(await identityOf(process.pid));
  const ended = once(child, 'exit');
  process.kill(pid, 'SIGKILL');
  await ended;
  expect(await processIdentity(pid)).toBeNull();
});

test('what an earlier program could not end is ended, with its group, and its note removed', { tags: 'exhaustive' }, async () => {
  const mark = newMark();
  const pid = sleeper(mark, 'trap "" INT; sleep 600 & wait; wait; sleep 600');
  await leaveNote(pid, await identityOf(pid), mark);
  await endLeftovers(store);
  expect(await alive(pid)).toBe(false);
  expect(markedProcesses(mark)).toEqual([]);
  expect(notes()).toEqual([]);
});

test('what a daemon started is ended too where the daemon itself is gone', async () => {
  const mark = newMark();
  const child = sleeper(mark);
  await leaveNote(2 ** 22 - 2, 'another boot 17', mark);
  await endLeftovers(store);
  expect(markedProcesses(mark)).toEqual([]);
  expect(await alive(child)).toBe(false);
});

test('a stranger that got the number is left alone', async () => {
  const pid = sleeper(null);
  const boot = (await identityOf(pid)).split(' ')[0];
  await leaveNote(pid, `${boot} 1`, newMark());
  await endLeftovers(store);
  expect(await alive(pid)).toBe(true);
  expect(notes()).toEqual([]);
});

test('the daemon of a program that runs is left alone, and its note with it', async () => {
  const mark = newMark();
  const pid = sleeper(mark);
  const forget = await noteDaemon(store, mark, pid);
  await endLeftovers(store);
  expect(await alive(pid)).toBe(true);
  expect(notes()).toEqual([`store.ollama-${mark}.json`]);
  forget();
  expect(notes()).toEqual([]);
});

test('a damaged note ends no process, and that of another store is not read', async () => {
  const mark = newMark();
  const pid = sleeper(mark);
  await leaveNote(pid, await identityOf(pid), mark);
  writeFileSync(join(folder, `store.ollama-${newMark()}.json`), '{"version": 1, "mark":');
  await endLeftovers(join(folder, 'other.db'));
  expect(notes()).toHaveLength(2);
  rmSync(join(folder, `store.ollama-${mark}.json`));
  await endLeftovers(store);
  expect(await alive(pid)).toBe(true);
  expect(notes()).toEqual([]);
});

test('a note that names another process ends none', async () => {
  const pid = sleeper(null);
  await leaveNote(pid, await identityOf(pid), newMark());
  await endLeftovers(store);
  expect(await alive(pid)).toBe(true);
  expect(notes()).toEqual([]);
});

test('files of a store with a name alike stay, and a note that cannot be removed does not hide the others', async () => {
  const foreign = ['store.ollama-llama3.db', 'store.ollama-llama3.settings.json'];
  for (const name of foreign) writeFileSync(join(folder, name), '{}');
  const folderInPlace = `store.ollama-${'0'.repeat(32)}.json`;
  mkdirSync(join(folder, folderInPlace));
  const mark = newMark();
  const pid = sleeper(mark);
  await leaveNote(pid, await identityOf(pid), mark);
  await endLeftovers(store);
  expect(await alive(pid)).toBe(false);
  expect(notes().sort()).toEqual([folderInPlace, ...foreign].sort());
});

test('where nothing can be written there is no note, and nothing fails', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const forget = await noteDaemon(join(file, 'store.db'), newMark(), process.pid);
  forget();
  await endLeftovers(join(file, 'store.db'));
  expect(notes()).toEqual(['file']);
});

test('only the daemon of another program that runs, known by its mark and on loopback, is there to be asked', async () => {
  const serves = { url: 'http://127.0.0.1:4321', slots: 2, reproducible: false };
  const owner = sleeper(null);
  const [ownMark, mark] = [newMark(), newMark()];
  const [mine, theirs, unmarked] = [sleeper(ownMark), sleeper(mark), sleeper(null)];
  await noteDaemon(store, ownMark, mine, serves);
  const write = async (name: string, daemon: number, change: object = {}) => {
    const named = {
      owner: { pid: owner, identity: await identityOf(owner) },
      daemon: { pid: daemon, identity: await identityOf(daemon) },
    };
    writeFileSync(
      join(folder, `store.ollama-${name}.json`),
      JSON.stringify({ version: 1, mark: name, ...named, serves, ...change }),
    );
  };
  await write(newMark(), unmarked);
  expect(await daemonsOfOthers(store)).toEqual([]);
  await write(mark, theirs, { serves: { ...serves, url: 'http://10.0.0.1:4321' } });
  expect(await daemonsOfOthers(store)).toEqual([]);
  await write(mark, theirs, { owner: { pid: owner, identity: 'another boot 17' } });
  expect(await daemonsOfOthers(store)).toEqual([]);
  await write(mark, theirs);
  expect(await daemonsOfOthers(store)).toEqual([serves]);
});
