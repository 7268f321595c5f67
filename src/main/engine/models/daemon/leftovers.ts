// Finds and ends an Ollama that an earlier process left running.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { attempt } from '../../attempt.ts';
import { besideStore } from '../../store/location.ts';
import { writeWholeFile } from '../../wholeFile.ts';
import { endGroup, killMarked, markedProcesses, processIdentity } from './processes.ts';

const processSchema = z.strictObject({ pid: z.int().min(2), identity: z.string().min(1) });

const servesSchema = z.object({
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
  slots: z.int().min(1),
  reproducible: z.boolean(),
});
export type Serves = z.infer<typeof servesSchema>;

/** What lies next to the store while our own daemon runs. */
const noteSchema = z.object({
  version: z.literal(1),
  mark: z.string().regex(/^[0-9a-f]{32}$/),
  /** Who started it, and ends it. */
  owner: processSchema,
  daemon: processSchema,
  /** Earlier versions do not say. */
  serves: servesSchema.optional(),
});
type Note = z.infer<typeof noteSchema>;

const suffix = '.ollama-';
/** What follows it. A store with a similar name has its own files there, which are none of ours. */
const noteName = /^[0-9a-f]{32}\.json$/;
const stopMs = 5_000;

export const newMark = (): string => randomBytes(16).toString('hex');

/** Notes which process was started, before it acts. @returns removes the note, of which there may be none (folder, system) */
export async function noteDaemon(store: string, mark: string, pid: number, serves?: Serves): Promise<() => void> {
  const [owner, daemon] = await Promise.all([processIdentity(process.pid), processIdentity(pid)]);
  if (owner === null || daemon === null) return () => undefined;
  const processes = { owner: { pid: process.pid, identity: owner }, daemon: { pid, identity: daemon } };
  const note: Note = { version: 1, mark, ...processes, ...(serves === undefined ? {} : { serves }) };
  const path = besideStore(store, `${suffix}${mark}.json`);
  attempt(() => writeWholeFile(path, `${JSON.stringify(note)}\n`), undefined);
  return () => remove(path);
}

/** A note that cannot be removed says nothing of the others, and is looked at again at the next start. */
const remove = (path: string): void => attempt(() => rmSync(path, { force: true }), undefined);

function notesBeside(store: string): { path: string; note: Note | null }[] {
  const beginning = basename(besideStore(store, suffix));
  return attempt(() => readdirSync(dirname(store)), [])
    .filter((name) => name.startsWith(beginning) && noteName.test(name.slice(beginning.length)))
    .map((name) => join(dirname(store), name))
    .map((path) => ({ path, note: attempt(() => noteSchema.parse(JSON.parse(readFileSync(path, 'utf8'))), null) }));
}

/** Whether the process that is meant runs, and not another one that got its number. */
const runs = async ({ pid, identity }: Note['daemon']): Promise<boolean> => (await processIdentity(pid)) === identity;

/** Whether a noted daemon is ours and still runs. Any process could be noted: where the system shows it, our mark decides. */
const isLeft = async ({ daemon, mark }: Note): Promise<boolean> =>
  (await runs(daemon)) && (process.platform !== 'linux' || markedProcesses(mark).includes(daemon.pid));

export async function daemonsOfOthers(store: string): Promise<Serves[]> {
  const found: Serves[] = [];
  for (const { note } of notesBeside(store)) {
    if (note?.serves === undefined || note.owner.pid === process.pid) continue;
    if ((await runs(note.owner)) && (await isLeft(note))) found.push(note.serves);
  }
  return found;
}

/** Ends daemons that earlier processes with this store left. Those with an owner, or only named by a note, are left alone. */
export async function endLeftovers(store: string): Promise<void> {
  for (const { path, note } of notesBeside(store)) {
    if (note !== null) {
      if (await runs(note.owner)) continue;
      if (await isLeft(note)) await endGroup(note.daemon.pid, stopMs);
      // The daemon itself may be gone and what it started may not.
      await killMarked(note.mark);
    }
    remove(path);
  }
}
