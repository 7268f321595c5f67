import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { attachCosigned, makeCheckpoint } from '../checkpoint/checkpoints.ts';
import { cosignedNote } from '../checkpoint/testing/witness.ts';
import { fingerprintOf, openUserKey } from '../checkpoint/userKey.ts';
import { openStore } from '../store/store.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { bundleOf } from './testing/bundles.ts';
import { type Files, lean, linesIn, packed, rechained, textIn, unsigned, withLines, zipOf } from './testing/forging.ts';

const room = openFolder('by-hand');
const store = room.path('every-protocol.db');
let files: Files;

beforeAll(async () => {
  writeOfEveryProtocol(store);
  const opened = openStore(store, { create: false });
  attachCosigned(opened, cosignedNote(makeCheckpoint(opened, openUserKey()).note, 1_700_000_000).note);
  opened.close();
  files = unzipSync(await bundleOf(store, 'several labels', room.path('whole.zip')));
});

const missing = [
  ['unzip', '-v'],
  ['python3', '--version'],
  ['openssl', 'pkeyutl', '-help'],
  ['sha256sum', '--version'],
].some(([tool = '', ...words]) => spawnSync(tool, words).status !== 0);

/** What the commands in the README of a bundle print of it. */
function byHand(zip: Uint8Array): string {
  const folder = mkdtempSync(room.path('run-'));
  writeFileSync(join(folder, 'BUNDLE.zip'), zip);
  const [, steps = ''] = textIn(files, 'README.txt').split('\nTo check it by hand');
  const commands = steps.split('\n\n').filter((block) => /^(?:unzip|python3|head) /.test(block));
  expect(commands).toHaveLength(3);
  const { stdout, stderr } = spawnSync('sh', { cwd: folder, input: commands.join('\n'), encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

const changedText = () => {
  const [first = '', ...rest] = linesIn(files, 'texts.jsonl');
  return packed(withLines(files, 'texts.jsonl', [first.replace('"text":"', '"text":" '), ...rest]));
};
const changedEvent = () => {
  const [first = '', ...rest] = linesIn(files, 'events.jsonl');
  return packed(withLines(files, 'events.jsonl', [first.replace(/(?<=assize\\":\\")\d/, '9'), ...rest]));
};
const trial = () => linesIn(files, 'log.jsonl').find((line) => /^\{"chain":"[0-9a-f]{16}"/.test(line)) ?? '';

test.skipIf(missing)('the steps by hand find in a bundle what its verifier finds, with the same root and signer', async () => {
  const { root } = await verifyBundle(zipOf(files));
  expect(byHand(zipOf(files))).toBe(
    `Bundle root ${root}\nThe log is what was signed\nSignature Verified Successfully\n${fingerprintOf(openUserKey().publicKey)}  -\n`,
  );
  expect(byHand(zipOf({ ...files, 'report.html': strToU8('x') }))).toContain('report.html: FAILED');
  expect(byHand(changedText())).toMatch(/^CHANGED: texts\.jsonl, line 1 is not [\w-]{43}\nBundle root /);
  expect(byHand(changedEvent())).toMatch(/^CHANGED: events\.jsonl, line 1 or one before it\n/);
  const { chain } = JSON.parse(trial());
  const rewritten = byHand(rechained(files, chain, (events) => events.map((each) => ({ ...each, payload: `${each.payload} ` }))));
  expect(rewritten).toMatch(/^Bundle root .+\nCHANGED: log\.jsonl, line \d+\nThe log is what was signed\n/);
  expect(rewritten).toContain(`Not signed, or added since: ${chain}`);
  const other = { ...files, 'key.txt': strToU8(textIn(files, 'key.txt').replace(/\S{8}$/m, 'AAAAAAAA')) };
  expect(byHand(packed(other))).toContain('Signature Verification Failure');
  expect(byHand(packed(unsigned(lean(files))))).toContain('\nNobody signed it.\n');
  const redacted = await bundleOf(store, 'several labels', room.path('redacted.zip'), true);
  expect(byHand(redacted)).toContain(`Bundle root ${root}\nThe log is what was signed\nSignature Verified Successfully\n`);
});
