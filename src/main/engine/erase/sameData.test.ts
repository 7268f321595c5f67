import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { eraseInStore } from '../engine.ts';
import { type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';

/** Two experiments about the same people. */

const python = secondVerifier();
const arms = [{ name: 'alone', protocol: 'single', cast: { '*': { model: 'm:1' } } }];
let standin: DemoServer;
let lab: Hearings;

beforeAll(async () => {
  standin = await startDemoServer();
});

afterAll(() => standin.close());

beforeEach(async () => {
  lab = openHearings({ url: standin.url, cases: textCases(8).map((kase) => ({ ...kase, town: 'Bonn' })), arms });
  await lab.run();
});

afterEach(() => lab.close());

/** Runs another experiment over the same file. */
async function runAgain(dataset: object): Promise<void> {
  const again = { name: 'again', arms, dataset };
  lab.extend(again);
  await lab.run();
}

async function isIntact() {
  const report = verifyPath(lab.store);
  await python.agrees(lab.store, report);
  expect(report).toMatchObject({ result: 'intact', first_bad: null });
}

test('when each experiment over a data set was erased, nothing of the data set stays', async () => {
  await runAgain({});
  const [first, second] = lab.look((store) => store.experiments.all().map(({ dataset }) => dataset));
  expect(first).toBe(second);
  const one = await eraseInStore(lab.store, { kind: 'experiment', experiment: 'hearings' }, true, {});
  expect(one).toMatchObject({ cases: 0 });
  await expect(eraseInStore(lab.store, { kind: 'experiment', experiment: 'hearings' }, true, {})).rejects.toThrow(
    'erased before',
  );
  const two = await eraseInStore(lab.store, { kind: 'experiment', experiment: 'again' }, true, {});
  expect(two).toMatchObject({ cases: 8 });
  lab.look((store) => {
    expect(store.datasets.get(first ?? 0).salt.length).toBe(0);
    expect([...store.blobs.all()].filter(({ dataset }) => dataset === first)).toEqual([]);
  });
  await isIntact();
});

test('a case goes too where another experiment knows more about it', async () => {
  await runAgain({ groups: ['town'] });
  const kase = lab.look((store) => store.trials.all()[0]?.case_id ?? '');
  const erased = await eraseInStore(lab.store, { kind: 'case', experiment: 'hearings', case: kase }, true, {});
  expect(erased).toMatchObject({ experiments: ['hearings', 'again'], cases: 2 });
  lab.look((store) => {
    for (const { id } of store.datasets.all().slice(1)) {
      const ref = store.datasets.caseOfId(id, kase)?.ref ?? '';
      expect(() => store.datasets.read(ref)).toThrow('erased');
    }
  });
  await isIntact();
});
