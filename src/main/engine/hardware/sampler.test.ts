import { expect, test } from 'vitest';
import { openSampler } from './sampler.ts';
import { fakeClock } from './testing.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function bench(interval: () => number | null) {
  const clock = fakeClock();
  const begun: number[] = [];
  let end: (() => void) | null = null;
  const sampler = openSampler(clock, interval, () => {
    begun.push(clock.now());
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  return {
    clock,
    sampler,
    begun,
    async finish() {
      end?.();
      await settle();
    },
  };
}

test('nothing is sampled without a watcher; then at once, and from then on in the interval', async () => {
  let interval: number | null = null;
  const { clock, sampler, begun, finish } = bench(() => interval);
  sampler.look();
  clock.pass(5000);
  expect(begun).toEqual([]);
  interval = 1000;
  sampler.look();
  expect(begun).toEqual([5000]);
  clock.pass(100);
  await finish();
  clock.pass(899);
  expect(begun).toEqual([5000]);
  clock.pass(1);
  expect(begun).toEqual([5000, 6000]);
});

test('there are never two readings at once, and a slow tool is left as long a rest as it took', async () => {
  const { clock, sampler, begun, finish } = bench(() => 1000);
  sampler.look();
  clock.pass(4000);
  sampler.look();
  expect(begun).toEqual([0]);
  await finish();
  clock.pass(3999);
  expect(begun).toEqual([0]);
  clock.pass(1);
  expect(begun).toEqual([0, 8000]);
});

test('a shorter interval holds at once, also in the middle of a long wait', async () => {
  let interval = 60_000;
  const { clock, sampler, begun, finish } = bench(() => interval);
  sampler.look();
  await finish();
  clock.pass(20_000);
  interval = 1000;
  sampler.look();
  expect(begun).toEqual([0, 20_000]);
  await finish();
  clock.pass(500);
  sampler.look();
  expect(begun).toEqual([0, 20_000]);
});

test('closed, it waits for the sample under way and begins no other', async () => {
  const { clock, sampler, begun, finish } = bench(() => 1000);
  sampler.look();
  const closed = sampler.close().then(() => 'closed');
  await finish();
  expect(await closed).toBe('closed');
  clock.pass(60_000);
  sampler.look();
  expect(begun).toEqual([0]);
});
