import { sampleOf } from '../../../core/cases/sample.ts';
import { splitByTime, splitCases } from '../../../core/cases/split.ts';
import { refOf } from '../../../core/record/hash.ts';
import { caseCoverage, lackText } from '../../../core/statistics/caseCoverage.ts';
import { type Check, note } from '../../../shared/checks.ts';
import type { DatasetCase, SplitName } from '../../../shared/domain.ts';
import { splitNames } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import type { DataFormat, DatasetDefinition } from '../../../shared/experiment.ts';
import { caseBuilder, isMultiLabel, lackNote, smallGroups } from './cases.ts';
import { checkDefinition } from './definition.ts';
import { readRows } from './table.ts';

/** A data set as an experiment uses it. */
export interface Dataset {
  /** In the order of the file. */
  readonly cases: readonly DatasetCase[];
  /** Case id -> split, for every case. */
  readonly splits: ReadonlyMap<string, SplitName>;
  /** Ids of the cases on trial, in the order of the sample. */
  readonly sample: readonly string[];
  /** Candidate labels in order; empty for an open data set. */
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly multiLabel: boolean;
  /** SHA-256 of the file's bytes, hex; empty where the data are from the record. */
  readonly fileHash: string;
  /** Of data from the record: how the record names their file. */
  readonly fileRef?: string;
  /** What a user should know though nothing is wrong, such as `3 cases have no label`. */
  readonly checks: readonly Check[];
}

/** What names the file of a data set. */
export type ReadFile = Pick<Dataset, 'fileHash' | 'fileRef'>;

/** How the record names a file. @param salt of the data set on the record */
export const fileRefOf = (salt: Buffer, { fileHash, fileRef }: ReadFile): string => fileRef ?? refOf(salt, fileHash);

/** Reads a data file, deals its cases to splits and draws the sample. Throws bad input with its place in file or definition. */
export async function readDataset(
  path: string,
  definition: DatasetDefinition,
  options: { readonly seed: number },
): Promise<Dataset & { readonly format: DataFormat }> {
  checkDefinition(definition);
  const { label, split } = definition;
  const listField = label?.multiple === 'json' ? label.column : undefined;
  const read = await readRows(path, { ...definition, listField }, (source) => caseBuilder(source, definition));
  const { cases } = read.result;
  const ids = cases.map(({ id }) => id);
  const splits = split.by === undefined ? splitCases(ids, split, options.seed) : splitByTime(read.result.times, split);
  const sample = drawSample(cases, splits, definition, options.seed);
  return {
    ...read.result,
    splits,
    sample,
    checks: [
      ...(label === undefined ? [] : unlabelledNote(cases, sample)),
      ...read.result.checks,
      ...groupNotes(cases, sample, definition),
    ],
    multiLabel: isMultiLabel(definition),
    format: read.format,
    fileHash: read.fileHash,
  };
}

/** Which groups have too few cases on trial to be compared. */
export function groupNotes(
  cases: readonly DatasetCase[],
  sample: readonly string[],
  { groups }: Pick<DatasetDefinition, 'groups'>,
): Check[] {
  const onTrial = new Set(sample);
  const tried = cases.filter(({ id }) => onTrial.has(id));
  return groups.flatMap((column) => smallGroups(tried, column, tried.length < cases.length ? ' in the sample' : ''));
}

function unlabelledNote(cases: readonly DatasetCase[], sample: readonly string[]): Check[] {
  const found = lackNote(cases, ({ truth }) => truth === null, 'no label');
  if (sample.length === cases.length) return found;
  const labelled = new Set(cases.flatMap(({ id, truth }) => (truth === null ? [] : [id])));
  const drawn = lackText(caseCoverage(sample, labelled), 'the label of ') ?? 'has all its labels';
  return found.map(({ text }) => note(`${text}; the sample ${drawn}`));
}

/** The cases on trial, in order. Throws bad input where there are too few, or one that is named is not there. */
export function drawSample(
  cases: readonly DatasetCase[],
  splits: ReadonlyMap<string, SplitName>,
  definition: DatasetDefinition,
  seed: number,
): string[] {
  const { sample, split } = definition;
  if (sample.ids !== undefined) {
    const missing = sample.ids.find((id) => !splits.has(id));
    if (missing === undefined) return sampleOf(cases, definition, seed);
    throw badInput(`there is no case ${JSON.stringify(missing)}; name cases by their ids`, 'dataset.sample.ids');
  }
  const found = cases.filter(({ id }) => sample.from === 'all' || splits.get(id) === sample.from);
  const name = sample.from === 'all' ? 'the data set' : `the ${sample.from} split`;
  if (found.length === 0) {
    const shares = splitNames.map((each) => `${each} ${split[each]}`).join(', ');
    throw badInput(
      `${name} is empty (shares: ${shares}; ${splits.size} cases); take another split or raise its share`,
      'dataset.sample.from',
    );
  }
  const ids = sampleOf(found, { ...definition, sample: { ...sample, n: undefined } }, seed);
  if (sample.n !== undefined && sample.n > ids.length) {
    const left = ids.length === found.length ? '' : `, ${ids.length} of them by "by", "each" and "distinct"`;
    throw badInput(
      `${sample.n} cases are asked for, but ${name} has ${found.length}${left}; ask for at most ${ids.length}`,
      'dataset.sample.n',
    );
  }
  return ids.slice(0, sample.n);
}
