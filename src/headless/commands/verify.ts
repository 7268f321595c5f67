import { readCheckpoint, readVerifierKeys, verify, verifyProof } from '../../main/engine/engine.ts';
import { isSignersKey, logRanges, type ProofReport } from '../../shared/checkpoints.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { VerifyReport } from '../../shared/outputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { amount, count, whereLong } from '../format.ts';
import { jsonOption, parseWords, storeNamed } from '../options.ts';

const usage =
  'assize verify [store|bundle] [--head HASH] [--since CHECKPOINT] [--key FILE] [--json], or assize verify --proof FILE [--head HASH] [--key FILE] [--json]';

const cosignerText = ({ name, fingerprint, at }: ProofReport['cosigners'][number]): string =>
  fingerprint === null ? `Cosignature not checked, its key is not known: ${name}` : `Cosigned at ${at}: ${fingerprint}`;

function proofText({
  result,
  proof,
  trial,
  head,
  position,
  size,
  origin,
  signature_checked,
  cosigners,
  problem,
}: ProofReport): string {
  if (result === 'tampered') return `TAMPERED: ${proof}\nTrial ${trial}: ${problem ?? ''}\n`;
  return [
    `Intact: ${proof}`,
    `Trial ${trial} ended with the head ${head}: compare it with the one that you know.`,
    `Entry ${position} of the log ${origin}, in its checkpoint of ${amount(size, 'entry', 'entries')}.`,
    signature_checked ? 'Signed by a key that you gave.' : 'The log’s own signature was not checked: give its key with --key.',
    ...cosigners.map(cosignerText),
    '',
  ].join('\n');
}

/** Which entries of the log are fixed, and by whom. */
function logText({ log, since, signer }: VerifyReport): string {
  if (log === null) return '';
  const { size, signers, cosigners, time_stamps } = log;
  return [
    `Log: ${[amount(size, 'entry', 'entries'), ...logRanges(log)].join(', ').replace(', ', '; ')}.`,
    ...signers.map(
      ({ fingerprint }) => `Signed by ${fingerprint}${signer === 'known' ? '' : ', a key that you have not named with --key'}.`,
    ),
    ...cosigners.map(cosignerText),
    ...(time_stamps > 0 ? [`${amount(time_stamps, 'time stamp')} attached, which this program does not check.`] : []),
    ...(since === null
      ? []
      : [
          `Extends the checkpoint of ${amount(since.size, 'entry', 'entries')}${since.signature_checked ? '' : ', whose signature was not checked'}.`,
        ]),
    '',
  ].join('\n');
}

/** What is not there to be checked, and why. */
function erasedText({ erasures, erasure_unfinished }: VerifyReport): string {
  const lines = (erasures ?? []).map(
    ({ at, scope, experiment, texts, salt }) =>
      `Erased at ${at}: ${scope === 'experiment' ? `what was said in ${experiment ?? ''}` : `a ${scope.replace('-', ' ')}`}, ${amount(texts, 'text')}${salt ? ' and the salt' : ''}. What needs these texts was not checked.\n`,
  );
  const left = erasure_unfinished ? ['An erasure was cut short: run assize erase to finish it.\n'] : [];
  return [...lines, ...left].join('');
}

function text(report: VerifyReport, head = ''): string {
  const { result, trials, events, texts, left_out, root, head_matches, first_bad, store, log } = report;
  if (first_bad?.kind === 'head' && isSignersKey(log, head))
    return `NOT A ROOT: ${store}\nEvery hash in it holds. What you gave is the signer’s key, not the root: it says who signed the record, not which record it is. Root: ${root ?? ''}\n`;
  if (first_bad?.kind === 'head')
    return `NOT THE RECORD THAT YOU NAMED: ${store}\nEvery hash in it holds, and ${first_bad.problem}. Either it is another record, or something was added to it since, such as a trial or a review: --since CHECKPOINT tells.\n`;
  if (result === 'tampered') {
    const place =
      first_bad === null ? [] : [first_bad.trial, first_bad.seq === null ? null : `event ${first_bad.seq}`, first_bad.kind];
    return `TAMPERED: ${store}\nFirst bad record: ${place.filter((part) => part !== null).join(', ')}: ${first_bad?.problem ?? ''}\n`;
  }
  const known =
    head_matches === true
      ? 'the given head is in it'
      : 'to know that it is the record that you mean, compare its root or its signer with what you were told';
  return `Intact: ${store}\n${count(trials)} trials, ${count(events)} events, ${count(texts)} texts; ${known}.\n${left_out === 0 ? '' : `Redacted: ${amount(left_out, 'text')} left out. What they say, the prompts of calls and the truth of cases were not checked.\n`}Root: ${root ?? ''}\n${logText(report)}${erasedText(report)}`;
}

export const verifyCommand: Command = {
  name: 'verify',
  usage,
  summary: 'checks that a record was not changed',
  options: [
    ['[store|bundle]', 'the record to check: a store, or a bundle that `assize export` wrote; without one, your own store'],
    ['--head HASH', 'a head or root that you received separately; the record must contain it'],
    ['--since CHECKPOINT', 'an earlier checkpoint; the record must still begin with what it covers'],
    ['--proof FILE', 'checks the proof of one trial (tlog-proof) in place of a record, with no store'],
    ['--key FILE', 'keys that you trust, one in each line, as assize checkpoint --key prints them; no others count'],
    optionHelp.json,
  ],
  async run(args, { out, say, progress }) {
    const words = parseWords(
      args,
      { head: { type: 'string' }, since: { type: 'string' }, proof: { type: 'string' }, key: { type: 'string' }, ...jsonOption },
      args.some((word) => /^--proof(?:=|$)/.test(word)) ? [] : ['[store|bundle]'],
      usage,
    );
    const head = words.text('head');
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw badInput('a head or root is 64 hexadecimal digits', { field: '--head' });
    const [since, key, proof] = [words.text('since'), words.text('key'), words.text('proof')];
    const keys = key === undefined ? undefined : readVerifierKeys(key);
    if (proof !== undefined) {
      if (since !== undefined) throw badInput('a proof is of one checkpoint; leave out --since', { field: '--since' });
      const found = verifyProof(proof, { head, keys });
      out(words.flag('json') ? `${JSON.stringify(found, null, 2)}\n` : proofText(found));
      return found.result === 'intact' ? exitCode.ok : exitCode.tampered;
    }
    const tell = whereLong(progress);
    const report = await verify(storeNamed(words.positionals[0], say), {
      head,
      since: since === undefined ? undefined : readCheckpoint(since),
      keys,
      onProgress: ({ stage, done, of }) => tell(`${count(done)} of ${count(of)} ${stage} checked`),
    });
    out(words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : text(report, head));
    return report.result === 'intact' ? exitCode.ok : exitCode.tampered;
  },
};
