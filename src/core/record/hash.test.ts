import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashParts, rootHash } from './hash.ts';

/** The same by another implementation, from docs/record-format.md. */
function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(part));
    hash.update(length).update(part);
  }
  return hash.digest('hex');
}

test.each([[[]], [['']], [['ab', 'c']], [['a', 'bc']], [['Grüße', '🙂', '']]])('%j', (parts) => {
  expect(Buffer.from(hashParts(parts)).toString('hex')).toBe(hashOf(parts));
});

test('the root of a store with more chains than a call can have arguments', () => {
  const heads = Array.from({ length: 100_000 }, (_, index) => ({
    chain: index.toString(16).padStart(16, '0'),
    head: String(index),
  }));
  expect(rootHash(heads.toReversed())).toBe(hashOf(['assize/root/1', ...heads.flatMap(({ chain, head }) => [chain, head])]));
});
