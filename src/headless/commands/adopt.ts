import { resolve } from 'node:path';
import {
  adopt,
  type CopyProgress,
  commandText,
  refuseExisting,
  refuseForeignPath,
  withRecord,
} from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { Command } from '../command.ts';
import { amount, copyWords } from '../format.ts';
import { storeNamed } from '../options.ts';

export const adoptCommand: Command = {
  name: 'adopt',
  usage: 'assize adopt <store|bundle> --into FILE',
  summary: 'copies the record of a store from elsewhere, or of a bundle, into a new store of your own',
  options: [
    ['<store|bundle>', 'the record from elsewhere; it stays as it is'],
    ['--into FILE', 'the new store. It gets the record, if that verifies; not the settings, data sets and run log of the other'],
  ],
  async run(words, { out, progress, signal, say }) {
    const into = words.need('into');
    refuseForeignPath(into, '--into');
    refuseExisting(resolve(into));
    const store = storeNamed(words.positionals[0], say);
    const onProgress = (step: CopyProgress) => progress(copyWords(step));
    const { trials, root } = await withRecord(store, (found) => adopt(found, resolve(into), { signal, onProgress }));
    out(
      `The record of ${amount(trials, 'trial')} was copied into your own store: ${resolve(into)}\nTo open it on the screens: ${commandText('web', '--store', resolve(into))}\nRecord root: ${root ?? ''}\nIt is not signed yet; signatures stay with the other record. To sign it: ${commandText('checkpoint', '--store', resolve(into))}\n`,
    );
    return exitCode.ok;
  },
};
