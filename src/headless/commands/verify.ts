import { readCheckpoint, readVerifierKeys, verify } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { VerifyReport } from '../../shared/outputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { amount, count } from '../format.ts';
import { jsonOption, parseWords, storeNamed } from '../options.ts';

const usage = 'assize verify <store|bundle> [--head HASH] [--since CHECKPOINT] [--key FILE] [--json]';

/** Which entries of the log are fixed, and by whom. */
function logText({ log, since, signer }: VerifyReport): string {
  if (log === null) return '';
  const { size, signed, cosigned, signers, cosigners, time_stamps } = log;
  const range = (from: number, to: number) => (to - from === 1 ? `entry ${from}` : `entries ${from} to ${to - 1}`);
  const only = Math.max(signed, cosigned);
  const parts = [
    cosigned > 0 ? `${range(0, cosigned)} anchored elsewhere (cosigned)` : '',
    only > cosigned ? `${range(cosigned, only)} signed only` : '',
    size > only ? `${range(only, size)} neither` : '',
  ];
  const witnesses = cosigners.map(({ name, fingerprint, at }) =>
    fingerprint === null ? `Cosignature not checked, its key is not known: ${name}` : `Cosigned at ${at}: ${fingerprint}`,
  );
  return [
    `Log: ${amount(size, 'entry', 'entries')}${size === 0 ? '' : `; ${parts.filter((part) => part !== '').join(', ')}`}.`,
    ...signers.map(
      ({ fingerprint }) => `Signed by ${fingerprint}${signer === 'known' ? '' : ': compare it with what the signer told you'}.`,
    ),
    ...witnesses,
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

function text(report: VerifyReport): string {
  const { result, trials, events, texts, root, head_matches, first_bad, store } = report;
  if (result === 'tampered') {
    const place =
      first_bad === null ? [] : [first_bad.trial, first_bad.seq === null ? null : `event ${first_bad.seq}`, first_bad.kind];
    return `TAMPERED: ${store}\nFirst bad record: ${place.filter((part) => part !== null).join(', ')}: ${first_bad?.problem ?? ''}\n`;
  }
  const known =
    head_matches === true ? 'the given head is in it' : 'signer unknown: compare the root with one that you got by another way';
  return `Intact: ${store}\n${count(trials)} trials, ${count(events)} events, ${count(texts)} texts; ${known}.\nRoot: ${root ?? ''}\n${logText(report)}${erasedText(report)}`;
}

export const verifyCommand: Command = {
  name: 'verify',
  usage,
  summary: 'checks that a record was not changed',
  options: [
    ['<store|bundle>', 'the record to check: a store, or a bundle that `assize export` wrote'],
    ['--head HASH', 'a head or root that you received separately; the record must contain it'],
    ['--since CHECKPOINT', 'an earlier checkpoint; the record must still begin with what it covers'],
    ['--key FILE', 'keys that you trust, one in each line, as assize checkpoint --key prints them; no others count'],
    optionHelp.json,
  ],
  async run(args, { out, say }) {
    const words = parseWords(
      args,
      { head: { type: 'string' }, since: { type: 'string' }, key: { type: 'string' }, ...jsonOption },
      ['<store|bundle>'],
      usage,
    );
    const head = words.text('head');
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw badInput('a head or root is 64 hexadecimal digits', { field: '--head' });
    const [since, key] = [words.text('since'), words.text('key')];
    const report = await verify(storeNamed(words.positionals[0], say), {
      head,
      since: since === undefined ? undefined : readCheckpoint(since),
      keys: key === undefined ? undefined : readVerifierKeys(key),
    });
    out(words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : text(report));
    return report.result === 'intact' ? exitCode.ok : exitCode.tampered;
  },
};
