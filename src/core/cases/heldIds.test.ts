import { expect, test } from 'vitest';
import { exactFirst, holdsId } from './heldIds.ts';

test.each(['berth 9', 'BERTH9', '9', '09', 'berth-09', 'th-0'])('Berth-09 is found by %s', (typed) => {
  expect(holdsId('Berth-09', typed)).toBe(true);
});

test('what else is typed does not find it, and an id that is just that comes first', () => {
  for (const typed of ['berth 19', '90', '--', 'b 0']) expect(holdsId('Berth-09', typed)).toBe(false);
  for (const typed of ['215', '15', '1505']) expect(holdsId('2021 - 05', typed)).toBe(false);
  for (const typed of ['2021-5', '2021 05', '1-5']) expect(holdsId('2021 - 05', typed)).toBe(true);
  expect(holdsId('dose 1.05', '1.5')).toBe(false);
  expect(['Case É1', 'É1'].toSorted((one, other) => exactFirst(one, other, 'é1'))).toEqual(['É1', 'Case É1']);
  expect(['case 19', '9', 'case 9'].toSorted((one, other) => exactFirst(one, other, '9'))).toEqual(['9', 'case 19', 'case 9']);
});
