import { expect, test } from 'vitest';
import { openGate } from './gate.ts';

test('a gate that is closed for two reasons opens with the last of them, and counts the time once', async () => {
  const gate = openGate(new AbortController().signal);
  let passed = false;
  const startedAt = performance.now();
  gate.close('turn');
  gate.close('pause');
  gate.close('pause');
  void gate.passed().then(() => {
    passed = true;
  });
  gate.open('turn');
  await Promise.resolve();
  expect([gate.closedBy('pause'), gate.closedBy('turn'), passed]).toEqual([true, false, false]);
  gate.open('pause');
  await gate.passed();
  expect(passed).toBe(true);
  expect(gate.heldMs()).toBeLessThanOrEqual(performance.now() - startedAt);
  const held = gate.heldMs();
  gate.open('turn');
  expect(gate.heldMs()).toBe(held);
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
