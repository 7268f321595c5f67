// How many trials an hour a real server and the program manage together: SmolLM2 on Ollama, llama.cpp and vLLM, with 1, 2 and 4
// trials at once, compared with a bare loop in the same run, which sends as many requests at once to the same server.
// npm run bench:engines -- [--engine NAME] [--protocol NAME] [--at-once N] [--tokens N] [--minutes N]: docs/scale.md. Needs the weights.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosen, wholeNumber } from '../build/models/options.ts';
import {
  contextOfSlot,
  type ModelServer,
  type ServerName,
  serverNames,
  slots,
  startModelServer,
} from '../build/models/servers.ts';
import { experimentFile, experimentsOf, protocolNames } from '../build/models/suite.ts';
import { type RunProgress, run } from '../src/main/engine/engine.ts';
import type { RunReportJson } from '../src/shared/commandOutputs.ts';
import { machine, rounded } from './support/lines.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: [...serverNames] },
    protocol: { type: 'string', multiple: true, default: protocolNames },
    'at-once': { type: 'string', multiple: true, default: ['1', '2', '4'] },
    tokens: { type: 'string', default: '256' },
    minutes: { type: 'string', default: '90' },
  },
});
const engines = chosen('engine', values.engine, serverNames);
const experiments = experimentsOf(chosen('protocol', values.protocol, protocolNames), null).filter(
  ({ protocol }, index, all) => all.findIndex((each) => each.protocol === protocol) === index,
);
const numbersAtOnce = values['at-once'].map((given) => wholeNumber('at-once', given, 1));
const tooMany = numbersAtOnce.find((atOnce) => atOnce > slots);
if (tooMany !== undefined) throw new Error(`--at-once ${tooMany}: the servers have ${slots} slots`);
const tokens = wholeNumber('tokens', values.tokens, 1);

const model = 'smollm2';
/** A trial for each place, two where a trial is one call. */
const trialsOf = (protocol: string, atOnce: number) => (protocol === 'standard' || protocol === 'single' ? 2 : 1) * atOnce;
const threads = Math.max(1, availableParallelism() - 1);
/** What a call of these protocols is like on average: three quarters of its prompt are those of an earlier call. */
const bareRequest = { shared: 45, own: 15, answerTokens: 100 } as const;
const bareRequests = 8;

const ending = new AbortController();
const deadline = setTimeout(() => ending.abort(), wholeNumber('minutes', values.minutes) * 60_000);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

const folder = mkdtempSync(join(tmpdir(), 'assize-engines-'));
const print = (line: object) => {
  process.stdout.write(`${JSON.stringify({ ...line, model, threads, ...machine() })}\n`);
};

const versionPaths = { ollama: '/api/version', 'llama.cpp': '/props', vllm: '/version' } as const;

async function versionOf(engine: ServerName, url: string): Promise<string> {
  const response = await fetch(new URL(versionPaths[engine], url));
  const { version, build_info: build } = (await response.json()) as { version?: string; build_info?: string };
  return version ?? build ?? 'unknown';
}

/** One request as the program makes them. Returns the tokens of the answer, whose schema lets it end only at its limit. */
async function ask({ kind, url }: ModelServer['talking'], index: number): Promise<number> {
  const { shared, own, answerTokens } = bareRequest;
  const sentence = 'The court reads the file of the case once more. ';
  // What a schema forbids and a model would write costs a server time: the prompt says what is wanted, like the program's.
  const task = `Write one JSON array of ${answerTokens} sentences on the case, and nothing else.`;
  const messages = [
    { role: 'system', content: sentence.repeat(shared) },
    { role: 'user', content: `Case ${index}. ${sentence.repeat(own)}\n\n${task}` },
  ];
  const schema = { type: 'array', items: { type: 'string' }, minItems: answerTokens };
  const sampling = { temperature: 0.7, seed: index };
  const [path, body] =
    kind === 'ollama'
      ? ['/api/chat', { format: schema, options: { ...sampling, num_ctx: contextOfSlot, num_predict: answerTokens } }]
      : [
          '/v1/chat/completions',
          {
            response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
            ...{ ...sampling, max_tokens: answerTokens, stream_options: { include_usage: true } },
          },
        ];
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, stream: true, ...body }),
    signal: ending.signal,
  });
  const text = await response.text();
  const counts = [...text.matchAll(/"(?:completion_tokens|eval_count)":\s*(\d+)/g)].map(([, count]) => Number(count));
  const count = counts.at(-1);
  if (!response.ok || count === undefined) throw new Error(`${path} answers HTTP ${response.status}: ${text.slice(-500)}`);
  return count;
}

