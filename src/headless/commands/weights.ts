import { seatWeightsOf } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { WeightsReport } from '../../shared/seatWeights.ts';
import { type Command, optionHelp } from '../command.ts';
import { percentage } from '../format.ts';
import { storeNamed } from '../options.ts';

function text({ arm, trials, unfinished, seats }: WeightsReport): string {
  const lines = seats.map(({ role, n, right, accuracy, low, high, weight }) => {
    const share = accuracy === null ? 'no answer' : `right ${right} of ${n}, ${percentage(accuracy)}`;
    const interval = low === null || high === null ? '' : ` (${percentage(low)} to ${percentage(high)})`;
    return `  ${role}: ${share}${interval}, weight ${weight.toFixed(3)}`;
  });
  const waiting = unfinished === 0 ? '' : `; ${unfinished} more are not finished`;
  return [
    `Votes of ${arm}, from ${trials} finished trials of the validation split${waiting}:`,
    ...lines,
    'Put this into the params of an arm that tries the test split:',
    `"weights": [${seats.map(({ weight }) => weight.toFixed(3)).join(', ')}]`,
    '',
  ].join('\n');
}

export const weightsCommand: Command = {
  name: 'weights',
  usage: 'assize weights <experiment> --arm NAME [--store FILE] [--json]',
  summary: 'how often each judge or voter of an arm was right on the validation split, and what its vote should count',
  options: [
    ['<experiment>', 'an experiment over cases of the validation split'],
    ['--arm NAME', 'the arm whose judges or voters are weighed'],
    optionHelp.store,
    optionHelp.json,
  ],
  async run(words, { say, tell }) {
    const report = await seatWeightsOf(storeNamed(words.text('store'), say), words.positionals[0] ?? '', words.need('arm'));
    tell(report, text(report));
    return exitCode.ok;
  },
};
