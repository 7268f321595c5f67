import { estimate, runStudy, showStudy } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { StudyReport } from '../../shared/study.ts';
import { type Command, optionHelp } from '../command.ts';
import { amount, count, demoBanner, table } from '../format.ts';
import { runOptionHelp, runRequest } from '../runRequest.ts';

type Score = 'accuracy' | 'macro_f1';

function scoreTable({ datasets, arms }: StudyReport, score: Score): string {
  const scale = score === 'accuracy' ? 'share' : 'number';
  const rows = table(
    ['arm', ...datasets.map(({ name }) => name), 'mean'],
    arms.map(({ arm, sets, mean }) => [arm, ...sets.map((set) => estimate(set?.[score], scale)), estimate(mean[score], scale)]),
  );
  return rows.trimEnd();
}

/** Why a reader should not take the numbers at face value. */
function remarks({ datasets, arms }: StudyReport): string[] {
  const open = arms.flatMap(({ arm, sets }) =>
    sets.flatMap((set, place) => {
      const name = datasets[place]?.name ?? '';
      if (set === null) return [`${arm} was not tried on ${name}.`];
      return set.done < set.planned ? [`${arm} on ${name}: ${count(set.done)} of ${amount(set.planned, 'trial')} finished.`] : [];
    }),
  );
  const [why] = arms.flatMap(({ mean }) => mean.accuracy.why_null ?? []);
  return [...open, ...(why === undefined ? [] : [`Means: ${why}.`])];
}

function text(report: StudyReport): string {
  const { study, datasets } = report;
  const sizes = datasets.map(({ name, cases }) => `${name} ${cases === null ? 'not begun' : amount(cases, 'case')}`).join(', ');
  return [
    ...(report.standin ? [demoBanner] : []),
    `Study ${study}: ${sizes}.`,
    '',
    'Accuracy of all trials, a failure as not correct:',
    scoreTable(report, 'accuracy'),
    '',
    'Macro-F1 of the decided trials:',
    scoreTable(report, 'macro_f1'),
    '',
    'Intervals at 95% over cases. In the mean every data set counts the same, and the cases of each are resampled by themselves.',
    ...remarks(report),
    `Record: ${report.store}. Each data set is a separate experiment, such as ${JSON.stringify(datasets[0]?.experiment)}.`,
    '',
  ].join('\n');
}

export const studyCommand: Command = {
  name: 'study',
  usage:
    'assize study <study.json> [--store FILE] [--show] [--ollama URL] [--concurrency N] [--retry KIND[,KIND]] [--allow-host HOST]… [--start-ollama] [--json]',
  summary: 'runs the same arms over several data sets, or continues, and prints one table of all',
  options: [
    ['<study.json>', 'the study; docs/experiment-file.md explains its keys'],
    optionHelp.store,
    ['--show', 'prints the table of what is on the record, and runs nothing'],
    ...runOptionHelp,
    optionHelp.json,
  ],
  async run(words, { signal, say, live, tell }) {
    const [file = ''] = words.positionals;
    const { request, followed } = runRequest(words, { signal, say });
    if (words.flag('show')) {
      const report = await showStudy(file, request.store);
      tell(report, text(report));
      return exitCode.ok;
    }
    live(followed.text);
    const { report, failed } = await runStudy(file, { ...request, onDataset: (name) => say(`Data set ${name}:`) });
    tell(report, text(report));
    return failed ? exitCode.failedTrials : exitCode.ok;
  },
};
