import { seatWeightsOf, train } from '../../main/engine/engine.ts';
import type { TrainReport } from '../../shared/assistants.ts';
import type { WeightsReport } from '../../shared/commandOutputs.ts';
import { type Command, optionHelp, serverWords, storeNamed } from '../command.ts';
import { count, demoBanner, lines, percentage, trialsReady } from '../format.ts';

function leftOutLines({ left_out: { other_splits, unknown_truth, undecided, conceded, no_vector } }: TrainReport): string[] {
  const reasons = [
    [other_splits, 'of cases that are not of the training split'],
    [unknown_truth, 'of cases without a known label'],
    [undecided, 'of trials that are not decided'],
    [conceded, 'with which a debater gave up its position'],
    [no_vector, 'that the embedding model cannot take'],
  ] as const;
  return reasons.flatMap(([number, what]) => (number === 0 ? [] : [`Left out: ${count(number)} statements ${what}.`]));
}

function resultText(report: TrainReport): string {
  const { version, trained_now, training, holdout, embedder, dimensions, converged, standin, store } = report;
  const auc = holdout.auc === null ? 'none, since all held-out statements are of one kind' : holdout.auc.toFixed(3);
  return lines(
    standin && demoBanner,
    trained_now
      ? `Version ${version} of the assistant, trained on ${count(training.statements)} statements about ${count(training.cases)} cases, by ${dimensions} numbers of ${embedder}.`
      : `Nothing new: version ${version} was made from the same statements and vectors.`,
    `On ${count(holdout.statements)} statements about ${count(holdout.cases)} cases that it has not seen: accuracy ${percentage(holdout.accuracy)}, area under the curve ${auc}.`,
    holdout.threshold !== null && `Learnt threshold: ${holdout.threshold.toFixed(3)}, for arms with params.learntThreshold.`,
    !converged && 'The fit ended before its minimum.',
    leftOutLines(report),
    `Record: ${store}`,
  );
}

export const trainAssistantCommand: Command = {
  name: 'train-assistant',
  usage:
    'assize train-assistant --experiment NAME [--store FILE] [--embedder MODEL] [--ollama URL] [--allow-host HOST]… [--json]',
  summary: 'trains the assistant that rates debaters, on the unassisted debates of an experiment',
  options: [
    ['--experiment NAME', 'an experiment with an arm of debate-feedback and assistant none, over cases of the training split'],
    optionHelp.store,
    ['--embedder MODEL', 'the embedding model; without it the one that the arm casts as "embedder"'],
    optionHelp.ollama,
    optionHelp.allowHost,
    optionHelp.json,
  ],
  async run(words, { signal, say, progress, tell }) {
    const report = await train(storeNamed(words.text('store'), say), {
      experiment: words.need('experiment'),
      embedder: words.text('embedder'),
      ...serverWords(words, say),
      signal,
      onPreparing: (done, of) => progress(trialsReady(done, of)),
      onProgress: ({ phase, done, of }) =>
        progress(phase === 'vectors' ? `${count(done)}/${count(of)} statements have a vector` : 'fitting'),
    });
    tell(report, resultText(report));
  },
};

function text({ arm, trials, unfinished, seats }: WeightsReport): string {
  const votes = seats.map(({ role, n, right, accuracy, low, high, weight }) => {
    const share = accuracy === null ? 'no answer' : `right ${right} of ${n}, ${percentage(accuracy)}`;
    const interval = low === null || high === null ? '' : ` (${percentage(low)} to ${percentage(high)})`;
    return `  ${role}: ${share}${interval}, weight ${weight.toFixed(3)}`;
  });
  const waiting = unfinished === 0 ? '' : `; ${unfinished} more are not finished`;
  return lines(
    `Votes of ${arm}, from ${trials} finished trials of the validation split${waiting}:`,
    votes,
    'Put this into the params of an arm that tries the test split:',
    `"weights": [${seats.map(({ weight }) => weight.toFixed(3)).join(', ')}]`,
  );
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
  },
};
