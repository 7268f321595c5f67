import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { modelNamed } from './models.ts';
import { openSlots } from './slots.ts';

const hourMs = 3_600_000;
const model = modelNamed('llama3.1:8b');
const pace = { timed: true, loadRate: model.size * 1000, promptRate: 1, decodeRate: 1, slots: 2, pullRate: 1 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a clock that is set back keeps no request waiting', async () => {
  const { acquire } = openSlots(pace);
  const signal = AbortSignal.timeout(20_000);
  await acquire(model, 2048, signal);
  vi.setSystemTime(Date.now() - hourMs);
  await acquire(model, 2048, signal);
});

test('a clock that is set forward unloads no model', async () => {
  const { acquire, running } = openSlots(pace);
  const { release } = await acquire(model, 2048, AbortSignal.timeout(20_000));
  release(hourMs / 2);
  vi.setSystemTime(Date.now() + hourMs);
  expect(running()).toHaveLength(1);
});
