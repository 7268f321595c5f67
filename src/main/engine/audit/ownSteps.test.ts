import { afterAll, beforeAll, expect, test } from 'vitest';
import { protocols, type RegisteredProtocol, register } from '../../../core/protocols/index.ts';
import { objecting, objection } from '../../../core/protocols/testing/objecting.ts';
import { stepOf } from '../../../core/telling/steps.ts';
import { type Laboratory, openLaboratory } from '../lab/testing/laboratory.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { reportData } from '../report/html/data.ts';
import { trialReport } from '../report/html/trialReport.ts';
import { transcript } from '../report/transcript.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { replayStore } from './replay.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { verifyStore } from './verify.ts';

const python = secondVerifier();
const registered = protocols as RegisteredProtocol[];
let standin: DemoServer;
let lab: Laboratory;

beforeAll(async () => {
  registered.push(register(objecting));
  standin = await startDemoServer({ models: ['m:1'], anyModel: false });
  lab = await openLaboratory({ url: standin.url, cases: 2, protocol: { name: 'objecting', params: {} } });
  await lab.run();
});

afterAll(async () => {
  registered.pop();
  await lab.close();
  await standin.close();
});

const first = () => lab.trials[0]?.id ?? '';

test('a step of only one protocol is recorded, verified twice and replayed', async () => {
  expect(lab.chain(first()).map(({ kind }) => kind)).toContain('step-take');
  const report = verifyStore(lab.store, {});
  expect(report.result).toBe('intact');
  await python.agrees(lab.store.path, report);
  const reader = kept(openStoreReadOnly(lab.store.path));
  expect(await replayStore(reader, reader.trials.all(), () => undefined)).toMatchObject({ identical: 2, different: 0 });
});

test('and shown in the report and in the text of the trial', () => {
  expect(trialReport(lab.store, 'laboratory', first())).toMatch(/Objection[\s\S]*It holds\./);
  expect(JSON.stringify(transcript(lab.store, 'laboratory', first()).transcript)).toContain('It holds.');
});

test('an erased text, and a step that no protocol here has, are marked as such', () => {
  const { entries } = reportData(lab.store, 'laboratory', first());
  const step = entries.find((entry) => entry.kind === 'step');
  if (step === undefined) throw new Error('the trial has no such step');
  const around = { entries, isCounterbalanced: false };
  expect(JSON.stringify(stepOf({ ...step, said: null }, around))).toContain('erased from the store');
  expect(stepOf({ ...step, step: 'other/bow', said: '{"deep":true}' }, around)).toMatchObject({ title: 'other/bow' });
  expect(() => objection.taken('judge', { text: 'No.', holds: 1 as never })).toThrow(/boolean/);
});
