import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { kept } from '../testing/kept.ts';
import { loadFrozen } from './frozen.ts';
import { everyone, openHearings, textCases } from './preparation/testing/hearings.ts';

let standin: DemoServer;
beforeAll(async () => {
  standin = await startDemoServer();
});
afterAll(() => standin.close());

const arms = [{ name: 'single', protocol: 'single', params: {}, cast: everyone(false) }];

test.each([
  { from: 'test' },
  { from: 'train', n: 3 },
  { from: 'all' },
  { from: 'train', by: 'label', each: 2 },
  { from: 'all', distinct: true },
  { ids: ['c3', 'c1'] },
])('the cases on trial are as many as are drawn: %j', async (sample) => {
  const lab = kept(openHearings({ url: standin.url, cases: textCases(16), arms, sample }));
  await lab.run();
  lab.look((store) => {
    expect(loadFrozen(store, 'hearings').sampleSize()).toBe(new Set(loadFrozen(store, 'hearings').sample()).size);
  });
});
