import { expect, onTestFinished, test, vi } from 'vitest';
import { hoursGate, openGate, openTurns } from './gate.ts';

test('a gate that is closed for two reasons opens with the last of them, and counts the time once', async () => {
  const gate = openGate(new AbortController().signal);
  let passed = false;
  const startedAt = performance.now();
  gate.close('turn');
  gate.close('pause');
  gate.close('pause');
  const waiting = gate.passed().then(() => {
    passed = true;
  });
  gate.open('turn');
  await Promise.resolve();
  expect([gate.closedBy('pause'), gate.closedBy('turn'), passed]).toEqual([true, false, false]);
  gate.open('pause');
  await waiting;
  expect(gate.heldMs()).toBeLessThanOrEqual(performance.now() - startedAt);
  const held = gate.heldMs();
  gate.open('turn');
  expect(gate.heldMs()).toBe(held);
});

test('a gate of hours closes with their end and opens with their beginning, and says until when', async () => {
  vi.setSystemTime(new Date('2026-05-04T23:00'));
  onTestFinished(() => void vi.useRealTimers());
  const heard: (string | null)[] = [];
  const { gate, end } = hoursGate('22:00-07:00', new AbortController().signal, (until) => void heard.push(until));
  expect([gate.isOpen(), heard]).toEqual([true, []]);
  const made = Promise.withResolvers<void>();
  const call = gate.call(() => made.promise);
  await Promise.resolve();
  vi.setSystemTime(new Date('2026-05-05T07:00'));
  await expect.poll(gate.isOpen, { timeout: 20_000 }).toBe(false);
  // The call under way is finished.
  expect(gate.isWorking()).toBe(true);
  made.resolve();
  await call;
  expect(gate.isWorking()).toBe(false);
  const next = gate.call(async () => gate.isOpen());
  vi.setSystemTime(new Date('2026-05-05T22:00'));
  expect(await next).toBe(true);
  expect(heard).toEqual([new Date('2026-05-05T22:00').toISOString(), null]);
  end();
});

test('a gate that is closed at some servers lets calls at the others pass, and counts no time', async () => {
  const gate = openGate(new AbortController().signal);
  gate.close('turn', new Set(['http://a']));
  expect([gate.isHeld('http://a'), gate.isHeld('http://b'), gate.isHeld(), gate.heldMs()]).toEqual([true, false, false, 0]);
  await gate.passed('http://b');
  await gate.passed();
  const passed = gate.passed('http://a');
  gate.open('turn');
  await passed;
});

test('a run gives way only at the servers of the trial that goes first', () => {
  const turns = openTurns();
  const signal = new AbortController().signal;
  const [long, byHand] = [openGate(signal), openGate(signal)];
  const said: boolean[] = [];
  const onChange = () => said.push(long.closedBy('turn'));
  const urls = new Set(['http://a', 'http://b']);
  turns.take({ first: false, urls, gate: long, onChange });
  const leave = turns.take({ first: true, urls: new Set(['http://a']), gate: byHand, onChange: () => undefined });
  expect([long.isHeld('http://a'), long.isHeld('http://b'), byHand.isHeld('http://a')]).toEqual([true, false, false]);
  leave();
  expect([long.isHeld('http://a'), said]).toEqual([false, [true, false]]);
});

test('the end of a run opens its gate for good', async () => {
  const end = new AbortController();
  const gate = openGate(end.signal);
  gate.close('turn');
  end.abort();
  await gate.passed();
  gate.close('pause');
  expect(gate.closedBy('pause')).toBe(false);
});
