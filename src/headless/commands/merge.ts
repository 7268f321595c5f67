import { resolve } from 'node:path';
import { type CopyProgress, merge, refuseForeignPath } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { Command } from '../command.ts';
import { amount, copyWords } from '../format.ts';
import { storeNamed } from '../options.ts';

export const mergeCommand: Command = {
  name: 'merge',
  usage: 'assize merge <store> <store>… --into FILE',
  summary: 'joins the records of stores, such as the parts of an experiment that ran on several machines',
  options: [
    ['<store>…', 'the stores; they stay as they are. The new store continues the log of the first one, with its checkpoints'],
    ['--into FILE', 'the new store. It gets the records, if they verify; not the settings, data sets and run logs'],
  ],
  async run(words, { out, progress, signal, say }) {
    const into = words.need('into');
    refuseForeignPath(into, '--into');
    const stores = words.positionals.map((store) => storeNamed(store, say));
    const onProgress = (step: CopyProgress) => progress(copyWords(step));
    const { trials, root } = await merge(stores, resolve(into), { signal, onProgress });
    out(
      `${amount(trials, 'trial')} of ${amount(stores.length, 'store')} joined in ${resolve(into)}\nRecord root: ${root ?? ''}\n`,
    );
    return exitCode.ok;
  },
};
