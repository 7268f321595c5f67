// Runs experiments with the program itself, and reads what they recorded.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../engine/packages.ts';
import { listFiles, root } from '../repository.ts';
import { readCalls, readTrials } from './counts.ts';
import type { Measured } from './results.ts';
import type { ModelName, ServerName } from './servers.ts';
import { type Experiment, experimentFile } from './suite.ts';

const program = join(root, 'bin/assize.js');

/** What decides how a model is asked and how its answers are read. */
const asking = ['src/shared', 'src/core', 'src/main/engine/lab', 'src/main/engine/models'];

/** Folder that keeps the records made by the present code: other code starts again. */
export function runsFolder(tokens: number): string {
  const sum = createHash('sha256').update(`${tokens}`);
  for (const path of listFiles(asking).filter((each) => !/\.(test|fixture)\.ts$|\/testing\//.test(each)))
    sum.update(path).update(readFileSync(join(root, path)));
  const folder = join(cacheFolder('models'), 'runs', sum.digest('hex').slice(0, 12));
  mkdirSync(folder, { recursive: true });
  return folder;
}

export interface Place {
  readonly folder: string;
  readonly model: ModelName;
  readonly server: ServerName;
}

const placeOf = ({ folder, model, server }: Place) => join(folder, `${model}_${server}`);

const casesOf = (file: string): number =>
  existsSync(file)
    ? ((JSON.parse(readFileSync(file, 'utf8')) as { dataset: { sample: { n: number } } }).dataset.sample.n ?? 0)
    : 0;

/** Ends the program that runs; the record keeps what it has. */
let running: ChildProcess | null = null;
export function interrupt(): void {
  const child = running;
  child?.kill('SIGINT');
  setTimeout(() => child?.kill('SIGKILL'), 30_000).unref();
}

/**
 * Runs an experiment, or continues it, until `deadline`. Returns null where it ended, else what the program
 * said last.
 *
 * @param deadline milliseconds since 1970
 */
export async function runExperiment(
  experiment: Experiment,
  place: Place,
  settings: Omit<Parameters<typeof experimentFile>[1], 'model'>,
  deadline: number,
): Promise<string | null> {
  const folder = placeOf(place);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${experiment.name.replace(' ', '_')}.json`);
  // A record takes further cases and never fewer.
  const cases = Math.max(settings.cases, casesOf(file));
  writeFileSync(file, JSON.stringify(experimentFile(experiment, { ...settings, cases, model: place.model })));
  const words = [program, 'run', file, '--store', join(folder, 'assize.db')];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  // In its own process group, so that one Ctrl+C is not two for it.
  const end = () => child.kill();
  process.once('exit', end);
  running = child;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  const timer = setTimeout(interrupt, Math.max(0, deadline - Date.now()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  process.removeListener('exit', end);
  running = null;
  // 3: there are trials without a verdict, which is a result.
  return code === 0 || code === 3
    ? null
    : `exit ${code}: ${
        said
          .trim()
          .split(/[\r\n]/)
          .at(-1) ?? ''
      }`;
}

/** Null where the run ended before it had recorded anything of the experiment. */
function exported(store: string, name: string, format: string): string | null {
  const words = [program, 'export', name, '--store', store, '--format', format, '--out', '-'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (status === 0) return stdout;
  if (stderr.includes('there is no experiment')) return null;
  throw new Error(`${name} cannot be exported: ${stderr.trim()}`);
}

/** Everything that the records of a folder hold. */
export function measuredIn(folder: string): Measured[] {
  return readdirSync(folder).flatMap((place) => {
    const [model = '', server = ''] = place.split('_');
    const store = join(folder, place, 'assize.db');
    const files = existsSync(store) ? readdirSync(join(folder, place)).filter((file) => file.endsWith('.json')) : [];
    return files.flatMap((file) => {
      const name = file.slice(0, -'.json'.length).replace('_', ' ');
      const [lines, events] = [exported(store, name, 'trials-jsonl'), exported(store, name, 'events-jsonl')];
      if (lines === null || events === null) return [];
      const trials = readTrials(lines);
      return [{ model, server, protocol: name.split(' ')[0] ?? '', trials, calls: readCalls(events, trials) }];
    });
  });
}
