import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { type DemoServerOptions, startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { reading } from '../main/engine/testing/reading.ts';
import { errorReportSchema } from '../shared/errors.ts';
import { type TrialLine, trialLineSchema } from '../shared/trialLine.ts';

const program = resolve(import.meta.dirname, '../../out/headless/assize.js');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly seconds: number;
}

/** What follows the program's name, as a list or with spaces between. */
export type Words = string | readonly string[];

const listOf = (words: Words): readonly string[] =>
  typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;

export interface Started {
  readonly ended: Promise<Ended>;
  /** The first output. Rejects if the process ends without any. */
  readonly printed: Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

/** The command line as it is built, with a folder for all that it writes. */
export type Workbench = ReturnType<typeof openWorkbench>;

/** @param environment variables that the program finds in addition to those that it needs */
export function openWorkbench(environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
  // Test files share processes.
  const before = { ...process.env };
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = {
    // An Ollama of this machine is no part of a test.
    ASSIZE_OLLAMA: '/nonexistent/ollama',
    ...environment,
    PATH: process.env.PATH,
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    TMPDIR: process.env.TMPDIR,
    ASSIZE_LOG_DIR: home,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };
  const begin = (command: string, args: readonly string[]): Started => {
    const startedAt = performance.now();
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const ended = new Promise<Ended>((done, fail) => {
      child.on('error', fail);
      child.on('close', (code) => {
        const seconds = (performance.now() - startedAt) / 1000;
        done({ code, output: Buffer.concat(output).toString('utf8'), errors: Buffer.concat(errors).toString('utf8'), seconds });
      });
    });
    const printed = new Promise<string>((done, fail) => {
      child.stdout.once('data', (chunk: Buffer) => done(chunk.toString('utf8')));
      child.stdout.once('end', () => fail(new Error('it printed nothing')));
    });
    // Few wait for it.
    printed.catch(() => undefined);
    return { ended, printed, kill: (signal) => child.kill(signal) };
  };
  // Loaded as Node loads it, in place of some hundred sources.
  const { main } = createRequire(import.meta.url)(join(program, '../main.js')) as typeof import('./main.ts');
  const start = (args: Words) => begin(process.execPath, [program, ...listOf(args)]);
  return {
    folder,
    path: (name: string) => join(folder, name),
    room(name: string) {
      const room = join(folder, name);
      mkdirSync(room, { recursive: true });
      return room;
    },
    start,
    /** Runs it in the process of the test, in a fraction of the time: for what no signal ends. Its environment stays that of the workbench. */
    async assize(args: Words): Promise<Ended> {
      for (const name of Object.keys(process.env)) if (/^(?:ASSIZE|OLLAMA|XDG)_/.test(name)) delete process.env[name];
      for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
      const startedAt = performance.now();
      const [output, errors] = [[] as string[], [] as string[]];
      const into = (texts: string[]) => ({
        isTTY: false,
        columns: 80,
        write: (text: string | Uint8Array) => texts.push(String(text)) > 0,
      });
      const code = await main(listOf(args), { stdin: process.stdin, stdout: into(output), stderr: into(errors) });
      return { code, output: output.join(''), errors: errors.join(''), seconds: (performance.now() - startedAt) / 1000 };
    },
    /**
     * Kills a command with SIGKILL as often as asked, at random moments of the time that it takes when it is not killed.
     * @param reset before each time
     * @param look after each time
     */
    async killAtRandom(words: string, times: number, reset: () => void, look: () => unknown) {
      const seed = Date.now() % 2 ** 31;
      const random = randomSource(seed, words);
      console.info(`${words.split(' ')[0]}: seed of the moments ${seed}`);
      reset();
      const whole = await start(words).ended;
      if (whole.code !== 0) throw new Error(`${words} ended with ${whole.code}: ${whole.errors}`);
      for (let killed = 0; killed < times; ) {
        reset();
        const { kill, ended } = start(words);
        const killing = sleep(whole.seconds * 1000 * (0.2 + 0.8 * random.next())).then(() => kill('SIGKILL'));
        const { code, errors } = await ended;
        await killing;
        if (code === null) killed += 1;
        else if (code !== 0) throw new Error(`${words} ended with ${code}: ${errors}`);
        await look();
      }
    },
    shell: (line: string) => begin('bash', ['-c', `assize() { '${process.execPath}' '${program}' "$@"; }\n${line}`]).ended,
    remove() {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The label column of the sample data: a name that occurs in no other text. */
export const labelColumn = 'zz_outcome';

/** A data file of `rows` cases, `c01` to the last, every third one positive. */
export function sampleData(rows = 16): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const id = `c${String(index + 1).padStart(2, '0')}`;
    return `${id},${20 + index},${index % 2 === 0 ? 'female' : 'male'},${index % 3 === 0 ? 'True' : 'False'}`;
  });
  return `id,age,sex,${labelColumn}\n${lines.join('\n')}\n`;
}

/** An experiment file: one call a trial, three trials. Tests change it by replacing parts of the text. */
export const sampleExperiment = `{
  "version": 1,
  "name": "rain",
  "replicates": 1,
  "dataset": {
    "path": "data.csv",
    "kind": "tabular",
    "id": "id",
    "label": { "column": "${labelColumn}", "map": { "True": "YES", "False": "NO" } },
    "labels": ["NO", "YES"],
    "positive": "YES",
    "question": "Will it rain?",
    "groups": ["sex"],
    "split": { "test": 0.5, "train": 0.25, "validation": 0.25 },
    "sample": { "from": "test", "n": 3 }
  },
  "runtime": { "retries": 1 },
  "arms": [
    {
      "name": "plain",
      "protocol": "standard",
      "params": { "style": "system1" },
      "cast": { "*": { "model": "llama3.1:8b" } }
    }
  ]
}
`;

export type Replacement = readonly [from: string, to: string];

/** The text with parts replaced, each of which must be there. */
export function changed(text: string, ...replacements: readonly Replacement[]): string {
  return replacements.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`nothing to replace: ${from}`);
    return current.replace(from, () => to);
  }, text);
}

