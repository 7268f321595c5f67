import { reviewPieces, reviewsReport } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { piecesText } from '../format.ts';
import { parseWords, storeNamed } from '../options.ts';

const usage = 'assize reviews <experiment> [--store FILE] [--json]';

export const reviewsCommand: Command = {
  name: 'reviews',
  usage,
  summary: 'what people judged of an experiment, and how far they agree with the court and with each other',
  options: [['<experiment>', 'name of the experiment'], optionHelp.store, optionHelp.json],
  async run(args, { out, say }) {
    const words = parseWords(args, usage);
    const report = await reviewsReport(storeNamed(words.text('store'), say), words.positionals[0] ?? '');
    out(`${words.flag('json') ? JSON.stringify(report, null, 2) : piecesText(reviewPieces(report))}\n`);
    return exitCode.ok;
  },
};
