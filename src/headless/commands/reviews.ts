import { reviewPieces, reviewsReport, withRecord } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { piecesText } from '../format.ts';
import { storeNamed } from '../options.ts';

export const reviewsCommand: Command = {
  name: 'reviews',
  usage: 'assize reviews <experiment> [--store FILE] [--json]',
  summary: 'what people judged of an experiment, and how far they agree with the court and with each other',
  options: [['<experiment>', 'name of the experiment'], optionHelp.store, optionHelp.json],
  async run(words, { say, tell }) {
    const path = storeNamed(words.text('store'), say);
    const report = await withRecord(path, (store) => reviewsReport(store, words.positionals[0] ?? ''));
    tell(report, `${piecesText(reviewPieces(report))}\n`);
    return exitCode.ok;
  },
};