export function lineOf(text: string, part: string): number {
  const at = text.indexOf(part);
  if (at === -1) throw new Error(`not in the text: ${part}`);
  return text.slice(0, at).split('\n').length;
}

export function writeExperiment(folder: string, experiment = sampleExperiment, data: string | Uint8Array = sampleData()): string {
  writeFileSync(join(folder, 'data.csv'), data);
  const path = join(folder, 'experiment.json');
  writeFileSync(path, experiment);
  return path;
}

/** Every file below a folder with the hash of its bytes, but for what SQLite keeps next to a store that was read. */
export function snapshot(folder: string): Record<string, string> {
  const passing = (name: string) =>
    name.endsWith('.db-shm') || (name.endsWith('.db-wal') && statSync(join(folder, name)).size === 0);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !passing(name))
    .toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? 'folder' : createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

export function errorOf({ output }: Ended) {
  return errorReportSchema.parse(JSON.parse(output)).error;
}

export const eventCount = (path: string): number => reading(path, ({ events }) => events.count());

export function parseTrialLines(text: string): TrialLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => trialLineSchema.parse(JSON.parse(line)));
}

export async function until(condition: () => boolean): Promise<void> {
  for (const endsAt = performance.now() + 60_000; !condition(); ) {
    if (performance.now() > endsAt) throw new Error('waited without success');
    await sleep(10);
  }
}

export type Bench = Awaited<ReturnType<typeof openBench>>;
/** An experiment in its own folder; `words` run it with the demo model. */
export type Project = ReturnType<Bench['project']>;

/** A workbench and a demo model for the tests of a file, which go with the last of them. */
export async function openBench(options: Partial<DemoServerOptions> = {}, environment?: Readonly<Record<string, string>>) {
  const workbench = openWorkbench(environment);
  const standin = await startDemoServer({ port: 0, ...options });
  afterAll(async () => {
    await standin.close();
    workbench.remove();
  });
  const lines = async (store: string, experiment = 'rain'): Promise<TrialLine[]> => {
    const words = ['export', experiment, '--store', store, '--format', 'trials-jsonl', '--out', '-'];
    const { code, output, errors } = await workbench.assize(words);
    if (code !== 0) throw new Error(`the export ended with ${code}: ${errors}`);
    return parseTrialLines(output);
  };
  const project = (name: string, experiment?: string, data?: string | Uint8Array) => {
    const room = workbench.room(name);
    const file = writeExperiment(room, experiment, data);
    const store = join(room, 'store.db');
    const words: readonly string[] = ['run', file, '--store', store, '--ollama', standin.url, '--json'];
    const run = (...more: string[]) => workbench.assize([...words, ...more]);
    return { room, file, store, words, run, lines: () => lines(store) };
  };
  return {
    ...workbench,
    standin,
    project,
    lines,
    /** The sample experiment, run to the end in the folder `good`. */
    async finishedRun() {
      const good = project('good');
      const { code, errors } = await good.run();
      if (code !== 0) throw new Error(`the sample run ended with ${code}: ${errors}`);
      return good;
    },
  };
}
