import { show, withRecord } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { storeNamed } from '../options.ts';
import { transcriptText } from '../transcript.ts';

export const showCommand: Command = {
  name: 'show',
  usage: 'assize show <experiment> --trial ID [--store FILE] [--json]',
  summary: 'prints the transcript of a trial, with private plans and notes',
  options: [['--trial ID', 'the trial; an export lists them'], optionHelp.store, optionHelp.json],
  async run(words, { say, tell }) {
    const [[experiment = ''], trial] = [words.positionals, words.need('trial')];
    const report = await withRecord(storeNamed(words.text('store'), say), (store) => show(store, experiment, trial));
    tell(report, transcriptText(report, { private: true }));
    return exitCode.ok;
  },
};
