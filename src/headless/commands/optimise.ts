import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { optimise, refuseForeignPath, writeWholeFile } from '../../main/engine/engine.ts';
import { AssizeError, exitCode } from '../../shared/errors.ts';
import type { OptimiseReport } from '../../shared/promptOutputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { amount, count, demoBanner, proportion, table } from '../format.ts';
import { runOptionHelp, runRequest } from '../runRequest.ts';

type Suggestions = NonNullable<OptimiseReport['suggestions']>;

function finding({ winner, cases }: OptimiseReport): string {
  if (winner === null) return 'There was no instruction to try: the words of the arm stay as they are.';
  const { name, comparison } = winner;
  const { value, low, high } = comparison.difference;
  const over = `over the ${amount(cases.confirmation, 'case')} that had no say in the choice`;
  if (value === null) return `${name} and the arm as it was have no case in common.`;
  const points = `Accuracy of ${name} less that of the arm as it was, ${over}: ${proportion(value)}`;
  if (low === null || high === null) return `${points}; there is no interval: ${comparison.difference.why_null ?? ''}.`;
  const shown =
    low > 0
      ? 'It is better.'
      : high < 0
        ? 'It is worse.'
        : 'It is not shown to be better or worse: keep the words that you have.';
  return `${points} [${proportion(low)}, ${proportion(high)}]. ${shown}`;
}

function suggestedText({ model, at_most, mistakes, outcome, suggested, repeated, refused }: Suggestions): string[] {
  const { cases, wrong, shown } = mistakes;
  const asked = `${model} was asked for at most ${amount(at_most, 'instruction')}. It read ${count(shown)} of the ${amount(wrong, 'wrong verdict')} that the arm as it is gave on the ${amount(cases, 'case')} to choose on`;
  if (outcome !== 'decided') return [`${asked}. It gave no answer that can be used: ${outcome}.`];
  const lost = [
    ...(repeated === 0 ? [] : [`${count(repeated)} said what another one says`]),
    ...(refused.length === 0 ? [] : [`${count(refused.length)} cannot be used`]),
  ];
  return [
    `${asked}, and suggested ${count(suggested)}${lost.length === 0 ? '' : `; ${lost.join(', ')}`}.`,
    ...refused.map(({ instruction, problem }) => `Not tried: ${JSON.stringify(instruction)}: ${problem}.`),
  ];
}

function text(report: OptimiseReport): string {
  const { arm, into, cases, suggestions, candidates, experiments, store } = report;
  const rows = candidates.map((candidate) => [
    candidate.name,
    count(candidate.stages),
    count(candidate.cases),
    proportion(candidate.accuracy),
    candidate.instruction.length > 60 ? `${candidate.instruction.slice(0, 59)}…` : candidate.instruction,
  ]);
  const alike = cases.like_test_cases;
  const isChosen = candidates.length > 1;
  const how = isChosen
    ? `chosen on ${amount(cases.selection, 'validation case')}, confirmed on ${count(cases.confirmation)} others`
    : `nothing to choose among; ${amount(cases.confirmation, 'validation case')} to confirm on`;
  return [
    ...(report.standin ? [demoBanner] : []),
    `Instructions in ${into} of ${arm}: ${how}. No test case was used${alike === 0 ? '' : `; ${amount(alike, 'validation case')} like one of them left out`}.`,
    ...(suggestions === null ? [] : suggestedText(suggestions)),
    ...(candidates.length === 0
      ? []
      : [
          '',
          table(['candidate', 'stages', 'cases', 'accuracy', 'instruction'], rows).trimEnd(),
          '',
          ...(isChosen
            ? ['The accuracies are of the cases that candidates were dropped by: that of the winner is too high.']
            : []),
        ]),
    finding(report),
    `Record: ${store}, ${experiments.map((name) => JSON.stringify(name)).join(', ')}`,
    '',
  ].join('\n');
}

export const optimiseCommand: Command = {
  name: 'optimise',
  usage:
    'assize optimise <experiment.json> --arm NAME --into PROMPT/TEXT [--instructions FILE] [--out FILE] [--store FILE] [--ollama URL] [--concurrency N] [--retry KIND[,KIND]] [--allow-host HOST]… [--start-ollama] [--json]',
  summary: 'finds the best of several instructions for the prompts of an arm, yours or a model’s, only on the validation split',
  options: [
    ['<experiment.json>', 'the experiment; its validation split needs a share'],
    ['--arm NAME', 'the arm whose prompts are changed'],
    ['--into PROMPT/TEXT', 'the text of the prompts that each of them is put before, such as answer/cot; docs/prompts.md'],
    ['--instructions FILE', 'the candidates, one a line; not needed where the experiment file has "suggestions"'],
    ['--out FILE', 'writes the prompts with the winner as a variant'],
    optionHelp.store,
    ...runOptionHelp,
    optionHelp.json,
  ],
  async run(words, { signal, say, live, tell }) {
    const to = words.text('out');
    if (to !== undefined) {
      refuseForeignPath(to, '--out');
      if (existsSync(to))
        throw new AssizeError('output-exists', `${to} is there already; choose another name`, { field: '--out' });
    }
    const wanted = { arm: words.need('arm'), instructions: words.text('instructions'), into: words.need('into') };
    const { request, followed } = runRequest(words, { signal, say });
    live(followed.text);
    const { report, winner } = await optimise(words.positionals[0] ?? '', wanted, {
      ...request,
      onStep: (what) => say(`${what}.`),
    });
    if (to !== undefined && winner !== null) writeWholeFile(resolve(to), winner);
    tell(report, text(report));
    return report.winner === null ? exitCode.failedTrials : exitCode.ok;
  },
};
