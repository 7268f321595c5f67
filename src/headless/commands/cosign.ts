import { resolve } from 'node:path';
import { cosignFile, refuseForeignPath, writeExport } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { amount, count } from '../format.ts';

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
  async run(words, { out, say }) {
    const target = words.text('out');
    if (target !== undefined) refuseForeignPath(target, '--out');
    const [file = ''] = words.positionals;
    const report = cosignFile(file, { since: words.text('since'), proof: words.text('proof'), keys: words.text('key') });
    const { size, extends: seen, signature_checked, witness_key } = report;
    const before =
      seen === null ? 'the first that you have seen of this log' : `which extends the ${count(seen)} that you have seen`;
    say(`Cosigned: ${amount(size, 'entry', 'entries')}, ${before}.`);
    if (!signature_checked) say('The log’s own signature was not checked: give its key with --key.');
    say(`Your key, for the owner of the log: ${witness_key}`);
    const content = words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : report.note;
    if (target === undefined) out(content);
    else {
      writeExport([content], resolve(target), { force: words.flag('force') });
      say(`Written: ${target}`);
    }
    return exitCode.ok;
  },
};
