import { expect, test } from 'vitest';
import { findProtocol, isPaperPreset, protocols } from './index.ts';

const earlier = protocols.flatMap((newest) => newest.earlier.map((old) => [`${old.id} ${old.version}`, old, newest] as const));

test.each(earlier)('%s keeps what it did: what it could not choose has the value of then', (_name, old, newest) => {
  expect(old.version).toBeLessThan(newest.version);
  expect(findProtocol(old.id, old.version)).toBe(old);
  expect(findProtocol(old.id)).toBe(newest);
  expect(old.bind({}).params).not.toEqual(newest.bind({}).params);
  // What such an arm has on its record is taken as it is.
  expect(old.bind(old.bind({}).params).params).toEqual(old.bind({}).params);
  expect(isPaperPreset(old, old.preset)).toBe(isPaperPreset(newest, newest.preset));
});

test('there is no version of before that, and none of tomorrow', () => {
  for (const { id, version, earlier: released } of protocols) {
    expect(findProtocol(id, version + 1)).toBeUndefined();
    expect(findProtocol(id, Math.min(version, ...released.map((each) => each.version)) - 1)).toBeUndefined();
  }
});
