import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { commandText, refuseForeignPath, varyExperiment, writeWholeFile } from '../../main/engine/engine.ts';
import type { Expectation } from '../../shared/changes.ts';
import { AssizeError, badInput } from '../../shared/errors.ts';
import type { VaryReport } from '../../shared/promptOutputs.ts';
import { type Command, optionHelp } from '../command.ts';

function expectationIn(text: string | undefined): Expectation | undefined {
  if (text === undefined || text === 'INV') return text;
  const [, way, label] = /^(up|down)=(.+)$/.exec(text) ?? [];
  if ((way !== 'up' && way !== 'down') || label === undefined) {
    throw badInput(
      'write INV where the verdict must not change, or up=LABEL or down=LABEL where its probability must not move the other way',
      '--expect',
    );
  }
  return { DIR: way, label };
}

const mostNamed = 12;

function namesText(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map((name) => JSON.stringify(name));
  const more = names.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

const addedText = (added: readonly string[]): string =>
  added.length > mostNamed ? `${added.length} further arms: ${namesText(added)}` : namesText(added);

export const varyCommand: Command = {
  name: 'vary',
  usage:
    'assize vary <experiment.json> --change KIND[=VALUE]… --out FILE [--trial ID | --cases N] [--arm NAME] [--expect INV|up=LABEL|down=LABEL] [--force] [--json]',
  summary: 'adds arms to an experiment file that differ from others in one thing, or makes a probe of what models remember',
  options: [
    ['<experiment.json>', 'the experiment; it stays as it is'],
    ['--change fact=COL=VALUE', 'give the fact another value, as in --change "fact=income=1,250"; "fact=income=" leaves it out'],
    [
      '--change leave-out=SIZE',
      'of one trial: leave out every set of up to SIZE facts, to find the smallest that flips the verdict',
    ],
    ['--change shapley', 'of one trial: leave out every set of facts, for Shapley values; shapley=ORDERS draws orders at random'],
    ['--change attribute=COL', 'give the attribute each other value in turn; attribute=COL=VALUE: only this one'],
    ['--change sides|order|labels', 'exchange sides, order or labels, as counterbalance does'],
    ['--change seed=COUNT', 'that many arms that differ only in their seeds'],
    ['--change model=NAME', 'another model for the judge; model=ROLE=NAME for a role'],
    ['--change noise|fact-order', 'typing errors in the facts, or the facts in reverse'],
    ['--change question=TEXT', 'the question in other words'],
    ['--change mislead=ROLE', 'ask a role to mislead the court'],
    ['--change withhold=SPEECH', 'no one hears this speech, such as turn-2/defense; withhold=each: each speech in turn'],
    ['--change replace=SPEECH=TEXT', 'everyone hears TEXT in place of this speech'],
    [
      '--change truncate=DRAWS',
      'each case again, cut after a speech drawn at random: shows the effect of each turn; truncate: one draw',
    ],
    ['--change robustness', 'every change that should not move a robust court, as one set'],
    ['--change prompts=…', 'variants of prompts, by their names or paths, with a comma between'],
    ['--change probe=names', 'the arms once more with column names or proper names replaced by neutral ones'],
    ['--change probe=rows', 'an experiment in which each model completes rows of the table (docs/contamination.md)'],
    ['--trial ID', 'makes a file that tries only this trial again, unchanged and with each change'],
    ['--cases N', 'makes a separate file that tries only the first N cases, unchanged and with each change'],
    [
      '--expect INV|up=LABEL|down=LABEL',
      'what is expected of the changes: the verdict stays, or P(LABEL) does not move the other way',
    ],
    ['--arm NAME', 'varies only this arm; without it every arm that fits'],
    ['--out FILE', 'the file to write, in the same folder'],
    ['--force', 'replaces a file that is there already'],
    optionHelp.json,
  ],
  async run(words, { out, say }) {
    const [file = ''] = words.positionals;
    const [to, arm] = [words.need('out'), words.text('arm')];
    const changes = words.texts('change');
    if (changes.length === 0) throw badInput('say what changes: --change KIND[=VALUE]', '--change');
    const { text, experiment, added, unexpected } = await varyExperiment(file, {
      changes,
      arms: arm === undefined ? [] : [arm],
      trial: words.text('trial'),
      cases: words.whole('cases', 1),
      expect: expectationIn(words.text('expect')),
    });
    refuseForeignPath(to, '--out');
    if (dirname(resolve(to)) !== dirname(resolve(file))) {
      throw badInput('write into the folder of the experiment file: its paths start there', '--out');
    }
    if (existsSync(to) && !words.flag('force')) {
      throw new AssizeError('output-exists', `${to} is there already; add --force to replace it`, '--out');
    }
    writeWholeFile(resolve(to), text);
    const report: VaryReport = { experiment, file: to, added: [...added] };
    if (words.flag('json')) out(`${JSON.stringify(report, null, 2)}\n`);
    else {
      const left =
        unexpected.length === 0 ? '' : ` Nothing is expected of ${namesText(unexpected)}: --expect is for declared changes.`;
      say(`Written: ${to}, with ${addedText(added)}.${left} Run it: ${commandText('run', to)}`);
    }
  },
};
