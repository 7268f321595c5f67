import { afterAll, beforeAll, expect, test } from 'vitest';
import { show } from '../engine.ts';
import { everyone, type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';

let standin: DemoServer;
let lab: Hearings;

beforeAll(async () => {
  standin = await startDemoServer();
  const arms = [{ name: 'court', protocol: 'courtroom', params: { judges: 1, ambiguity: 5 }, cast: everyone() }];
  lab = openHearings({ url: standin.url, cases: textCases(16), arms, sample: { from: 'test', n: 1 } });
  await lab.run();
});

afterAll(async () => {
  lab.close();
  await standin.close();
});

test('what the court settled and looked up is between the speeches, in the order of the trial', async () => {
  const [{ trial, payload: sides } = { trial: '', payload: undefined }] = lab.inTrials('side-assign');
  const [retrieved] = lab.inTrials('precedent-retrieve').map(({ payload }) => payload);
  const { transcript, known } = await show(lab.store, 'hearings', trial);
  const { truth, correct } = (await lab.lines()).find((line) => line.trial === trial) ?? {};
  expect(known).toBe(`Truth in the data: ${truth}. The verdict is ${correct === true ? 'correct' : 'wrong'}.`);
  const steps = transcript.filter(({ kind }) => kind === 'step');
  expect(new Set(steps.map(({ turn }) => turn))).toEqual(new Set(['sides', 'precedents', 'ambiguity']));
  const linesOf = (turn: string) => steps.find((step) => step.turn === turn)?.text?.split('\n') ?? [];
  expect(linesOf('sides')).toEqual([
    expect.stringContaining(`In dispute: ${sides?.prediction} (the clerk’s answer) and ${sides?.alternative}.`),
    ...(sides?.order ?? []).map((role) =>
      expect.stringMatching(new RegExp(`^${role === 'prosecutor' ? 'Prosecution' : 'Attorney'}: ${sides?.sides[role]}$`)),
    ),
  ]);
  const [how, ...precedents] = linesOf('precedents');
  expect(how).toMatch(/vectors of an embedding model: embed:1 \(demo model\)\.$/);
  expect(retrieved?.precedents).toHaveLength(3);
  expect(precedents.map((line) => line.replace(/: [^:]*$/, ''))).toEqual(
    retrieved?.precedents.map(({ label, similarity }, index) =>
      expect.stringMatching(
        new RegExp(
          `^Precedent ${index + 1}: case c\\d+, ${label}, similarity ${(similarity ?? 0).toFixed(2).replace('-', '−')}$`,
        ),
      ),
    ),
  );
  expect(linesOf('ambiguity').slice(1)).toHaveLength(5);
  const argued = transcript.flatMap(({ kind, role, argues_for: claim }) => (kind === 'utterance' ? [[role, claim]] : []));
  expect(Object.fromEntries(argued)).toEqual(sides?.sides);
  const ruling = transcript.findIndex(({ kind }) => kind === 'ruling');
  expect(transcript.findIndex(({ turn }) => turn === 'precedents')).toBeLessThan(ruling);
});
