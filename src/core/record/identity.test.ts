import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventHash, genesisHash, hashParts, noSalt, partName, refOf, refOfBytes, rootHash, toHex } from './hash.ts';
import { callSeed, experimentChain, trialId, trialSeed } from './identity.ts';

/**
 * The expected values come from Python:
 *
 *   import base64, hashlib
 *   def parts(*texts): return hashlib.sha256(b''.join(len(t.encode()).to_bytes(4, 'big') + t.encode() for t in texts))
 *   trial_id = parts(experiment, arm, case, str(replicate)).hexdigest()[:16]
 *   seed = int.from_bytes(parts(str(experiment_seed), case, str(replicate)).digest()[:4], 'big') >> 1
 *   ref = base64.urlsafe_b64encode(hashlib.sha256(salt + text.encode()).digest()).decode().rstrip('=')
 */
describe('golden values', () => {
  test('ids and seeds of trials and calls', () => {
    expect(trialId({ experiment: 'small', arm: 'cot', case: 'c1', replicate: 0 })).toBe('0634f96fc4b7d060');
    expect(trialSeed(42, 'c1', 0)).toBe(1_031_198_067);
    expect(callSeed(1_031_198_067, 1, 'answer/attempt-1')).toBe(1_459_764_624);
    expect(trialId({ experiment: 'Größe', arm: '腕', case: '😀', replicate: 12 })).toBe('b1ddb694582a48c2');
    expect(trialSeed(0, '😀', 99_999)).toBe(595_504_236);
    expect(experimentChain('small')).toBe('experiment/small');
  });

  test('names of texts', () => {
    const salt = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(refOf(noSalt, 'Grüße')).toBe('-D4Dl5bGRToQ9VGeOf0ROQFXIxahqOoHy1JdKAHf0HQ');
    expect(refOf(salt, 'Grüße')).toBe('otovGL7IpOzZ1y7pYAU1HWuGZyoAC0d-aaSMdBURFCg');
    expect(refOf(noSalt, '')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
    expect(partName(refOf(noSalt, ''))).toBe('47DEQpj8HBSa');
  });

  test('a chain and a root', () => {
    const genesis = genesisHash('0123456789abcdef');
    expect(toHex(genesis)).toBe('2c25845c2ea3fa6d8e7765bad9912bfdf4e0ec32da96d685dd43824e04d1afd8');
    const payload = new TextEncoder().encode('{"v":1,"key":"a","name":"n","value":1}');
    const head = toHex(eventHash(genesis, 0, 'measure-take', payload));
    expect(head).toBe('1060b09b7fff4be73cd0af8d487c921eb7c128bc56835a905a8b4029f8778943');
    expect(
      rootHash([{ chain: '0123456789abcdef', head: 'c5bea8fcd85a70f279b29593d7d6f1ef4b681fd0fb35fab140a3f885bb6f8aef' }]),
    ).toBe('e38e594e3aa53a45ccb092808f0a03ed8559e76c108be8f574756786af39a075');
    expect(rootHash([])).toBe('bda3ad8cba5261b8da156f67ff267a81a2461f42f255d9a842ff75a74d058138');
  });
});

const text = fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code).toWellFormed()), maxLength: 20 });

describe('hashes', () => {
  test('two different lists of texts have different hashes, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 4 }), (one, two) => {
        expect(toHex(hashParts(one)) === toHex(hashParts(two))).toBe(JSON.stringify(one) === JSON.stringify(two));
      }),
    );
    expect(toHex(hashParts(['ab', 'c']))).not.toBe(toHex(hashParts(['a', 'bc'])));
    expect(toHex(hashParts(['a']))).not.toBe(toHex(hashParts(['a', ''])));
  });

  test('every part of an event is in its hash', () => {
    const bytes = (value: string) => new TextEncoder().encode(value);
    const base = toHex(eventHash(genesisHash('a'), 0, 'kind', bytes('payload')));
    const others = [
      eventHash(genesisHash('b'), 0, 'kind', bytes('payload')),
      eventHash(genesisHash('a'), 1, 'kind', bytes('payload')),
      eventHash(genesisHash('a'), 0, 'kin', bytes('dpayload')),
      eventHash(genesisHash('a'), 0, 'kind', bytes('payloae')),
      eventHash(genesisHash('a'), 2 ** 32, 'kind', bytes('payload')),
    ].map(toHex);
    expect(new Set([base, ...others]).size).toBe(6);
  });

  test('the name of a text depends on its salt and on every byte', () => {
    expect(refOf(Uint8Array.of(1), 'text')).not.toBe(refOf(noSalt, 'text'));
    expect(refOfBytes(noSalt, Uint8Array.of(0xf0, 0xbf, 0xbd))).not.toBe(refOf(noSalt, '\ufffd'));
    fc.assert(fc.property(text, (value) => refOf(noSalt, value) === refOfBytes(noSalt, new TextEncoder().encode(value))));
  });

  test('a root does not depend on the order of the heads', () => {
    const heads = fc.uniqueArray(fc.record({ chain: text, head: text }), { selector: ({ chain }) => chain, maxLength: 6 });
    fc.assert(fc.property(heads, (list) => rootHash(list) === rootHash(list.toReversed())));
  });
});

describe('seeds', () => {
  test('fit into 31 bits, are the same in every arm, and differ by case, replicate and call', () => {
    fc.assert(
      fc.property(fc.nat(), text, fc.nat(1000), (seed, kase, replicate) => {
        const value = trialSeed(seed, kase, replicate);
        expect(Number.isInteger(value) && value >= 0 && value < 2 ** 31).toBe(true);
        expect(trialSeed(seed, kase, replicate)).toBe(value);
        expect(trialSeed(seed, kase, replicate + 1)).not.toBe(value);
      }),
    );
    expect(callSeed(1, 1, 'a/attempt-1')).not.toBe(callSeed(1, 1, 'a/attempt-2'));
    expect(callSeed(1, 1, 'a/attempt-1')).not.toBe(callSeed(1, 2, 'a/attempt-1'));
  });
});
