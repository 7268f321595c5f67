import { resolve } from 'node:path';
import { adopt, refuseForeignPath } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { Command } from '../command.ts';
import { amount, trialsReady } from '../format.ts';
import { parseWords, storeNamed } from '../options.ts';

const usage = 'assize adopt <store> --into FILE';

export const adoptCommand: Command = {
  name: 'adopt',
  usage,
  summary: 'copies the record of a store from elsewhere into a new store of your own',
  options: [
    ['<store>', 'the store from elsewhere; it stays as it is'],
    ['--into FILE', 'the new store. It gets the record, if that verifies; not the settings, data sets and run log of the other'],
  ],
  async run(args, { out, progress, signal, say }) {
    const words = parseWords(args, { into: { type: 'string' } }, ['<store>'], usage);
    const into = words.need('into');
    refuseForeignPath(into, '--into');
    const store = storeNamed(words.positionals[0], say);
    const onProgress = (done: number, of: number) => progress(trialsReady(done, of));
    const { trials, root } = await adopt(store, resolve(into), { signal, onProgress });
    out(`The record of ${amount(trials, 'trial')} was copied into your own store: ${resolve(into)}\nRoot: ${root ?? ''}\n`);
    return exitCode.ok;
  },
};
