// Runs every protocol with real language models and prints how they did. Exit 0 where they cannot be had
// here, and 1 where an experiment could not be run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../repository.ts';
import { writeTables } from './document.ts';
import { chosen, wholeNumber } from './options.ts';
import { fixedTokens, rowsOf, tablesOf } from './results.ts';
import { interrupt, measuredIn, type Place, runExperiment, runsFolder } from './runs.ts';
import {
  embedder,
  type ModelName,
  type ModelServer,
  modelNames,
  type ServerName,
  serverNames,
  startModelServer,
} from './servers.ts';
import { experimentsOf, protocolNames } from './suite.ts';
import { fetchWeights, missingTools } from './weights.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', multiple: true, default: ['smollm2'] },
    server: { type: 'string', multiple: true, default: ['ollama'] },
    protocol: { type: 'string', multiple: true, default: protocolNames },
    cases: { type: 'string', default: '2' },
    tokens: { type: 'string', default: '1024' },
    threads: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
    minutes: { type: 'string', default: '55' },
    data: { type: 'string' },
    write: { type: 'string' },
  },
});

const models = chosen('model', values.model, modelNames);
const servers = chosen('server', values.server, serverNames);
const experiments = experimentsOf(chosen('protocol', values.protocol, protocolNames), values.data ?? null);
const [cases, tokens] = [wholeNumber('cases', values.cases), wholeNumber('tokens', values.tokens)];
const deadline = Date.now() + wholeNumber('minutes', values.minutes) * 60_000;
const folder = runsFolder(tokens);
const failures: string[] = [];
let stopped = false;

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    stopped = true;
    interrupt();
  });

async function measure(place: Place, at: ModelServer): Promise<void> {
  for (const experiment of experiments) {
    if (stopped || Date.now() >= deadline) return;
    const began = Date.now();
    const failure = await runExperiment(experiment, place, { cases, tokens, folder: values.data ?? null, server: at }, deadline);
    const took = `${Math.round((Date.now() - began) / 1000)} s`;
    const broken = failure !== null && !stopped && Date.now() < deadline;
    if (broken) failures.push(`${place.model} on ${place.server}, ${experiment.name}: ${failure}`);
    console.log(`${place.model} on ${place.server}, ${experiment.name}, ${cases} a variant: ${broken ? failure : took}`);
  }
}

/** Why nothing can be measured with a model on a server, or null once it is. */
async function measureOne(model: ModelName, server: ServerName): Promise<string | null> {
  try {
    fetchWeights(model);
    fetchWeights(embedder);
  } catch (error) {
    return `no weights: ${(error as Error).message}`;
  }
  try {
    const started = await startModelServer(server, model, wholeNumber('threads', values.threads));
    if ('missing' in started) return started.missing;
    try {
      await measure({ folder, model, server }, started);
    } finally {
      await started.close();
    }
  } catch (error) {
    failures.push(`${model} on ${server}: ${(error as Error).message}`);
  }
  return null;
}

const missing = new Set<string>();
for (const model of models)
  for (const server of servers) {
    if (stopped || Date.now() >= deadline) break;
    const reason = missingTools() ?? (await measureOne(model, server));
    if (reason !== null) missing.add(reason);
  }

const measured = measuredIn(folder);
if (missing.size > 0) console.log(`models: not available (${[...missing].join('; ')})`);
if (measured.length > 0 || failures.length > 0) {
  const rows = rowsOf(measured);
  const tables = tablesOf(rows);
  const fixed = Object.fromEntries(protocolNames.map((protocol) => [protocol, fixedTokens(protocol)]));
  console.log(`\n${tables}\nTokens of fixed text: ${protocolNames.map((name) => `${name} ${fixed[name]}`).join(', ')}.`);
  mkdirSync(join(root, 'test-results'), { recursive: true });
  writeFileSync(
    join(root, 'test-results/models.json'),
    `${JSON.stringify({ date: new Date().toISOString(), tokens, fixed, rows }, null, 2)}\n`,
  );
  if (values.write !== undefined) writeTables(values.write, { tables, tokens, fixed });
  for (const failure of failures) console.log(`FAILED ${failure}`);
  const all = rows.filter(({ variant }) => variant === null);
  const total = (of: (row: (typeof all)[number]) => number) => all.reduce((sum, row) => sum + of(row), 0);
  console.log(
    `models: ${total((row) => row.usable)} of ${total((row) => row.firstAnswers)} first answers usable, ${total((row) => row.decided)} of ${total((row) => row.trials)} trials decided, ${failures.length} experiments failed`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
}
