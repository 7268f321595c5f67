import { expect, it } from 'vitest';
import { byteRange, byteSize, memorySize } from './sizes.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_440_000, '1.4 MB'],
  [3e15, '3,000 TB'],
])('says %i bytes', (bytes, words) => expect(byteSize(bytes)).toBe(words));

it.each([
  [{ min: 589_431, max: 17_587_728 }, '590 kB to 18 MB'],
  [{ min: 0, max: 0 }, 'about 0 bytes'],
])('says %o roughly', (range, words) => expect(byteRange(range)).toBe(words));

it.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 KiB'],
  [6.3 * 2 ** 30, '6.3 GiB'],
  [24 * 2 ** 30, '24 GiB'],
  [2 ** 52, '4,096 TiB'],
])('says %d bytes of memory', (bytes, words) => expect(memorySize(bytes)).toBe(words));
