import { replay, withRecord } from '../../main/engine/engine.ts';
import { AssizeError, exitCode } from '../../shared/errors.ts';
import type { ReplayReport } from '../../shared/outputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { storeNamed } from '../options.ts';

const shown = 20;
const hashesUnchecked = 'Replay does not check the hashes of texts and events: that is the work of assize verify.';

function text({ identical, different, not_replayable, unfinished, erased, trials }: ReplayReport): string {
  const lines = trials
    .slice(0, shown)
    .map(
      ({ trial, arm, case: id, result, problem }) =>
        `  ${trial} (${arm}, case ${id}): ${result.replace('-', ' ')}: ${problem ?? ''}`,
    );
  const more = trials.length > shown ? [`  and ${trials.length - shown} more`] : [];
  return [
    `Replayed without a model: ${identical} verdicts re-derived, ${different} different, ${not_replayable} not replayable, ${unfinished} unfinished${erased === 0 ? '' : `, ${erased} erased`}.`,
    ...lines,
    ...more,
    hashesUnchecked,
    '',
  ].join('\n');
}

export const replayCommand: Command = {
  name: 'replay',
  usage: 'assize replay [store|bundle] [--trial ID] [--json]',
  summary: 'derives every verdict again from the recorded answers, without a model; only verify checks hashes',
  options: [
    ['[store|bundle]', 'the record to replay; without one, your own store'],
    ['--trial ID', 'only this trial'],
    optionHelp.json,
  ],
  async run(words, { progress, say, signal, tell }) {
    const path = storeNamed(words.positionals[0], say);
    const report = await withRecord(path, (store) =>
      replay(store, words.text('trial'), (done, of) => {
        if (signal.aborted) throw new AssizeError('interrupted', 'interrupted; nothing was written; run it again');
        progress(`${done}/${of} trials replayed`);
      }),
    );
    tell({ ...report, store: path }, text(report));
    if (report.different > 0) return exitCode.tampered;
    return report.not_replayable > 0 ? exitCode.failedTrials : exitCode.ok;
  },
};
