// Reads the cases of a data file as an experiment would have them, for previews and for pages of them.
import { statSync } from 'node:fs';
import { otherTitles, type ShownTerms, shownFacts } from '../../../core/cases/columnNames.ts';
import type { CaseDefinition, CasePage, CasePreview, ListedCase } from '../../../shared/api/dataFiles.ts';
import { type Check, note, screenSentenceOf } from '../../../shared/checks.ts';
import { type DatasetCase, splitNames } from '../../../shared/domain.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { datasetSchema, usualSeed } from '../../../shared/experiment.ts';
import { type Dataset, readDataset } from '../datasets/dataset.ts';
import { repeatChecks } from '../datasets/repeats.ts';
import { listed } from '../datasets/spelling.ts';
import type { DataFileRow } from '../store/dataFiles.ts';

interface Read {
  readonly key: string;
  readonly data: Awaited<ReturnType<typeof readDataset>>;
}

/** Paging through a large file must not read it again for each page. */
let last: Read | undefined;

/** Screens know the definition by this name; there is no experiment yet in which it would be `dataset`. */
function refer(error: unknown): never {
  const { field, line } = error instanceof AssizeError ? error.place : {};
  if (!(error instanceof AssizeError) || line !== undefined || field?.startsWith('dataset.') !== true) throw error;
  throw error.at({ field: field.replace(/^dataset/, 'definition') });
}

/** The cases that a definition makes of a file. Throws bad input. */
async function read(path: string, definition: CaseDefinition): Promise<Read['data']> {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  const key = JSON.stringify([path, String(stats?.size), String(stats?.mtimeNs), definition]);
  if (last?.key !== key) {
    last = undefined;
    const dataset = datasetSchema.parse({ ...definition, path, sample: { from: 'all' } });
    last = { key, data: await readDataset(path, dataset, { seed: usualSeed }).catch(refer) };
  }
  return last.data;
}

/** Every case of a data file. Throws bad input. */
export const casesOfFile = async (path: string, definition: CaseDefinition): Promise<readonly DatasetCase[]> =>
  (await read(path, definition)).cases;

export const listedCase = (
  split: ListedCase['split'],
  { id, facts, question, truth, groups }: DatasetCase,
  terms: ShownTerms,
): ListedCase => ({
  id,
  split,
  facts: shownFacts(facts, terms),
  question,
  truth,
  groups: { ...groups },
  groupTitles: otherTitles(Object.keys(groups), terms),
});

const mostPreviewed = 20;
const undecidedQuestion = '?';

const counted = <Key>(keys: readonly Key[]): Map<Key, number> => {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** Cases by label, 0 included and null last, and by split, where there are any. */
function countsOf({ cases, labels, splits }: Dataset): Pick<CasePreview, 'byLabel' | 'bySplit'> {
  const byLabel = counted(cases.flatMap(({ truth }) => truth));
  const bySplit = counted([...splits.values()]);
  const listed = [...labels, ...(byLabel.has(null) ? [null] : [])];
  return {
    byLabel: listed.map((label) => ({ label, cases: byLabel.get(label) ?? 0 })),
    bySplit: splitNames.flatMap((split) => {
      const number = bySplit.get(split) ?? 0;
      return number === 0 ? [] : [{ split, cases: number }];
    }),
  };
}

const weight = ({ severity }: Check): number => (severity === 'note' ? 1 : 0);

/** Where one label has so large a share, saying it always is a strong answer. */
const lopsided = 0.8;
/** With fewer cases, what is found of a label is mostly chance. */
const fewCases = 10;

/** What the cases together make one think twice about. */
function casesChecks(data: Dataset, kind: CaseDefinition['kind']): Check[] {
  const checks = repeatChecks(data.cases, kind);
  if (data.multiLabel || kind === 'open') return checks;
  const labelled = data.cases.filter(({ truth }) => truth !== null).length;
  const counts = countsOf(data).byLabel.filter(({ label }) => label !== null);
  const most = counts.toSorted((a, b) => b.cases - a.cases)[0];
  if (most !== undefined && labelled > 0 && most.cases >= lopsided * labelled && most.cases < labelled) {
    const share = Math.round((100 * most.cases) / labelled);
    checks.push(note(`${share}% of the cases are ${most.label}: always giving this answer would be right that often`));
  }
  const rare = counts.filter(({ cases }) => cases > 0 && cases < fewCases).map(({ label }) => label ?? '');
  if (rare.length > 0 && labelled >= 2 * fewCases) {
    const few = rare.length === 1 ? `label ${listed(rare)} has` : `labels ${listed(rare)} have`;
    checks.push(note(`${few} fewer than ${fewCases} cases`, 'results for so few cases are mostly chance'));
  }
  return checks;
}

/** Rows that a screen shows before a file is added. A question that is still to be written is no fault here. */
export async function previewCases(path: string, definition: CaseDefinition): Promise<CasePreview> {
  const { kind, question } = definition;
  const lacking = kind !== 'open' && question === undefined;
  const data = await read(path, lacking ? { ...definition, question: undecidedQuestion } : definition);
  return {
    kind,
    question: question ?? null,
    cases: data.cases.length,
    labels: [...data.labels],
    positive: definition.positive ?? null,
    ...countsOf(data),
    notes: [...data.checks, ...casesChecks(data, kind)].toSorted((a, b) => weight(a) - weight(b)).map(screenSentenceOf),
    first: data.cases.slice(0, mostPreviewed).map((kase) => listedCase(data.splits.get(kase.id) ?? 'test', kase, definition)),
  };
}

/** What the list of data sets notes of a file. Throws bad input. */
export async function summarizeCases(
  path: string,
  definition: CaseDefinition,
): Promise<Pick<DataFileRow, 'format' | 'cases' | 'labels' | 'positive'>> {
  const { format, labels, positive, cases } = await read(path, definition);
  return { format, cases: cases.length, labels, positive };
}

const contains = (
  { id, facts, question, truth }: Pick<ListedCase, 'id' | 'facts' | 'question' | 'truth'>,
  sought: string,
): boolean =>
  [id, question ?? '', ...[truth].flat().map((label) => label ?? ''), ...facts.map(({ value }) => value)].some((text) =>
    text.toLowerCase().includes(sought),
  );

/** One page of the cases, in the order of the file; `search` is sought in ids, facts, questions and labels, in upper or lower case. */
export async function pageOfCases(
  path: string,
  definition: CaseDefinition,
  { search = '', offset, limit }: { search?: string | undefined; offset: number; limit: number },
): Promise<CasePage> {
  const data = await read(path, definition);
  const sought = search.trim().toLowerCase();
  const found = sought === '' ? data.cases : data.cases.filter((kase) => contains(kase, sought));
  return {
    total: found.length,
    cases: found.slice(offset, offset + limit).map((kase) => listedCase(data.splits.get(kase.id) ?? 'test', kase, definition)),
    byLabel: countsOf(data).byLabel,
  };
}