/** Tokens of answers a second of a loop that does nothing else. Its cases are its own: those of an earlier loop would be in the server's cache. */
async function bareLoop(talking: ModelServer['talking'], atOnce: number): Promise<number> {
  const first = atOnce * 100;
  // Each slot computes what all prompts have in common once.
  await Promise.all(Array.from({ length: atOnce }, (_none, index) => ask(talking, first + index)));
  const open = Array.from({ length: bareRequests }, (_none, index) => first + atOnce + index).values();
  let written = 0;
  const worker = async () => {
    for (const index of open) {
      const count = await ask(talking, index);
      written += count;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return written / ((performance.now() - began) / 1000);
}

/** A model that declines to decide has answered. */
function resultsOf({ done, outcomes }: RunReportJson) {
  const { decided = 0, undecided = 0 } = outcomes;
  return { failed: done - decided - undecided, outcomes };
}

/**
 * One protocol: its first variant, on cases that the number at once draws. The numbers are those of the program's own meter, as far as
 * the run came.
 */
async function measure(engine: string, experiment: (typeof experiments)[number], server: ModelServer, atOnce: number) {
  const talking = { ...server.talking, concurrency: atOnce };
  const cases = trialsOf(experiment.protocol, atOnce);
  const settings = { cases, tokens, folder: null, model, server: { ...server, talking } } as const;
  const whole = experimentFile(experiment, settings);
  const arms = whole.arms.slice(0, 1);
  const path = join(folder, 'experiment.json');
  writeFileSync(path, JSON.stringify({ ...whole, seed: atOnce, arms }));
  const store = join(folder, `${engine}-${experiment.protocol}-${atOnce}.db`);
  let seen: RunProgress | undefined;
  const onProgress = (progress: RunProgress) => {
    seen = progress;
  };
  const began = performance.now();
  const ended = await run(path, { store, concurrency: atOnce, signal: ending.signal, onProgress }).catch((error: Error) => error);
  const results = ended instanceof Error ? { endedEarly: ended.message } : resultsOf(ended);
  return {
    ...{ variant: arms[0]?.name, cases: experiment.data, trials: seen?.done ?? 0, ...results, calls: seen?.calls ?? 0 },
    seconds: rounded((performance.now() - began) / 1000, 1),
    trialsAnHour: rounded((seen?.per_minute ?? 0) * 60, 1),
    tokensASecond: rounded(seen?.tokens_per_second ?? 0),
  };
}

try {
  for (const engine of engines) {
    if (ending.signal.aborted) break;
    const server = await startModelServer(engine, model, threads).catch((error: Error) => ({ missing: error.message }));
    if ('missing' in server) {
      print({ engine, missing: server.missing });
      continue;
    }
    try {
      const version = await versionOf(engine, server.talking.url);
      // The first call loads the model.
      await ask(server.talking, 0);
      for (const atOnce of numbersAtOnce) {
        if (ending.signal.aborted) break;
        const bare = await bareLoop(server.talking, atOnce);
        for (const experiment of experiments) {
          if (ending.signal.aborted) break;
          const measured = await measure(engine, experiment, server, atOnce);
          const share = rounded(measured.tokensASecond / bare);
          const setting = { engine, version, protocol: experiment.protocol, atOnce, longestAnswer: tokens };
          print({ ...setting, ...measured, bareTokensASecond: rounded(bare), share });
        }
      }
    } catch (error) {
      if (!ending.signal.aborted) print({ engine, failure: (error as Error).message });
    } finally {
      await server.close();
    }
  }
  if (ending.signal.aborted) print({ ended: `before everything was measured: --minutes ${values.minutes}, or interrupted` });
} finally {
  clearTimeout(deadline);
  rmSync(folder, { recursive: true, force: true });
}
