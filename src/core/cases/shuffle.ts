import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A stream of random numbers that its seed fully determines. */
export interface RandomSource {
  /** Uniform integer in [0, n); n is an integer from 1 to 2^32. */
  below(n: number): number;
  /** Uniform in [0, 1). */
  next(): number;
}

/**
 * The generator (xoroshiro128+) of one purpose under an integer seed, for loops that draw 32 bits at a time; `next()`
 * gives a signed 32-bit integer. Different purposes under one seed are independent, so that a new use of chance never
 * changes an older one. Throws a RangeError for a seed that is no safe integer.
 */
export function randomGenerator(seed: number, purpose: string): RandomGenerator {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed is an integer, not ${seed}`);
  const digest = sha256(utf8ToBytes(`${seed}:${purpose}`));
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
  return xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => view.getInt32(offset)));
}

/** The random source of one purpose under an integer seed; see `randomGenerator`. */
export function randomSource(seed: number, purpose: string): RandomSource {
  const generator = randomGenerator(seed, purpose);
  return {
    below(n) {
      if (!Number.isInteger(n) || n < 1 || n > 2 ** 32) throw new RangeError(`below() takes 1 to 2^32, not ${n}`);
      return uniformInt(generator, 0, n - 1);
    },
    next: () => uniformFloat64(generator),
  };
}

/** A shuffled copy (Fisher-Yates, inside out); every order is equally likely. */
export function shuffled<T>(items: readonly T[], random: RandomSource): T[] {
  const order: T[] = [];
  for (const item of items) {
    const displaced = order.splice(random.below(order.length + 1), 1, item);
    order.push(...displaced);
  }
  return order;
}
