import { afterAll, beforeAll, expect, test } from 'vitest';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { eraseInStore, replay, verify } from '../engine.ts';
import { type Debates, openDebates, trained, unassisted } from '../lab/assistant/testing/debates.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';

/** Erasures of what a trained assistant learned from, while trials that it rated stay. */

const python = secondVerifier();
let standin: DemoServer;
let rated: Debates;

beforeAll(async () => {
  standin = await startDemoServer();
  rated = openDebates(standin.url, 26);
  await rated.run('lessons', { from: 'train', arms: [unassisted] });
  await rated.train('lessons');
  await rated.run('court', { from: 'test', n: 2, arms: [trained] });
});

afterAll(async () => {
  rated.close();
  await standin.close();
});

test.each(['case', 'experiment', ...(exhaustive ? (['both'] as const) : [])] as const)(
  'what it learned from is erased: %s',
  async (scope) => {
    const room = rated.copy();
    const [lesson] = room.look((store) => store.trials.ofExperiment('lessons'));
    if (scope !== 'experiment')
      await eraseInStore(room.store, { kind: 'case', experiment: 'lessons', case: lesson?.case_id ?? '' }, {});
    if (scope !== 'case') await eraseInStore(room.store, { kind: 'experiment', experiment: 'lessons' }, {});
    const report = verifyPath(room.store);
    expect(report).toMatchObject({ result: 'intact', first_bad: null });
    await python.agrees(room.store, report);
    expect(await replay(room.store, undefined, () => undefined)).toMatchObject({ different: 0 });
    const out = `${room.store}.zip`;
    await bundleOf(room.store, 'court', out);
    expect(await verify(out, {})).toMatchObject({ result: 'intact', first_bad: null });
    if (scope === 'experiment') {
      const more = await room.run('court', { from: 'test', n: 4, arms: [trained] });
      expect(more.decided).toBeGreaterThan(0);
      expect(verifyPath(room.store)).toMatchObject({ result: 'intact', first_bad: null });
    }
    room.close();
  },
);
