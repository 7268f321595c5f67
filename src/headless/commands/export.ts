import { resolve } from 'node:path';
import { exportFormats, exportToFile, exportToStream, refuseForeignPath } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { parseWords, storeNamed, storeOption } from '../options.ts';

const usage = `assize export <experiment> [--store FILE] --format ${exportFormats.join('|')} --out PATH|- [--trial ID] [--force]`;

export const exportCommand: Command = {
  name: 'export',
  usage,
  summary: 'writes trials, events or the report of a trial to a file',
  options: [
    ['<experiment>', 'its name, as the file says it'],
    optionHelp.store,
    [
      '--format NAME',
      'trials-csv, trials-jsonl: a line for each trial\nevents-jsonl: every event of the record, with its hashes\nhtml: a report of one trial, for reading and printing',
    ],
    ['--out PATH|-', 'the file to write; - is stdout'],
    ['--trial ID', 'only this trial; html needs it where there are several'],
    ['--force', 'replaces a file that is there already'],
  ],
  async run(args, { out, say }) {
    const words = parseWords(
      args,
      {
        ...storeOption,
        format: { type: 'string' },
        out: { type: 'string' },
        trial: { type: 'string' },
        force: { type: 'boolean' },
      },
      ['<experiment>'],
      usage,
    );
    const [experiment = ''] = words.positionals;
    const wanted = words.need('format');
    const format = exportFormats.find((known) => known === wanted);
    if (format === undefined)
      throw badInput(`there is no format ${JSON.stringify(wanted)}; there are ${exportFormats.join(', ')}`, {
        field: '--format',
      });
    const store = storeNamed(words.text('store'), say);
    const target = words.need('out');
    refuseForeignPath(target, '--out');
    const trial = words.text('trial');
    if (target === '-') await exportToStream(store, experiment, { format, trial }, out);
    else {
      await exportToFile(store, { experiment, out: resolve(target), force: words.flag('force'), format, trial });
      say(`Written: ${target}`);
    }
    return exitCode.ok;
  },
};
