import { expect, test } from 'vitest';
import { semaphore } from './semaphore.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('lets so many through at a time, and the next of a model in the order in which they came', async () => {
  const gate = semaphore(2);
  const { signal } = new AbortController();
  const inside: string[] = [];
  const outs = new Map<string, () => void>();
  for (const name of ['a', 'b', 'c', 'd']) {
    void gate.enter(signal, 'm').then((leave) => {
      inside.push(name);
      outs.set(name, leave);
    });
  }
  await settled();
  expect(inside).toEqual(['a', 'b']);
  outs.get('b')?.();
  await settled();
  expect(inside).toEqual(['a', 'b', 'c']);
  outs.get('a')?.();
  outs.get('c')?.();
  await settled();
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('calls of the model that was asked last go before those of another one', async () => {
  const gate = semaphore(1);
  const { signal } = new AbortController();
  const order: string[] = [];
  const enter = async (model: string) => {
    const leave = await gate.enter(signal, model);
    order.push(model);
    leave();
  };
  const first = await gate.enter(signal, 'a');
  const all = ['b', 'a', 'b', 'a'].map(enter);
  first();
  await Promise.all(all);
  expect(order).toEqual(['a', 'a', 'b', 'b']);
});

test('a call that gives up leaves the line to those behind, and a signal that has fired lets none in', async () => {
  const gate = semaphore(1);
  const controller = new AbortController();
  const leave = await gate.enter(new AbortController().signal, 'm');
  const first = gate.enter(controller.signal, 'm');
  const second = gate.enter(new AbortController().signal, 'm');
  controller.abort(new Error('given up'));
  await expect(first).rejects.toThrow('given up');
  leave();
  (await second)();
  await expect(gate.enter(controller.signal, 'm')).rejects.toThrow('given up');
  (await gate.enter(new AbortController().signal, 'm'))();
});

test('a call that must be alone waits until no other is inside, and holds up those that come later', async () => {
  const gate = semaphore(2);
  const { signal } = new AbortController();
  const first = await gate.enter(signal, 'm');
  const inside: string[] = [];
  const alone = gate.enter(signal, 'm', true).then((leave) => {
    inside.push('alone');
    return leave;
  });
  const later = gate.enter(signal, 'm').then(() => inside.push('later'));
  await settled();
  expect(inside).toEqual([]);
  first();
  const leave = await alone;
  expect(inside).toEqual(['alone']);
  leave();
  await later;
  expect(inside).toEqual(['alone', 'later']);
});
