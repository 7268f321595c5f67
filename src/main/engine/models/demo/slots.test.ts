import { onTestFinished, test, vi } from 'vitest';
import { modelNamed } from './models.ts';
import { openSlots } from './slots.ts';

const hourMs = 3_600_000;

test('a clock that is set back keeps no request waiting', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const model = modelNamed('llama3.1:8b');
  const pace = { timed: true, loadRate: model.size * 1000, promptRate: 1, decodeRate: 1, slots: 2, pullRate: 1 };
  const { acquire } = openSlots(pace);
  const signal = AbortSignal.timeout(20_000);
  await acquire(model, 2048, signal);
  vi.setSystemTime(Date.now() - hourMs);
  await acquire(model, 2048, signal);
});
