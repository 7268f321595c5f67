// What the engine adds to its calls: agentic-sim trials against a server that answers after so many milliseconds, everything
// recorded, compared with a bare loop of the same requests through the `ollama` package in the same run.
// node bench/throughput.ts [ROUNDS] [PIECES] [CALLSxMS…]: prints a line of JSON for each setting; an answer comes in PIECES pieces.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatRequest, Ollama } from 'ollama';
import { type RunProgress, run } from '../src/main/engine/engine.ts';
import { atLeast, print, rounded } from './support/lines.ts';
import { startMock, writeExperiment } from './support/mockRun.ts';

const rounds = Number(process.argv[2] ?? 3);
const pieces = Number(process.argv[3] ?? 1);
const wanted = process.argv.slice(4);
const trialsForEachCall = 20;

/** Calls at a time, milliseconds of the server, and the least share of the bare loop's calls a second. */
const settings = [
  { atATime: 8, latencyMs: 20, goal: 0.95 },
  { atATime: 64, latencyMs: 20, goal: 0.85 },
  { atATime: 8, latencyMs: 0, goal: 0.5 },
].filter(({ atATime, latencyMs }) => wanted.length === 0 || wanted.includes(`${atATime}x${latencyMs}`));

const folder = mkdtempSync(join(tmpdir(), 'assize-throughput-'));
const bodiesFile = join(folder, 'bodies.json');

interface Cost {
  readonly calls: number;
  readonly seconds: number;
  /** Milliseconds of the processor for each call, on all threads of this process. */
  readonly processorMs: number;
}

async function measured(action: () => Promise<number>): Promise<Cost> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  const calls = await action();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { calls, seconds, processorMs: (user + system) / 1000 / calls };
}

async function runTrials(file: string, url: string, atATime: number, store: string): Promise<number> {
  let calls = 0;
  const onProgress = (progress: RunProgress) => {
    calls = progress.calls;
  };
  const request = { allowedHosts: [], concurrency: atATime, maxTrials: null, retry: [], signal: new AbortController().signal };
  const report = await run(file, { ...request, store, url, onProgress });
  if (report.decided < report.planned) throw new Error(`not all trials are decided: ${JSON.stringify(report.outcomes)}`);
  return calls;
}

async function bareLoop(bodies: readonly string[], url: string, atATime: number): Promise<number> {
  const client = new Ollama({ host: url });
  const open = bodies.values();
  const worker = async () => {
    for (const body of open) {
      const request: ChatRequest & { stream: true } = JSON.parse(body);
      for await (const part of await client.chat(request)) if (part.done) break;
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return bodies.length;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

try {
  for (const { atATime, latencyMs, goal } of settings) {
    const server = await startMock({ latencyMs, pieces, bodiesFile });
    const { url } = server;
    const file = writeExperiment(folder, trialsForEachCall * atATime, 'agentic-sim');
    const found: { engine: Cost; bare: Cost }[] = [];
    for (let round = 0; round < rounds; round++) {
      const engine = await measured(() => runTrials(file, url, atATime, join(folder, `${atATime}-${latencyMs}-${round}.db`)));
      await fetch(`${url}/bodies`);
      const bodies: string[] = JSON.parse(readFileSync(bodiesFile, 'utf8'));
      // Those of the bare loop of the round before come first.
      const own = bodies.slice(-engine.calls);
      const bare = await measured(() => bareLoop(own, url, atATime));
      found.push({ engine, bare });
    }
    server.close();
    const rate = ({ calls, seconds }: Cost) => calls / seconds;
    const share = median(found.map(({ engine, bare }) => rate(engine) / rate(bare)));
    const of = (which: 'engine' | 'bare') => ({
      callsPerSecond: rounded(median(found.map((each) => rate(each[which]))), 1),
      processorMs: rounded(median(found.map((each) => each[which].processorMs)), 3),
    });
    const setting = { atATime, latencyMs, pieces, rounds };
    print({ ...setting, engine: of('engine'), bare: of('bare'), share: rounded(share, 3), ...atLeast(share, goal) });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
