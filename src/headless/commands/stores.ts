import { resolve } from 'node:path';
import { onOneLine } from '../../../resources/bundle/uses.mjs';
import * as engine from '../../main/engine/engine.ts';
import { AssizeError, exitCode } from '../../shared/errors.ts';
import type { ReplayReport } from '../../shared/outputs.ts';
import { heldWords } from '../../shared/proved.ts';
import { type Command, optionHelp, storeNamed } from '../command.ts';
import { amount, copyWords, count, lines, trialsReady } from '../format.ts';

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
    engine.refuseForeignPath(into, '--into');
    engine.refuseExisting(resolve(into));
    const store = storeNamed(words.positionals[0], say);
    const onProgress = (step: engine.CopyProgress) => progress(copyWords(step));
    const { trials, root } = await engine.withRecord(store, (found) =>
      engine.adopt(found, resolve(into), { signal, onProgress }),
    );
    out(
      `The record of ${amount(trials, 'trial')} was copied into your own store: ${resolve(into)}\nSettings, the list of data sets and the log of the runs stay with the other record. To add cases or arms you need only the experiment file: the record has the cases. What else to get from its owner: “Somebody leaves” in docs/usage.md.\nTo open it on the screens: ${engine.commandText('web', '--store', resolve(into))}\nRecord root: ${root ?? ''}\nIt is not signed yet; signatures stay with the other record. A run in it signs all of it with your own key when it ends. To sign it now: ${engine.commandText('checkpoint', '--store', resolve(into))}\nWhatever you add, this shows that all that was copied is still in it: ${engine.commandText('verify', resolve(into), '--head', root ?? '')}\n`,
    );
  },
};

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
    engine.refuseForeignPath(into, '--into');
    const stores = words.positionals.map((store) => storeNamed(store, say));
    const onProgress = (step: engine.CopyProgress) => progress(copyWords(step));
    const { check, repeated, held } = await engine.merge(stores, resolve(into), { signal, onProgress });
    out(
      lines(
        `${amount(check.trials, 'trial')} of ${amount(stores.length, 'store')} joined in ${resolve(into)}`,
        repeated === 0
          ? 'No trial was in more than one store.'
          : `Repeated trials, which another of the stores has too and which are joined once: ${count(repeated)}.`,
        onOneLine(heldWords(held)),
        `Record root: ${check.root ?? ''}`,
        `Keep the stores: their logs of the runs (${engine.ownCall} show EXPERIMENT --store STORE), and the signatures of all but the first, stay there.`,
      ),
    );
  },
};

export const rebuildCommand: Command = {
  name: 'rebuild',
  usage: 'assize rebuild <store>',
  summary: 'rebuilds the result tables from the record',
  options: [['<store>', 'the record; its events and texts stay as they are']],
  async run(words, { out, progress, signal, say }) {
    const store = storeNamed(words.positionals[0], say);
    const trials = await engine.rebuild(store, { signal, onProgress: (done, of) => progress(trialsReady(done, of)) });
    out(`The results of ${amount(trials, 'trial')} were rebuilt from the record: ${store}\n`);
  },
};

const shown = 20;

function text({ identical, different, not_replayable, unfinished, erased, trials }: ReplayReport): string {
  return lines(
    `Replayed without a model: ${amount(identical, 'verdict')} re-derived, ${different} different, ${not_replayable} not replayable, ${unfinished} unfinished${erased === 0 ? '' : `, ${erased} erased`}.`,
    trials
      .slice(0, shown)
      .map(
        ({ trial, arm, case: id, result, problem }) =>
          `  ${trial} (${arm}, case ${id}): ${result.replace('-', ' ')}: ${problem ?? ''}`,
      ),
    trials.length > shown && `  and ${trials.length - shown} more`,
    `Replay does not check the hashes of texts and events: that is the work of ${engine.ownCall} verify.`,
  );
}

export const replayCommand: Command = {
  name: 'replay',
  usage: 'assize replay [store|bundle] [--store FILE] [--trial ID] [--json]',
  summary: 'derives every verdict again from the recorded answers, without a model; only verify checks hashes',
  options: [
    ['[store|bundle]', 'the record to replay; without one, your own store'],
    ['--store FILE', 'the same, as other commands name it'],
    ['--trial ID', 'only this trial'],
    optionHelp.json,
  ],
  positionals: (args) => (args.some((word) => /^--store(?:=|$)/.test(word)) ? [] : ['[store|bundle]']),
  async run(words, { progress, say, signal, tell }) {
    const path = storeNamed(words.text('store') ?? words.positionals[0], say);
    const report = await engine.withRecord(path, (store) =>
      engine.replay(store, words.text('trial'), (done, of) => {
        if (signal.aborted) throw new AssizeError('interrupted', 'interrupted; nothing was written; run it again');
        progress(`${done}/${of} trials replayed`);
      }),
    );
    tell({ ...report, store: path }, text(report));
    if (report.different > 0) return exitCode.tampered;
    return report.not_replayable > 0 ? exitCode.failedTrials : exitCode.ok;
  },
};
