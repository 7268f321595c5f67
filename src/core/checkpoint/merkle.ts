// The Merkle tree over a store's ended chains: RFC 6962, section 2.1, with the checks of RFC 9162, section 2.1.
// Sizes and positions are whole numbers below 2^53; every hash is 32 bytes.
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '../record/hash.ts';

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** What one leaf says: that a chain had this head. @param head 64 lower-case hexadecimal digits */
export const leafBytes = (chain: string, head: string): Uint8Array => utf8ToBytes(`assize/leaf/1\n${chain}\n${head}\n`);

export const leafHash = (leaf: Uint8Array): Uint8Array => sha256(concatBytes(leafPrefix, leaf));

const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(nodePrefix, left, right));

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Hash of the full subtree that has 2^level leaves and is the `index`th of its level, from 0. */
export type NodeAt = (level: number, index: number) => Uint8Array;

/**
 * A tree that grows at its end and remembers only what it needs for that.
 * @param first full subtrees of an earlier tree, the largest first, as `subtreesOf` lists them
 * @param size its number of leaves
 */
export function growingTree(first: readonly Uint8Array[] = [], size = 0) {
  const subtrees = [...first];
  let leaves = size;
  return {
    /** Returns the hashes of the full subtrees that end with this leaf: its own, then ever larger ones. */
    add(leaf: Uint8Array): Uint8Array[] {
      let last = leaf;
      const completed = [last];
      for (let index = leaves; index % 2 === 1; index = (index - 1) / 2) {
        last = nodeHash(subtrees.pop() ?? last, last);
        completed.push(last);
      }
      subtrees.push(last);
      leaves += 1;
      return completed;
    },
    root: (): Uint8Array =>
      subtrees.length === 0 ? sha256(new Uint8Array(0)) : subtrees.reduceRight((right, left) => nodeHash(left, right)),
  };
}

/** The full subtrees into which a tree divides, the largest first. */
export function subtreesOf(size: number): { level: number; index: number }[] {
  const found: { level: number; index: number }[] = [];
  for (let [level, left] = [0, size]; left > 0; level++, left = Math.floor(left / 2))
    if (left % 2 === 1) found.unshift({ level, index: left - 1 });
  return found;
}

/** Largest power of two below a size of at least 2. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Hash of the leaves from `start` up to `end`, as the recursion of RFC 6962 cuts them. */
function rangeHash(at: NodeAt, start: number, end: number): Uint8Array {
  const size = end - start;
  const level = Math.log2(size);
  if (Number.isInteger(level)) return at(level, start / size);
  const middle = start + splitOf(size);
  return nodeHash(rangeHash(at, start, middle), rangeHash(at, middle, end));
}

/** Proof that a leaf is in the tree of this size, from the leaf's sibling up. */
export function inclusionProof(at: NodeAt, position: number, size: number): Uint8Array[] {
  const proof: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    const isLeft = position < middle;
    proof.unshift(isLeft ? rangeHash(at, middle, end) : rangeHash(at, start, middle));
    if (isLeft) end = middle;
    else start = middle;
  }
  return proof;
}

/** Proof that the tree of size `to` begins with the tree of size `from`; empty for the same size and for an empty tree. */
export function consistencyProof(at: NodeAt, from: number, to: number): Uint8Array[] {
  if (from === 0 || from === to) return [];
  const proof: Uint8Array[] = [];
  let [start, end] = [0, to];
  while (from < end) {
    const middle = start + splitOf(end - start);
    const isLeft = from <= middle;
    proof.unshift(isLeft ? rangeHash(at, middle, end) : rangeHash(at, start, middle));
    if (isLeft) end = middle;
    else start = middle;
  }
  // What the earlier tree ends with is its root where it is one full subtree, which its holder has.
  return start === 0 ? proof : [rangeHash(at, start, end), ...proof];
}

const half = (value: number): number => Math.floor(value / 2);

/** One step up a proof's path; returns whether the other hash is on the left. */
function climb(path: { first: number; last: number }): boolean {
  const isRight = path.first % 2 === 1 || path.first === path.last;
  while (isRight && path.first % 2 === 0 && path.first > 0) {
    path.first = half(path.first);
    path.last = half(path.last);
  }
  path.first = half(path.first);
  path.last = half(path.last);
  return isRight;
}

/** Whether a proof shows that a leaf is at a position of the tree with this root (RFC 9162, section 2.1.3.2). */
export function isIncluded(
  { leaf, position, proof }: { leaf: Uint8Array; position: number; proof: readonly Uint8Array[] },
  { size, root }: { size: number; root: Uint8Array },
): boolean {
  if (position >= size) return false;
  const path = { first: position, last: size - 1 };
  let hash = leaf;
  for (const other of proof) {
    if (path.last === 0) return false;
    hash = climb(path) ? nodeHash(other, hash) : nodeHash(hash, other);
  }
  return path.last === 0 && sameBytes(hash, root);
}

/** Whether a proof shows that one tree begins with another (RFC 9162, section 2.1.4.2). */
export function isExtended(
  earlier: { size: number; root: Uint8Array },
  later: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (earlier.size === 0) return proof.length === 0 && sameBytes(earlier.root, growingTree().root());
  if (earlier.size === later.size) return proof.length === 0 && sameBytes(earlier.root, later.root);
  const isFull = Number.isInteger(Math.log2(earlier.size));
  const [begin, ...rest] = isFull ? [earlier.root, ...proof] : proof;
  if (begin === undefined || earlier.size > later.size) return false;
  const path = { first: earlier.size - 1, last: later.size - 1 };
  while (path.first % 2 === 1) {
    path.first = half(path.first);
    path.last = half(path.last);
  }
  let [first, second] = [begin, begin];
  for (const other of rest) {
    if (path.last === 0) return false;
    const isLeft = climb(path);
    if (isLeft) first = nodeHash(other, first);
    second = isLeft ? nodeHash(other, second) : nodeHash(second, other);
  }
  return path.last === 0 && sameBytes(first, earlier.root) && sameBytes(second, later.root);
}
