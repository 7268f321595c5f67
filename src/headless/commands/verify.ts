import * as engine from '../../main/engine/engine.ts';
import { isSignedByNamed } from '../../shared/checkpoints.ts';
import { isDifferent } from '../../shared/differenceCounts.ts';
import { badInput, type ExitCode, exitCode } from '../../shared/errors.ts';
import type { VerifyReport } from '../../shared/outputs.ts';
import { type Command, optionHelp, storeNamed } from '../command.ts';
import { comparisonText } from '../differencesText.ts';
import { count, percentage, whereLong } from '../format.ts';
import { proofText, verifyText } from '../verifyText.ts';

const codes: Readonly<Record<VerifyReport['result'], ExitCode>> = {
  intact: exitCode.ok,
  'partly-read': exitCode.partlyRead,
  tampered: exitCode.tampered,
  'other-log': exitCode.badInput,
};

export const verifyCommand: Command = {
  name: 'verify',
  usage:
    'assize verify [store|bundle|report] [--head HASH] [--since CHECKPOINT] [--key FILE] [--against FILE] [--resume FILE] [--json], or assize verify --proof FILE [--head HASH] [--key FILE] [--json]',
  summary: 'checks that a record was not changed',
  options: [
    [
      '[store|bundle|report]',
      'the record to check: a store, or a bundle that `assize export` wrote; without one, your own store.\nWith --against also a report that was saved as HTML',
    ],
    ['--head HASH', 'a head or root that you received separately; the record must contain it'],
    ['--since CHECKPOINT', 'an earlier checkpoint; the record must still begin with what it covers'],
    [
      '--against FILE',
      'of a report, the store or bundle that it is of: makes the report again from the record and says whether the two are the same\nto the byte, or what differs (exit code 1). The store itself is not checked; a bundle is, and its record counts, not the report in it.\nOf a bundle, another copy of the same bundle: says what only one of them has, and shows the words of texts, events,\nresults and reports that differ (exit code 1); whole with --json. What a redacted copy leaves out is only counted',
    ],
    [
      '--resume FILE',
      'notes in FILE what was read and found sound. With the same FILE, a check that was cut short continues,\nand a later one reads only what is new. What is not read again is never called intact (exit code 6)',
    ],
    ['--proof FILE', 'checks the proof of one trial (tlog-proof) in place of a record, with no store'],
    [
      '--key FILE',
      'keys that you trust, one in each line, as assize checkpoint --key prints them; no others count, and one of them must have\nsigned it (exit code 1). Of a record, the fingerprint of one key will do in place of a file',
    ],
    optionHelp.json,
  ],
  positionals(args) {
    const at = args.findIndex((word) => /^--store(?:=|$)/.test(word));
    if (at >= 0) {
      const given = [args[at]?.slice('--store='.length), args[at + 1], args[0]];
      const file = given.find((word = '') => word !== '' && !word.startsWith('-')) ?? 'FILE';
      throw badInput(`give the file without it: ${engine.commandText('verify', file)}`, '--store');
    }
    return args.some((word) => /^--proof(?:=|$)/.test(word)) ? [] : ['[store|bundle|report]', '[other]'];
  },
  async run(words, { say, progress, endAtOnce, tell, signal }) {
    const [named, other] = words.positionals;
    if (other !== undefined)
      throw badInput(
        `${JSON.stringify(other)} is one word too many: give an earlier checkpoint with --since, and another copy with --against`,
      );
    const head = words.text('head');
    if (head !== undefined && /^[A-Za-z0-9+/]{43}=$/.test(head))
      throw badInput('this is a log root, as a checkpoint signs it: give the checkpoint with --since', '--head');
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head)) throw badInput('a head or root is 64 hexadecimal digits', '--head');
    const [since, key, proof, resume, against] = ['since', 'key', 'proof', 'resume', 'against'].map(words.text);
    const fingerprint = key !== undefined && /^[0-9a-f]{64}$/i.test(key) ? key.toLowerCase() : undefined;
    if (proof !== undefined && fingerprint !== undefined)
      throw badInput('a proof does not hold the key of its signer: give a file with the whole key', '--key');
    const keys = key === undefined || fingerprint !== undefined ? undefined : engine.readVerifierKeys(key);
    if (proof !== undefined) {
      if (resume !== undefined) throw badInput('a proof is always read whole; leave out --resume', '--resume');
      if (against !== undefined) throw badInput('a proof is compared with no bundle; leave out --against', '--against');
      if (since !== undefined) throw badInput('a proof is of one checkpoint; leave out --since', '--since');
      const found = engine.verifyProof(proof, { head, keys });
      tell(found, proofText(found));
      return found.result === 'intact' ? exitCode.ok : exitCode.tampered;
    }
    const show = whereLong(progress);
    if (resume !== undefined) engine.refuseForeignPath(resume, '--resume');
    const onProgress = ({ share, what }: { share: number; what: string }) => show(`${percentage(share)} ${what}`);
    const compared = against === undefined ? undefined : await engine.compareReport(named ?? '', against, { signal, onProgress });
    if (compared !== undefined) {
      if ([head, since, key, resume].some((each) => each !== undefined))
        throw badInput('a report is compared with a store or a bundle, and with nothing else', '--against');
      tell(compared, comparisonText(compared));
      return compared.result === 'different' ? exitCode.tampered : exitCode.ok;
    }
    const path = storeNamed(named, say);
    const differences = against === undefined ? undefined : await engine.compareBundles(path, against, '--against');
    const report = await engine.verify(path, {
      head,
      resume,
      since: since === undefined ? undefined : engine.readCheckpoint(since),
      keys: fingerprint ?? keys,
      onStore: endAtOnce,
      onProgress: ({ stage, done, of }) => show(`${count(done)} of ${count(of)} ${stage} checked`),
    });
    const uncompared =
      since === undefined || report.since !== null
        ? ''
        : 'The checkpoint of --since was compared with nothing: no log was found that fits the events.\n';
    tell(
      differences === undefined ? report : { ...report, against: differences },
      verifyText(report, head, key, differences) + uncompared,
    );
    const isOther =
      (differences !== undefined && isDifferent(differences)) || (key !== undefined && !isSignedByNamed(report.log));
    return isOther ? exitCode.tampered : codes[report.result];
  },
};
