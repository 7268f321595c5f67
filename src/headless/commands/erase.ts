import { commandText, eraseInStore, erasePreview } from '../../main/engine/engine.ts';
import { type EraseReport, type EraseTarget, untriedWords } from '../../shared/erasure.ts';
import { badInput } from '../../shared/errors.ts';
import { type Command, optionHelp, storeNamed } from '../command.ts';
import { amount, lines, trialsReady } from '../format.ts';

function targetOf(
  experiment: string | undefined,
  kase: string | undefined,
  whole: boolean,
  entry: string | undefined,
): EraseTarget | null {
  if (entry !== undefined) {
    if (experiment !== undefined) throw badInput('name an experiment or --listed, not both', '--listed');
    if (kase !== undefined || whole)
      throw badInput('--listed erases a whole data set; to erase less, name an experiment and --case', '--listed');
    return { kind: 'listed', entry };
  }
  if (kase !== undefined && whole) throw badInput('give --case or --data-set, not both', '--case');
  if (experiment === undefined) {
    if (kase !== undefined || whole) throw badInput('name the experiment', kase === undefined ? '--data-set' : '--case');
    return null;
  }
  if (kase !== undefined) return { kind: 'case', experiment, case: kase };
  return { kind: whole ? 'data-set' : 'experiment', experiment };
}

function text(report: EraseReport): string {
  const { erased, experiments, cases, trials, trials_beside, texts, files, stays, store } = report;
  const { cases_not_tried: notTried = 0 } = report;
  const others =
    trials_beside === 0 ? '' : `, ${trials_beside} of them on other cases, which had it as a precedent or an example`;
  return lines(
    `${erased ? 'Erased' : 'This would be erased'}: ${store}`,
    `  ${amount(texts, 'text')}${trials === 0 ? '' : ` of ${amount(trials, 'trial')}`}${others}.`,
    cases > 0 &&
      `  What the record has of ${amount(cases, 'case')}: facts, question, groups. ${untriedWords(cases, notTried)}`.trimEnd(),
    experiments.length > 0 && `  Experiments, which cannot be run further: ${experiments.join(', ')}.`,
    files.map((name) => `  The whole data set ${JSON.stringify(name)} of the list: Assize’s own copy.`),
    'What stays:',
    stays.map((line) => `  ${line}`),
    erased
      ? [
          `To check that a word is gone, search for it on the screen Search: ${commandText('web', '--store', store)}. It covers ended trials and comments on them, not trials under way, prompts or facts. grep misses most words, since longer texts are packed: finding none proves nothing.`,
          `So that signatures cover the erasure too: ${commandText('checkpoint', '--store', store)}`,
        ]
      : 'Nothing was changed. To erase it for good, add --yes: it cannot be undone.',
  );
}

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'assize erase [experiment] [--case ID | --data-set] [--listed NAME] [--yes] [--store FILE] [--json]',
  summary: 'erases what a record says about a case, an experiment or a data set',
  options: [
    [
      '[experiment]',
      'erases what was said in it, and its cases where no other experiment is about them; without a name, finishes an erasure that was cut short',
    ],
    ['--case ID', 'only this case of its data set, with every trial that it took part in'],
    ['--data-set', 'its data set, with all experiments about it'],
    ['--listed NAME', 'a data set of the list, with Assize’s own copy of its file and the experiments that were made from it'],
    ['--yes', 'does it; without it, the command only shows what would go'],
    optionHelp.store,
    optionHelp.json,
  ],
  async run(words, { progress, signal, say, tell }) {
    const target = targetOf(words.positionals[0], words.text('case'), words.flag('data-set'), words.text('listed'));
    const store = storeNamed(words.text('store'), say);
    const watch = { signal, onPreparing: (done: number, of: number) => progress(trialsReady(done, of)) };
    const report =
      target === null || words.flag('yes') ? await eraseInStore(store, target, watch) : await erasePreview(store, target);
    if (report === null) tell({ store, finished: false }, 'No erasure was cut short.\n');
    else if (report === 'finished') tell({ store, finished: true }, `The erasure that was cut short is finished: ${store}\n`);
    else tell(report, text(report));
  },
};
