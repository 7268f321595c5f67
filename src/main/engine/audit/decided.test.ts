import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { confoundedText } from '../../../core/statistics/measures/primaryText.ts';
import { bundleOf, resources } from '../bundle/testing/bundles.ts';
import { run } from '../engine.ts';
import { readExperiment } from '../lab/experimentFile.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { confounded, plannedFirst } from '../lab/primary.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { statistics } from '../report/statistics.ts';
import { openStore } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { damageOf } from './damage.ts';
import { forge } from './testing/forging.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { makeSampleStore, openFolder, writeExperiment } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

const room = openFolder('decided');
const python = secondVerifier();
const experiment = 'nlsy97-demo';
const watch = { signal: new AbortController().signal, onProgress: () => undefined };

async function again(store: string, cases: number, change: Record<string, unknown>) {
  const { url } = kept(await startDemoServer({}));
  return run(writeExperiment(room.folder, { cases, change }), { ...watch, store, url, concurrency: 1 });
}

test('what is decided beforehand is frozen: the program refuses a change, and every verifier finds one', async () => {
  const base = JSON.parse(readFileSync(resolve(resources, 'experiments/nlsy97-demo.json'), 'utf8')) as {
    arms: { name: string; cast: Record<string, object> }[];
  };
  const compare = base.arms.slice(0, 2).map(({ name }) => name);
  const decided = { compare, test: 'non-inferiority', margin: 0.05 };
  const store = await makeSampleStore(room.folder, { cases: 2, change: { primary: decided } });

  await expect(again(store, 2, { primary: { ...decided, margin: 0.1 } })).rejects.toMatchObject({
    code: 'bad-input',
    message: expect.stringMatching(/another primary\.margin: 0\.05 there, 0\.1 here/),
    place: { field: 'primary.margin' },
  });
  await expect(again(store, 2, {})).rejects.toMatchObject({
    message: expect.stringMatching(/another primary: .* there, nothing here/),
  });
  const plannedIn = () => reading(store, (there) => plannedFirst(there, loadFrozen(there, experiment)));
  expect(plannedIn()).toBeUndefined();
  const quick = { cache: null, quick: true };
  const differing = reading(store, (there) => statistics(there, experiment, quick, () => undefined)).primary?.differ_in;
  expect(differing).toEqual(['protocol', 'temperature (0; 0.7)', 'model']);
  // A plan says so before the first trial.
  const prepared = readExperiment(writeExperiment(room.folder, { cases: 2, change: { primary: decided } }));
  expect(confounded(prepared).map(({ text }) => text)).toEqual([expect.stringContaining(confoundedText(differing ?? []))]);
  // What the cast samples with counts, not what it replaces.
  const sampledAt = (temperatures: readonly (number | undefined)[]) =>
    base.arms.map((arm, place) => ({
      ...arm,
      cast: Object.fromEntries(
        Object.entries(arm.cast).map(([role, player]) => [role, { ...player, options: { temperature: temperatures[place] } }]),
      ),
    }));
  for (const temperatures of [
    [0.5, 0.5],
    [0.7, undefined],
  ]) {
    const arms = sampledAt(temperatures);
    const set = readExperiment(writeExperiment(room.folder, { cases: 2, change: { primary: decided, arms } }));
    expect(confounded(set)[0]?.text).toContain('differ in protocol and model, so');
  }
  // More cases do not change what was decided: it is over the cases that were planned when trials began.
  await again(store, 3, { primary: decided });
  expect(plannedIn()?.cases.size).toBe(2);
  expect(verifyPath(store).first_bad).toBeNull();
  expect((await python.verify(store))?.result ?? 'intact').toBe('intact');

  const forged = room.path('forged.db');
  // The trials refer to the earlier freezes, which stay.
  forge(store, forged, `experiment/${experiment}`, ({ events, text, keep }) => {
    const last = events.at(-1);
    if (last === undefined) throw new Error('there is no extension');
    const definition = JSON.parse(text(last.payload.definition)) as Record<string, unknown>;
    const other = keep(
      JSON.stringify({ ...definition, primary: { ...decided, margin: 0.2, measure: 'accuracy', family: 1 } }),
      true,
    );
    events.push({ kind: 'experiment-extend', payload: { ...last.payload, definition: other } });
  });
  const opened = openStore(forged, { create: false });
  opened.write(() => void opened.experiments.restore(experiment));
  expect(damageOf(opened, experiment)).toMatchObject({ damaged: 1 });
  opened.close();
  const problem = expect.stringContaining('what was decided beforehand was changed later');
  expect(verifyPath(forged)).toMatchObject({ result: 'tampered', first_bad: { kind: 'experiments', problem } });
  expect((await python.verify(forged))?.result ?? 'tampered').toBe('tampered');

  // A bundle is held against its own verifier before it is kept.
  await expect(bundleOf(forged, experiment, room.path('forged.zip'), true)).rejects.toMatchObject({ message: problem });
});
