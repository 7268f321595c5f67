import { describe, expect, test } from 'vitest';
import {
  checkpointText,
  keyIdOf,
  namedWitness,
  noteText,
  parseCheckpoint,
  parseExtensionProof,
  parseNote,
  parseVerifierKey,
  signatureType,
  verifierKeyText,
} from '../../../core/checkpoint/note.ts';
import { cosignersOf, signedBy } from './signatures.ts';

/** Notes that were published with their keys: signed-note's example, and the one of Go's golang.org/x/mod/sumdb/note. */
const published = [
  {
    key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    note: 'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
  },
  {
    key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    note: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
  },
];

/** The example of tlog-cosignature. */
const cosigned = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

test.each(published)('the published note of $key is verified, and with any changed character refused', ({ key, note }) => {
  const parsed = parseVerifierKey(key);
  expect(verifierKeyText(parsed)).toBe(key);
  expect(noteText(parseNote(note))).toBe(note);
  expect(signedBy(parsed, parseNote(note))).toBe(0);
  const end = note.lastIndexOf('\n\n');
  for (let at = 0; at < end; at++) {
    if (note[at] === '\n') continue;
    const changed = `${note.slice(0, at)}${note[at] === 'x' ? 'y' : 'x'}${note.slice(at + 1)}`;
    expect(() => signedBy(parsed, parseNote(changed)), String(at)).toThrow('does not fit');
  }
  const inSignature = note.replace(/(.{10})....=\n$/, '$1AAAA=\n');
  expect(inSignature).not.toBe(note);
  expect(() => signedBy(parsed, parseNote(inSignature))).toThrow('does not fit');
  const other = { ...parsed, publicKey: Buffer.alloc(32, 7) };
  expect(signedBy(other, parseNote(note))).toBeNull();
});

test('the published checkpoint is read and written byte for byte; a witness whose key is not known counts for nothing', () => {
  const note = parseNote(cosigned);
  expect(noteText(note)).toBe(cosigned);
  const checkpoint = parseCheckpoint(note.text);
  expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
  expect(checkpointText(checkpoint)).toBe(note.text);
  const [line] = note.signatures;
  const own = { name: checkpoint.origin, type: signatureType.log, publicKey: new Uint8Array(32) };
  const ours = { ...note, signatures: note.signatures.map((each) => (each === line ? { ...each, keyId: keyIdOf(own) } : each)) };
  expect(cosignersOf(ours, own)).toEqual([{ name: 'witness.example.com/w1', fingerprint: null, at: null }]);
});

describe('invalid notes, checkpoints, keys and proofs are refused', () => {
  const body = cosigned.slice(0, cosigned.indexOf('\n\n') + 1);
  test.each([
    ['no signature', body],
    ['no last newline', cosigned.slice(0, -1)],
    ['a control character', cosigned.replace('sofa', 'so\tfa')],
    ['a carriage return', cosigned.replaceAll('\n', '\r\n')],
    ['another dash', cosigned.replaceAll('— ', '- ')],
    ['a signature that is not base64', cosigned.replace('Az3g', 'Az3*')],
    ['a key name with a plus', cosigned.replace('— witness.', '— wit+ness.')],
    ['too many signatures', cosigned + cosigned.slice(cosigned.lastIndexOf('—')).repeat(100)],
  ])('%s', (_what, note) => {
    expect(() => parseNote(note)).toThrow();
  });

  test.each([
    ['a size with a zero before it', body.replace('2085', '02085')],
    ['a negative size', body.replace('2085', '-2085')],
    ['a size that no number holds', body.replace('20852163', '99999999999999999999')],
    ['a short root', body.replace('CsUYapGG', 'CsUY')],
    ['no origin', body.replace('example.com/behind-the-sofa', '')],
    ['an empty line of an extension', `${body}\n`],
    ['too few lines', 'example.com\n5\n'],
  ])('a checkpoint with %s', (_what, text) => {
    expect(() => parseCheckpoint(text)).toThrow();
  });

  test.each(['', 'name', 'a+00000000+AA==', 'example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'])(
    'the key %j',
    (key) => {
      expect(() => parseVerifierKey(key)).toThrow();
    },
  );

  test('a proof of extension with too many hashes, or none of its lines', () => {
    const hash = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    expect(parseExtensionProof(`old 5\n${hash.repeat(63)}\n${cosigned}`)).toMatchObject({ from: 5, checkpoint: cosigned });
    for (const proof of [`old 5\n${hash.repeat(64)}\n${cosigned}`, `\n${cosigned}`, `old -1\n\n${cosigned}`, `old 5\n${hash}`])
      expect(() => parseExtensionProof(proof)).toThrow();
  });

  test('the name of a witness that says no key', () => {
    expect(namedWitness('assize.invalid/witness/12')).toBeNull();
    expect(namedWitness('witness.example/w1')).toBeNull();
  });
});
