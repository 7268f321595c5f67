import { resolve } from 'node:path';
import * as engine from '../../main/engine/engine.ts';
import { type CheckpointReport, type KeyReport, minuteOf } from '../../shared/checkpoints.ts';
import { badInput } from '../../shared/errors.ts';
import { type Command, optionHelp, type Surroundings, type Words } from '../command.ts';
import { amount, count, lines } from '../format.ts';

/** Each does something else than to make a checkpoint. */
const modes = ['trial', 'since', 'attach', 'time-stamp', 'key'] as const;

function saidOf({ size, fingerprint, cosigners, time_stamp }: CheckpointReport): string {
  const witnesses = cosigners.length === 0 ? 'no cosignature yet' : amount(cosigners.length, 'cosignature');
  return `Checkpoint of ${amount(size, 'entry', 'entries')}, ${witnesses}${time_stamp ? ', a time stamp, which is not checked' : ''}. Key: ${fingerprint}. The root in it is that of the log; ${engine.ownCall} verify prints the record root`;
}

/** What to know of the key that signs: that it is new, and that another one signed before. */
function keyNotes({ key_made: made, key_before: before }: Pick<CheckpointReport, 'key_made' | 'key_before'>): string[] {
  const other = `The checkpoint before was signed by another key: ${before ?? ''}. Readers who know only that one need the fingerprint of yours.`;
  return [
    ...(made === undefined ? [] : [`There was no signing key, so a new one was made: ${made}. Keep a copy of this file.`]),
    ...(before === undefined
      ? []
      : [made === undefined ? other : `${other} If it was yours, put its file back in this place and make a checkpoint again.`]),
  ];
}

const keyText = ({ fingerprint, witness_key, log_key }: KeyReport): string =>
  lines(`Fingerprint: ${fingerprint}`, `As a witness: ${witness_key}`, log_key !== null && `Of this log: ${log_key}`);

const asJson = (report: object) => `${JSON.stringify(report, null, 2)}\n`;

function writerOf(words: Words, { out, say }: Surroundings): (content: string | Uint8Array) => void {
  const target = words.text('out');
  if (target === undefined) return (content) => out(String(content));
  engine.refuseForeignPath(target, '--out');
  return (content) => {
    // It has hashes only and is made to be given away.
    engine.writeExport([content], resolve(target), { force: words.flag('force'), mode: 0o644 });
    say(`Written: ${target}`);
  };
}

export const checkpointCommand: Command = {
  name: 'checkpoint',
  usage:
    'assize checkpoint [--store FILE] [--trial ID | --since CHECKPOINT | --attach FILE | --time-stamp | --key] [--out FILE [--force]] [--json]',
  summary: 'signs what the record has now, and proves with it',
  options: [
    optionHelp.store,
    ['--trial ID', 'prints the proof that this trial is in a checkpoint (tlog-proof)'],
    ['--since CHECKPOINT', 'prints the proof that the newest checkpoint extends this earlier one, for a witness'],
    ['--attach FILE', 'keeps the cosignatures of a checkpoint that a witness gave back, or a time stamp (RFC 3161, not checked)'],
    ['--time-stamp', 'writes the newest time stamp that was attached; needs --out'],
    ['--key', 'prints your public key and its fingerprint; makes the key where there is none'],
    ['--out FILE', 'the file to write, in place of stdout'],
    ['--force', 'replaces a file that is there already'],
    optionHelp.json,
  ],
  async run(words, surroundings) {
    const { say } = surroundings;
    const given = modes.filter((mode) => words.flag(mode) || words.text(mode) !== undefined);
    if (given.length > 1) throw badInput(`--${given.join(' and --')} do not go together; give one of them`);
    const json = words.flag('json');
    const proves = ['trial', 'since', 'time-stamp'].includes(given[0] ?? '');
    if (json && proves) throw badInput('a proof has one form; leave out --json', '--json');
    const store = engine.resolveStorePath(words.text('store'));
    const write = writerOf(words, surroundings);
    if (words.text('out') === undefined && words.flag('time-stamp'))
      throw badInput('name a file for it with --out', '--time-stamp');
    const show = (report: CheckpointReport) => {
      for (const note of [saidOf(report), ...keyNotes(report)]) say(note);
      write(json ? asJson(report) : report.note);
    };
    const [trial, since, attached] = [words.text('trial'), words.text('since'), words.text('attach')];
    if (trial !== undefined) write(await engine.proveTrial(store, trial));
    else if (since !== undefined) write(await engine.proveExtension(store, engine.readCheckpoint(since)));
    else if (words.flag('time-stamp')) write(await engine.timeStamp(store));
    else if (words.flag('key')) {
      const report = await engine.userKeyReport(store);
      for (const note of keyNotes(report)) say(note);
      write(json ? asJson(report) : keyText(report));
    } else if (attached !== undefined) show(await engine.attach(store, attached));
    else {
      const { report, isNew } = await engine.checkpoint(store);
      if (!isNew) say(`Nothing was added since the checkpoint made ${minuteOf(report.made_at)}, so this is still the newest.`);
      show(report);
    }
  },
};

export const cosignCommand: Command = {
  name: 'cosign',
  usage: 'assize cosign <checkpoint> [--since EARLIER] [--proof FILE] [--key FILE] [--out FILE [--force]] [--json]',
  summary: 'signs a checkpoint of somebody else as a witness',
  options: [
    ['<checkpoint>', 'the file that assize checkpoint wrote'],
    ['--since EARLIER', 'the checkpoint of this log that you saw before; without it, the one that you last cosigned'],
    ['--proof FILE', 'the proof that the checkpoint extends that one, from assize checkpoint --since'],
    ['--key FILE', 'the key of the log, as its owner gave it to you; without it the log’s own signature is not checked'],
    ['--out FILE', 'the file to write, in place of stdout; its owner keeps it with assize checkpoint --attach'],
    ['--force', 'replaces a file that is there already'],
    optionHelp.json,
  ],
  async run(words, surroundings) {
    const { say } = surroundings;
    const write = writerOf(words, surroundings);
    const [file = ''] = words.positionals;
    const report = engine.cosignFile(file, { since: words.text('since'), proof: words.text('proof'), keys: words.text('key') });
    const { size, extends: seen, signature_checked, witness_key, fingerprint } = report;
    const before =
      seen === null ? 'the first that you have seen of this log' : `which extends the ${count(seen)} that you have seen`;
    say(`Cosigned: ${amount(size, 'entry', 'entries')}, ${before}.`);
    if (!signature_checked) say('The log’s own signature was not checked: give its key with --key.');
    say(`Your key, for the owner of the log: ${witness_key}`);
    say(`Its fingerprint, as ${engine.ownCall} verify prints it: ${fingerprint}`);
    for (const note of keyNotes(report)) say(note);
    write(words.flag('json') ? asJson(report) : report.note);
  },
};
