// A debate of more than 200 utterances, as the benches of the screens read it.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Api } from '../../e2e/loopback/support/engineApi.ts';
import type { RunningHost } from '../../e2e/loopback/support/host.ts';
import { startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';

/** A debate on eight subtopics that nothing ends before its last round: its critic gives no answer, so no score falls. */
export async function makeLongTrial(host: RunningHost, api: Api): Promise<{ long: string; utterances: number }> {
  const [speakers, silent] = await Promise.all([startDemoServer(), startDemoServer({ profile: 'empty' })]);
  const model = 'llama3.1:8b';
  const samples = resolve(import.meta.dirname, '../../resources/samples/deposits/deposits.csv');
  const dataset = { path: samples, kind: 'text', id: 'id', label: { column: 'decision' }, question: 'Who is right?' };
  const params = { subtopics: 8, maxRounds: 14, decay: 1, stances: 'assigned' };
  const cast = { '*': { model, backend: 'speakers' }, critic: { model, backend: 'silent' } };
  const experiment = {
    ...{ version: 1, name: 'long', seed: 1, dataset: { ...dataset, sample: { n: 1 } } },
    backends: { speakers: { kind: 'ollama', url: speakers.url }, silent: { kind: 'ollama', url: silent.url } },
    runtime: { numCtx: 131_072, numPredict: 8192, retries: 0 },
    arms: [{ name: 'long', protocol: 'socrasynth', params, cast }],
  };
  const file = join(host.folder, 'long.json');
  writeFileSync(file, JSON.stringify(experiment));
  await host.assize(['run', file, '--store', host.store]);
  await Promise.all([speakers.close(), silent.close()]);
  const { lines } = await api.experiments.trials({ experiment: 'long', order: 'case', limit: 1 });
  const long = lines[0]?.trial ?? '';
  const { entries } = await api.trials.read({ trial: long });
  return { long, utterances: entries.filter(({ kind }) => kind === 'utterance').length };
}
