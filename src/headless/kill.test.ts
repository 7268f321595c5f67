import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { type DemoServer, startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { exhaustive } from '../shared/exhaustive.fixture.ts';
import { type TrialLine, trialLineSchema } from '../shared/trialLine.ts';

/** The run is killed with SIGKILL at this many random moments and run again each time. */
const kills = exhaustive ? 50 : 8;
const concurrency = 3;
/** From before the program has loaded to well into the run. */
const moments = { from: 250, to: 1100 };

const root = resolve(import.meta.dirname, '../..');
const experiment = join(root, 'resources/experiments/nlsy97-demo.json');
let standin: DemoServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assize-kill-'));
  // Fast enough for a test, slow enough that a run outlives most kills.
  standin = await startDemoServer({
    port: 0,
    profile: { base: 'instant', machine: { timed: true, decodeRate: 20_000, promptRate: 1e6, loadRate: 1e15, slots: 8 } },
  });
});

afterAll(async () => {
  await standin.close();
  rmSync(folder, { recursive: true, force: true });
});

function assize(args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'out/headless/assize.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<{ code: number | null; output: string; errors: string }>((done) => {
    child.on('close', (code) => done({ code, output, errors }));
  });
  return { child, ended };
}

const runArguments = (store: string) => [
  'run',
  experiment,
  '--store',
  store,
  '--ollama',
  standin.url,
  '--concurrency',
  String(concurrency),
];

/** Seeds of the calls whose answers are on the record: a seed belongs to one call of one trial and attempt. */
function recordedSeeds(path: string): Set<number> {
  const store = openStoreReadOnly(path);
  try {
    return new Set(
      store.events
        .heads()
        .flatMap(({ chain }) =>
          parseChain(store.events.chain(chain)).flatMap((event) => (event.kind === 'call-answer' ? [event.payload.seed] : [])),
        ),
    );
  } finally {
    store.close();
  }
}

async function trialLines(store: string, name: string): Promise<TrialLine[]> {
  const out = join(folder, `${name}.jsonl`);
  const { code, errors } = await assize([
    'export',
    'nlsy97-demo',
    '--store',
    store,
    '--format',
    'trials-jsonl',
    '--out',
    out,
    '--force',
  ]).ended;
  expect(code, errors).toBe(0);
  return readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => trialLineSchema.parse(JSON.parse(line)));
}

const timeless = ({ model_ms: _model, wall_ms: _wall, head_hash: _head, ...line }: TrialLine) => line;

test(`a run killed at ${kills} random moments ends as one that was never killed, and asks nothing twice`, {
  timeout: 240_000,
}, async () => {
  const seed = Date.now() % 2 ** 31;
  console.info(`seed of the moments: ${seed}`);
  const random = randomSource(seed, 'kill');
  const whole = join(folder, 'whole.db');
  expect((await assize(runArguments(whole)).ended).code).toBe(0);
  const reference = (await trialLines(whole, 'whole')).map(timeless);
  expect(reference).toHaveLength(40);
  expect(reference.every(({ outcome }) => outcome === 'decided')).toBe(true);

  let killed = 0;
  let asked = 0;
  for (let round = 0; killed < kills; round++) {
    const store = join(folder, `killed-${round}.db`);
    const seen = standin.requests().length;
    for (let complete = false; !complete; ) {
      const before = standin.requests().length;
      const answered = killed === 0 || before === seen ? new Set<number>() : recordedSeeds(store);
      const { child, ended } = assize(runArguments(store));
      const delay = moments.from + random.below(moments.to - moments.from);
      const killing = killed < kills ? sleep(delay).then(() => child.kill('SIGKILL')) : Promise.resolve(false);
      const { code, errors } = await ended;
      await killing;
      if (code === null) killed += 1;
      else expect(code, errors).toBe(0);
      complete = code === 0;
      const repeated = standin
        .requests()
        .slice(before)
        .filter(({ seed }) => seed !== null && answered.has(seed));
      expect(repeated, 'calls made again though their answers are on the record').toEqual([]);
    }
    asked += standin.requests().length - seen;
    expect((await trialLines(store, `killed-${round}`)).map(timeless)).toEqual(reference);
    expect((await assize(['verify', store]).ended).code).toBe(0);
    expect((await assize(['replay', store]).ended).code).toBe(0);
  }
  console.info(`${killed} kills, ${asked} requests`);
});
