import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { refuseForeignPath, varyExperiment, writeWholeFile } from '../../main/engine/engine.ts';
import { AssizeError, badInput, exitCode } from '../../shared/errors.ts';
import type { VaryReport } from '../../shared/promptOutputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { jsonOption, parseWords } from '../options.ts';

const usage =
  'assize vary <experiment.json> --change prompts=NAME[,NAME]|probe=names|probe=rows --out FILE [--arm NAME] [--force] [--json]';

export const varyCommand: Command = {
  name: 'vary',
  usage,
  summary: 'adds arms to an experiment file that differ from others in one thing, or makes a probe of what models remember',
  options: [
    ['<experiment.json>', 'the experiment; it stays as it is'],
    ['--change prompts=…', 'variants of prompts, by their names or paths, with a comma between'],
    ['--change probe=names', 'the arms once more with column names or proper names replaced by neutral ones'],
    ['--change probe=rows', 'an experiment in which each model completes rows of the table (docs/contamination.md)'],
    ['--arm NAME', 'varies this arm alone; without it every arm that fits'],
    ['--out FILE', 'the file to write, in the same folder'],
    ['--force', 'replaces a file that is there already'],
    optionHelp.json,
  ],
  async run(args, { out, say }) {
    const own = {
      change: { type: 'string' },
      arm: { type: 'string' },
      out: { type: 'string' },
      force: { type: 'boolean' },
    } as const;
    const words = parseWords(args, { ...jsonOption, ...own }, ['<experiment.json>'], usage);
    const [file = ''] = words.positionals;
    const [to, arm] = [words.need('out'), words.text('arm')];
    const { text, experiment, added } = await varyExperiment(file, words.need('change'), arm === undefined ? [] : [arm]);
    refuseForeignPath(to, '--out');
    if (dirname(resolve(to)) !== dirname(resolve(file))) {
      throw badInput('write into the folder of the experiment file: its paths start there', { field: '--out' });
    }
    if (existsSync(to) && !words.flag('force')) {
      throw new AssizeError('output-exists', `${to} is there already; add --force to replace it`, { field: '--out' });
    }
    writeWholeFile(resolve(to), text);
    const report: VaryReport = { experiment, file: to, added: [...added] };
    if (words.flag('json')) out(`${JSON.stringify(report, null, 2)}\n`);
    else say(`Written: ${to}, with ${added.map((name) => JSON.stringify(name)).join(', ')}. Run it: assize run ${to}`);
    return exitCode.ok;
  },
};
