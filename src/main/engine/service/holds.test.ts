import { expect, onTestFinished, test, vi } from 'vitest';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { kept } from '../testing/kept.ts';
import { endRooms, startRoom } from './testing/engineRoom.ts';
import { draft, pace, reached } from './testing/runs.ts';

test('a run works in its hours of every day only, also after a restart, until it is done', async () => {
  const standin = kept(await startDemoServer({ profile: pace }));
  onTestFinished(endRooms);
  const clockShows = (day: number, time: string) => vi.setSystemTime(new Date(`2026-05-0${day}T${time}`));
  onTestFinished(() => void vi.useRealTimers());
  clockShows(4, '21:00');
  const first = await startRoom();
  await first.client.settings.change({ ollamaUrl: standin.url, continueRuns: true, concurrency: 1 });
  await first.client.experiments.start({ ...draft('nights', 12), between: '22:00-07:00' });
  const evening = new Date('2026-05-04T22:00').toISOString();
  const waits = { paused_until: evening, between: '22:00-07:00' };
  expect(await reached(first.client, 'nights', ({ state }) => state === 'paused')).toMatchObject(waits);
  clockShows(4, '22:00');
  await reached(first.client, 'nights', ({ state, calls }) => state === 'running' && calls > 0);
  clockShows(5, '07:00');
  const next = new Date('2026-05-05T22:00').toISOString();
  await reached(first.client, 'nights', ({ state, paused_until: until }) => state === 'paused' && until === next);
  await first.end();
  const before = standin.requests().length;
  // The evening is missed, and the program is back at noon.
  clockShows(6, '12:00');
  const second = await startRoom(first.folder);
  const later = new Date('2026-05-06T22:00').toISOString();
  await reached(second.client, 'nights', ({ state, paused_until: until }) => state === 'paused' && until === later);
  // It is closed in its hours, and back in them.
  clockShows(6, '23:00');
  await reached(second.client, 'nights', ({ calls }) => calls > 0);
  await second.end();
  expect(standin.requests().length).toBeGreaterThan(before);
  const third = await startRoom(first.folder);
  expect(await reached(third.client, 'nights', ({ state, calls }) => state === 'running' && calls > 0)).toMatchObject({
    between: '22:00-07:00',
    paused_until: null,
  });
  clockShows(7, '07:00');
  await reached(third.client, 'nights', ({ state }) => state === 'paused');
  // Who continues it by hand ends the hours.
  await third.client.runs.resume({ experiment: 'nights' });
  expect(await reached(third.client, 'nights', ({ state }) => state === 'finished')).toMatchObject({ done: 12, between: null });
  const { log } = await third.client.experiments.read({ experiment: 'nights' });
  // A slow machine may have warned that it can go to sleep.
  const events = log.flatMap(({ event }) => (event === 'run-warning' ? [] : event)).toReversed();
  expect(events).toEqual([
    ...['run-hold', 'run-continue', 'run-start', 'run-hold', 'run-interrupt'],
    ...['run-hold', 'run-continue', 'run-start', 'run-interrupt'],
    ...['run-recover', 'run-start', 'run-hold', 'run-continue', 'run-end'],
  ]);
});
