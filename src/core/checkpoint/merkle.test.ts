import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exhaustive } from '../../shared/exhaustive.fixture.ts';
import { toHex } from '../record/hash.ts';
import {
  consistencyProof,
  growingTree,
  inclusionProof,
  isExtended,
  isIncluded,
  leafHash,
  type NodeAt,
  sameBytes,
  subtreesOf,
} from './merkle.ts';

function treeOf(leaves: readonly Uint8Array[]) {
  const tree = growingTree();
  const roots = [tree.root()];
  const completed = leaves.map((leaf) => {
    const hashes = tree.add(leaf);
    roots.push(tree.root());
    return hashes;
  });
  const at: NodeAt = (level, index) => completed[(index + 1) * 2 ** level - 1]?.[level] ?? new Uint8Array(0);
  return { at, roots };
}

const numbered = (size: number) => Array.from({ length: size }, (_none, index) => leafHash(Uint8Array.of(index, index >> 8)));

describe('published vectors', () => {
  // The reference tree of Certificate Transparency's implementations: leaves and the roots at every size.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];

  test('the roots of the reference tree', () => {
    const tree = treeOf(leaves.map((hex) => leafHash(Buffer.from(hex, 'hex'))));
    expect(tree.roots.map(toHex)).toEqual(roots);
  });

  test('the proofs of the example in RFC 6962, section 2.1.3', () => {
    const { at } = treeOf(numbered(7));
    // Names of the RFC's nodes; i joins e and f, k joins g and h, l joins i and j there.
    const [a, b, c, d, e, f, j] = [0, 1, 2, 3, 4, 5, 6].map((index) => at(0, index));
    const [g, h, i, l] = [at(1, 0), at(1, 1), at(1, 2), inclusionProof(at, 0, 7)[2]];
    const k = at(2, 0);
    const names = new Map(Object.entries({ a, b, c, d, e, f, j, g, h, i, k, l }).map(([name, hash]) => [toHex(hash ?? k), name]));
    const named = (proof: Uint8Array[]) => proof.map((hash) => names.get(toHex(hash)));
    expect([0, 3, 4, 6].map((index) => named(inclusionProof(at, index, 7)))).toEqual([
      ['b', 'h', 'l'],
      ['c', 'g', 'l'],
      ['f', 'j', 'k'],
      ['i', 'k'],
    ]);
    expect([3, 4, 6].map((from) => named(consistencyProof(at, from, 7)))).toEqual([['c', 'd', 'g', 'l'], ['l'], ['i', 'j', 'k']]);
  });
});

const sizes = fc.integer({ min: 1, max: 300 }).chain((to) => fc.tuple(fc.integer({ min: 0, max: to }), fc.constant(to)));

function flip(bytes: Uint8Array, at: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ (1 << (at % 8));
  return changed;
}

const whole = treeOf(numbered(300));
const tree = (size: number) => ({ size, root: whole.roots[size] ?? new Uint8Array(0) });

test('a tree continued from its subtrees has the root of one that was never put aside', () => {
  fc.assert(
    fc.property(sizes, ([from, to]) => {
      const subtrees = subtreesOf(from).map(({ level, index }) => whole.at(level, index));
      const continued = growingTree(subtrees, from);
      for (let index = from; index < to; index++) continued.add(whole.at(0, index));
      expect(toHex(continued.root())).toBe(toHex(tree(to).root));
    }),
  );
});

test('a proof that a tree extends another holds, and with any changed byte, size or hash too many it does not', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), ([from, to], change) => {
      const proof = consistencyProof(whole.at, from, to);
      expect(isExtended(tree(from), tree(to), proof)).toBe(true);
      expect(isExtended(tree(from), tree(to), [...proof, tree(1).root])).toBe(false);
      expect(isExtended({ ...tree(from), root: flip(tree(from).root, change) }, tree(to), proof)).toBe(false);
      if (from > 0) expect(isExtended(tree(from), { ...tree(to), root: flip(tree(to).root, change) }, proof)).toBe(false);
      const place = change % Math.max(1, proof.length);
      if (proof.length === 0) return;
      const wrong = proof.with(place, flip(proof[place] ?? proof[0] ?? tree(0).root, change));
      expect(isExtended(tree(from), tree(to), wrong)).toBe(false);
      expect(isExtended(tree(from), tree(to), proof.toSpliced(place, 1))).toBe(false);
    }),
    { numRuns: exhaustive ? 500 : 100 },
  );
  expect(isExtended(tree(5), tree(4), [])).toBe(false);
});

test('a proof that a leaf is in a tree holds, and for another leaf, place, root or hash it does not', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), ([any, size], change) => {
      const position = any % size;
      const leaf = whole.at(0, position);
      const proof = inclusionProof(whole.at, position, size);
      const holds = (claim: Partial<Parameters<typeof isIncluded>[0]>, of = tree(size)) =>
        isIncluded({ leaf, position, proof, ...claim }, of);
      expect(holds({})).toBe(true);
      expect(holds({ leaf: flip(leaf, change) })).toBe(false);
      expect(holds({}, { size, root: flip(tree(size).root, change) })).toBe(false);
      expect(holds({ proof: [...proof, leaf] })).toBe(false);
      for (const other of [position - 1, position + 1, size]) {
        // One leaf's path can be that of another place in a tree that is no full one; but not with the same hashes.
        if (other >= 0 && other !== position) expect(holds({ position: other })).toBe(false);
      }
      const place = change % Math.max(1, proof.length);
      if (proof.length === 0) return;
      expect(holds({ proof: proof.with(place, flip(proof[place] ?? leaf, change)) })).toBe(false);
      expect(holds({ proof: proof.toSpliced(place, 1) })).toBe(false);
    }),
    { numRuns: exhaustive ? 500 : 100 },
  );
});

test('hashes are compared whole', () => {
  expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
});
