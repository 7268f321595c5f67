import { expect, test } from 'vitest';
import { remembered } from './remembered.ts';

test('what follows from an object is worked out once, also where it is nothing', () => {
  const asked: object[] = [];
  const nothing = remembered((key: object) => {
    asked.push(key);
    return undefined;
  });
  const [one, like] = [{ name: 'a' }, { name: 'a' }];
  expect([one, like, one, like].map(nothing)).toEqual([undefined, undefined, undefined, undefined]);
  expect(asked).toEqual([one, like]);
});
