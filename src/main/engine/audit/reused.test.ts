// A call that says whose answer it took over, forged under right hashes: every verifier names it.
import { rmSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { type Files, lean, linesIn, packed, rechained, unsigned, withLines } from '../bundle/testing/forging.ts';
import { type Laboratory, openLaboratory } from '../lab/testing/laboratory.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { copyWhole } from '../store/copyRecord.ts';
import { forge } from './testing/forging.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { openFolder } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

const room = openFolder('reused');
const python = secondVerifier();
let standin: DemoServer;
let lab: Laboratory;
let bundles: Files[];

/** Arms that differ only in the judge: the later ones reuse what the advocates of the first one said. */
beforeAll(async () => {
  standin = await startDemoServer({ profile: { base: 'instant' } });
  const arm = (judge: string) => ({ prosecutor: 'm:1', defense: 'm:1', judge });
  const arms = { one: arm('m:1'), two: arm('m:7b'), three: arm('m:70b') };
  lab = await openLaboratory({ url: standin.url, cases: 2, runtime: { reuseAnswers: true }, arms });
  await lab.run();
  copyWhole(lab.store.path, room.path('whole.db'));
  const whole = await bundleOf(lab.store.path, 'laboratory', room.path('whole.zip'));
  const redacted = await bundleOf(lab.store.path, 'laboratory', room.path('redacted.zip'), true);
  bundles = [whole, redacted].map((zip) => unsigned(lean(unzipSync(zip))));
});

afterAll(async () => {
  await lab.close();
  await standin.close();
});

const answersOf = (arm: string, place: number) => {
  const trial = lab.trials.filter((each) => each.arm === arm)[place]?.id ?? '';
  const calls = lab.chain(trial).flatMap((event) => (event.kind === 'call-answer' ? [event] : []));
  return calls.map(({ hash, payload }) => ({ payload, named: { trial, key: payload.key, hash } }));
};
/** The first call of the third arm's first trial; what it took over is the first call of the first arm's. */
const takes = () => answersOf('three', 0)[0];

const absent = /^the call .+ of trial [0-9a-f]+ whose answer it took over is not on the record$/;
const other = /^its answer is not that of the call whose answer it took over$/;
/** What a forger writes into that call, and what is wrong then. */
const forgeries: Record<string, [change: () => object, problem: RegExp | null]> = {
  'nothing else': [() => ({}), null],
  'a hash of no event': [() => ({ reused: { ...takes()?.payload.reused, hash: '0'.repeat(64) } }), absent],
  'the key of another call': [() => ({ reused: { ...takes()?.payload.reused, key: answersOf('one', 0)[1]?.named.key } }), absent],
  'another trial': [() => ({ reused: { ...takes()?.payload.reused, trial: answersOf('two', 0)[0]?.named.trial } }), absent],
  'a call with another request': [() => ({ reused: answersOf('one', 0)[1]?.named }), absent],
  'a whole call of another case': [() => ({ ...answersOf('one', 1)[0]?.payload, reused: answersOf('one', 1)[0]?.named }), absent],
  'a call that took its answer over too': [() => ({ reused: answersOf('two', 0)[0]?.named }), absent],
  'another answer': [() => ({ answer: answersOf('one', 0)[1]?.payload.answer }), other],
  'another time': [() => ({ modelMs: 999_999 }), other],
  'no call': [() => ({ reused: null }), /./],
  'a field too many': [() => ({ reused: { ...takes()?.payload.reused, more: '1' } }), /./],
};

test.each(Object.entries(forgeries))('every verifier sees %s in reused answers', async (_name, [change, problem]) => {
  const { trial: chain, key } = takes()?.named ?? { trial: '', key: '' };
  const changed = change();
  const path = room.path('forged.db');
  const write = () =>
    forge(room.path('whole.db'), path, chain, ({ events }) => {
      const call = events.find(({ kind, payload }) => kind === 'call-answer' && payload.key === key);
      Object.assign(call?.payload ?? {}, changed);
    });
  // Of a payload with another form no projection can be made.
  if (problem?.source === '.') expect(write).toThrow();
  else write();
  const report = verifyPath(path);
  await python.agrees(path, report);
  const second = (await python.verify(path)) ?? report;
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const inBundles = await Promise.all(
    bundles.map((files) =>
      verifyBundle(
        rechained(files, chain, (events) =>
          events.map((event) => {
            const payload = JSON.parse(event.payload) as { key?: string };
            const isCall = event.kind === 'call-answer' && payload.key === key;
            return isCall ? { ...event, payload: JSON.stringify({ ...payload, ...changed }) } : event;
          }),
        ),
      ),
    ),
  );
  for (const { result } of [report, second, ...inBundles]) expect(result).toBe(problem === null ? 'intact' : 'tampered');
  if (problem === null) return;
  for (const { first_bad } of [report, second]) expect(first_bad?.problem).toMatch(problem);
  for (const found of inBundles) {
    expect(found.problem?.replace(/^\w+, event \d+, call-answer: /, '')).toMatch(problem);
    expect(found.uses).toMatchObject([{ trial: chain, seq: report.first_bad?.seq, kind: 'call-answer' }]);
  }
});

test.each([
  ['as it is', (line: string) => line, 'intact'],
  ['as earlier versions wrote it', (line: string) => line.replace(/"reused":\d+/, '"reused":0'), 'intact'],
  ['with another number', (line: string) => line.replace(/"reused":(\d)/, '"reused":1$1'), 'tampered'],
] as const)('a bundle counts in each line of trials the answers that it took over: %s', async (_name, change, result) => {
  for (const files of bundles) {
    const lines = linesIn(files, 'trials.jsonl');
    expect(lines.filter((line) => line.includes('"reused":0')).length).toBe(lines.length / 3);
    expect(await verifyBundle(packed(withLines(files, 'trials.jsonl', lines.map(change))))).toMatchObject({ result });
  }
});
