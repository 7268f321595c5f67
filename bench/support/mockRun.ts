// What the benches that run trials against the mock server share.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A mock server in its own process: where it is, and its end. */
export async function startMock({ latencyMs, pieces, bodiesFile }: { latencyMs: number; pieces: number; bodiesFile: string }) {
  const words = [String(latencyMs), String(pieces), bodiesFile];
  const server = fork(join(import.meta.dirname, 'mockServer.ts'), words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = await once(server.stdout ?? server, 'data');
  return { url: String(line).trim(), close: () => server.disconnect() };
}

/** Writes an experiment of one arm, and its cases: those of a sample over and over, each with its own name. */
export function writeExperiment(
  folder: string,
  trials: number,
  protocol: string,
  { model = 'mock:1b', params = {}, ...more }: { model?: string; params?: object; backends?: object; runtime?: object } = {},
): string {
  const sample = readFileSync(resolve(import.meta.dirname, '../../resources/samples/nlsy97/nlsy97-60.csv'), 'utf8');
  const [head = '', ...rows] = sample.trimEnd().split('\n');
  const cases = Array.from({ length: trials }, (_, index) => (rows[index % rows.length] ?? '').replace(/^\d+/, String(index)));
  const table = join(folder, 'cases.csv');
  writeFileSync(table, `${[head, ...cases].join('\n')}\n`);
  const label = { column: 'y_arrestedafter2002', map: { True: 'YES', False: 'NO' } };
  const named = { labels: ['NO', 'YES'], positive: 'YES', question: 'Will this person be re-arrested within three years?' };
  const split = { test: 1, train: 0, validation: 0 };
  const dataset = { path: table, kind: 'tabular', id: 'id', label, ...named, split, sample: { from: 'test', n: trials } };
  const arms = [{ name: 'arm', protocol, params, cast: { '*': { model } } }];
  const file = join(folder, 'experiment.json');
  writeFileSync(file, JSON.stringify({ version: 1, name: 'bench', seed: 1, ...more, dataset, arms }));
  return file;
}
