import { rebuild } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { Command } from '../command.ts';
import { amount, trialsReady } from '../format.ts';
import { storeNamed } from '../options.ts';

export const rebuildCommand: Command = {
  name: 'rebuild',
  usage: 'assize rebuild <store>',
  summary: 'rebuilds the result tables from the record',
  options: [['<store>', 'the record; its events and texts stay as they are']],
  async run(words, { out, progress, signal, say }) {
    const store = storeNamed(words.positionals[0], say);
    const trials = await rebuild(store, { signal, onProgress: (done, of) => progress(trialsReady(done, of)) });
    out(`The results of ${amount(trials, 'trial')} were rebuilt from the record: ${store}\n`);
    return exitCode.ok;
  },
};
