import { resolve } from 'node:path';
import { exportFormats, exportToFile, exportToStream, refuseForeignPath, resolveStorePath } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { Command } from '../command.ts';
import { parseWords, storeOption } from '../options.ts';

const usage = `assize export <experiment> [--store FILE] --format ${exportFormats.join('|')} --out PATH|- [--trial ID] [--force]`;

export const exportCommand: Command = {
  name: 'export',
  usage,
  summary: 'writes trials or events to a file',
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
    const store = resolveStorePath(words.text('store'));
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
