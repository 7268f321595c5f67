import { expect, test } from 'vitest';
import { exactFirst, holdsId } from './heldIds.ts';

test.each(['berth 9', 'BERTH9', '9', '09', 'berth-09', 'th-0'])('Berth-09 is found by %s', (typed) => {
  expect(holdsId('Berth-09', typed)).toBe(true);
});

test('what else is typed does not find it, and an id that is just that comes first', () => {
  for (const typed of ['berth 19', '90', '--', 'b 0']) expect(holdsId('Berth-09', typed)).toBe(false);
  expect(['case 19', '9', 'case 9'].toSorted((one, other) => exactFirst(one, other, '9'))).toEqual(['9', 'case 19', 'case 9']);
});
