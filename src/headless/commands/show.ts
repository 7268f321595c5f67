import { show, withRecord } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { parseWords, storeNamed } from '../options.ts';
import { transcriptText } from '../transcript.ts';

const usage = 'assize show <experiment> --trial ID [--store FILE] [--json]';

export const showCommand: Command = {
  name: 'show',
  usage,
  summary: 'prints the transcript of a trial, with private plans and notes',
  options: [['--trial ID', 'the trial; an export lists them'], optionHelp.store, optionHelp.json],
  async run(args, { out, say }) {
    const words = parseWords(args, usage);
    const [[experiment = ''], trial] = [words.positionals, words.need('trial')];
    const report = await withRecord(storeNamed(words.text('store'), say), (store) => show(store, experiment, trial));
    out(words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : transcriptText(report, { private: true }));
    return exitCode.ok;
  },
};
