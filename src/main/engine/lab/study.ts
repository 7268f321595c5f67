// A study: the same arms over several data sets, an experiment for each, and one table of all.
import { dirname, resolve } from 'node:path';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { type ArmOnSet, studyRow } from '../../../core/statistics/measures/studyMeasures.ts';
import type { StudyReport } from '../../../shared/commandOutputs.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { longestName, studySchema } from '../../../shared/experiment.ts';
import { caseTerms, resamplingOf } from '../report/statistics.ts';
import { trialLines } from '../report/trialLines.ts';
import { refuseForeignPath } from '../store/location.ts';
import type { Store } from '../store/store.ts';
import { prepareExperiment, readExperimentData } from './experimentFile.ts';
import { loadFrozen } from './frozen.ts';
import { readArmsFile } from './matrixFile.ts';

export type PreparedStudy = Readonly<Awaited<ReturnType<typeof readStudy>>>;

/** Reads and checks a study with all of its data, before anything is asked. Throws bad input with file, line, field and data set. */
export async function readStudy(path: string) {
  refuseForeignPath(path, '<study.json>');
  const file = readArmsFile(path);
  const study = file.parse(studySchema);
  const { study: title, datasets, ...common } = study;
  const folder = dirname(path);
  const { primary } = common;
  if (primary !== undefined && primary.family < datasets.length) {
    throw file.error(
      `a study of ${datasets.length} data sets decides its primary comparison on each of them; set "family" to ${datasets.length} or more, so that all are tested at 5% together`,
      ['primary', 'family'],
    );
  }
  const experiments = datasets.map(({ name, ...dataset }, index) => {
    const fail = (message: string, [first, ...rest]: readonly (string | number)[]) => {
      const at = first === 'dataset' ? ['datasets', index, ...rest] : [...(first === undefined ? [] : [first]), ...rest];
      return file.error(`data set ${JSON.stringify(name)}: ${message}`, at);
    };
    if (datasets.findIndex((each) => each.name === name) < index) throw fail('there are two of this name', ['dataset', 'name']);
    const together = `${title}: ${name}`;
    if (together.length > longestName) {
      const most = longestName - ': '.length;
      throw fail(`this name and that of the study have at most ${most} characters together; shorten one`, ['dataset', 'name']);
    }
    if (dataset.label === undefined) {
      throw fail('it has no "label"; a study says how often its arms are right, so name the column with the truth', ['dataset']);
    }
    try {
      refuseForeignPath(dataset.path, 'dataset.path');
    } catch (error) {
      throw error instanceof AssizeError ? fail(error.message, ['dataset', 'path']) : error;
    }
    const experiment = { ...common, name: together, dataset };
    return prepareExperiment({ experiment, file: { error: fail }, folder, dataPath: resolve(folder, dataset.path) });
  });
  for (const [index, prepared] of experiments.entries()) {
    try {
      await readExperimentData(prepared);
    } catch (error) {
      // What is wrong inside a data file has that file's place, and not yet the name of the data set.
      if (!(error instanceof AssizeError) || error.place.file === path) throw error;
      throw new AssizeError(error.code, `data set ${JSON.stringify(datasets[index]?.name)}: ${error.message}`, error.place);
    }
  }
  return { study, experiments };
}

export function studyReport(store: Store, { study, experiments }: PreparedStudy): StudyReport {
  const recorded = experiments.map(({ experiment }) =>
    store.experiments.get(experiment.name) === undefined ? null : loadFrozen(store, experiment.name),
  );
  const read = recorded.map((frozen) => (frozen === null ? [] : [...trialLines(store, frozen)]));
  const armOn = (arm: string, place: number): ArmOnSet | null => {
    const frozen = recorded[place] ?? null;
    const lines = (read[place] ?? []).filter((line) => line.arm === arm);
    if (frozen === null || lines.length === 0) return null;
    return { planned: lines.length, trials: measured(lines, new Map()), terms: caseTerms(frozen) };
  };
  // Arms with something exchanged are in no comparison, and so in no table.
  return {
    study: study.study,
    store: store.path,
    standin: read.some((lines) => lines.some(({ standin }) => standin)),
    datasets: study.datasets.map(({ name }, place) => ({
      name,
      experiment: experiments[place]?.experiment.name ?? '',
      cases: recorded[place]?.sampleSize() ?? null,
    })),
    arms: study.arms.map(({ name }) => ({
      arm: name,
      ...studyRow(
        experiments.map((_, place) => armOn(name, place)),
        resamplingOf(study),
      ),
    })),
  };
}
