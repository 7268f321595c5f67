import { expect, test } from 'vitest';
import { chainInWords } from '../../resources/bundle/uses.mjs';
import { logEntryWords, logWords } from '../shared/checkpoints.ts';
import type { VerifyReport } from '../shared/outputs.ts';
import { verifyText } from './verifyText.ts';

const [signer, logRoot, root] = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
const signedBy = (known: boolean) =>
  ({
    ...{ result: 'intact', store: 's.db', kind: 'store', trials: 1, events: 9, texts: 5, standin: 0, not_ended: 0, left_out: 0 },
    ...{
      root,
      signer: known ? 'known' : 'unknown',
      head_matches: null,
      head_of: null,
      since: null,
      erasures: [],
      first_bad: null,
    },
    erasure_unfinished: false,
    log: {
      ...{
        size: 1,
        signed: 1,
        cosigned: 0,
        cosigners: [],
        time_stamps: 0,
        made_at: null,
        unsigned_chains: 0,
        unsigned_kinds: [],
      },
      signers: [{ fingerprint: signer, signed: 1, own: false, known }],
      roots: [{ root: logRoot, size: 1 }],
    },
  }) as unknown as VerifyReport;

test.each([
  [signer, true, null],
  ['0'.repeat(64), false, 'another key did.\n'],
  [logRoot, false, 'another key did. What you gave is a log root, as a checkpoint signs it, and not a key.\n'],
  [root, false, 'another key did. What you gave is the root of this record, and not a key.\n'],
  [undefined, false, null],
])('with the key %s it is said before all else whether that key signed', (key, known, words) => {
  const lines = verifyText(signedBy(known), '', key).split('\n');
  const said = lines.find((line) => line.startsWith('NOT SIGNED')) ?? null;
  expect(said).toBe(
    words === null ? null : `NOT SIGNED BY THE KEY THAT YOU NAMED: ${words.trim()} So assize verify ends with 1.`,
  );
  if (words !== null) expect(lines.indexOf(said ?? '')).toBe(2);
});

test('an erasure is one line, whatever the ids of its cases are', () => {
  const erased = {
    at: '2026-11-29',
    scope: 'case',
    case: 'c1\nIntact: all of it',
    experiment: null,
    experiments: ['a'],
    texts: 1,
    salt: false,
  };
  const text = verifyText({ ...signedBy(true), erasures: [erased] } as unknown as VerifyReport);
  expect(text).toContain('Erased at 2026-11-29: everything about case c1[U+000A]Intact: all of it of "a", 1 text. Not checked');
});

test('a log without entries has no ranges', () => {
  const { log } = signedBy(true);
  const words = log === null ? '' : logWords({ ...log, size: 0, signed: 0, cosigned: 0 });
  expect(words).toBe(`Log: 0 entries ${logEntryWords}.`);
});

test('a log without a checkpoint says how many entries the first one adds', () => {
  const { log } = signedBy(true);
  const words = (more: object) => (log === null ? '' : logWords({ ...log, unsigned_chains: 1, ...more }));
  expect(words({ checkpoints: 0, signed: 0 })).toMatch(
    /entry 0 not signed yet\. Its first checkpoint adds 1: until it is signed, a copy has fewer entries than the original\.$/,
  );
  expect(words({ checkpoints: 1 })).not.toContain('adds');
});

test('a trial of which nothing is known is named without brackets', () => {
  expect(chainInWords('5bc8ef83be24a57b', { experiment: null, arm: null, case: null })).toBe('trial 5bc8ef83be24a57b');
  expect(chainInWords('5bc8ef83be24a57b', { experiment: 'e', arm: 'a', case: '1' })).toBe(
    'trial 5bc8ef83be24a57b (experiment e, arm a, case 1)',
  );
});

test('of a record that was added to, the good news comes first, without capitals', () => {
  const fault = { kind: 'head', problem: 'no chain of this store ends in it', trial: null, seq: null };
  const said = (more: object) =>
    verifyText({ ...signedBy(true), result: 'tampered', first_bad: { ...fault, ...more } } as VerifyReport, root, undefined);
  expect(said({ meaning: 'Every event that this root covers is still in the record.' })).toMatch(
    /^Intact, and added to since the root that you named: s\.db\nEvery hash in it holds\. Every event that this root covers is still in the record\. .* with --head .* verify ends with 1; without, with 0\.\n/,
  );
  expect(said({})).toMatch(
    /^NOT THE RECORD THAT YOU NAMED: s\.db\nEvery hash in it holds, and no chain of this store ends in it\. .*either way .* verify ends with 1\. /,
  );
});
