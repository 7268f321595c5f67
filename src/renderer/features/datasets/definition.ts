import { splitCases } from '../../../core/cases/split.ts';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { type CaseKind, type SplitName, splitNames } from '../../../shared/domain.ts';
import type { DataFormat, Split } from '../../../shared/experiment.ts';
import type { CasesOfKind } from '../protocols/acceptance.ts';

/** The kinds of cases, each with what it means for the columns of a file. */
export const kindText: Readonly<Record<CaseKind, { label: string; note: string }>> = {
  tabular: { label: 'Table row', note: 'Each column is a fact, as “age is 18”. Columns can be left out.' },
  text: { label: 'Text', note: 'One column contains the whole case as text.' },
  pair: { label: 'Pair of texts', note: 'Two columns: a premise and a hypothesis, or a question and a passage.' },
  sections: { label: 'Sections', note: 'Several columns are the parts of one document, in an order that you set.' },
  open: { label: 'Open question', note: 'Each row has its own question, and there are no labels to choose from.' },
};

export const formatText: Readonly<Record<DataFormat, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  jsonl: 'JSON Lines',
  parquet: 'Parquet',
  xlsx: 'Excel workbook',
};

export function casesOf({ definition, labels }: DataFile): CasesOfKind {
  return { kind: definition.kind, labels, multiLabel: (definition.label?.multiple ?? null) !== null };
}

/** Cases in each split. They depend only on the number of cases, not on their ids. */
export function splitSizes(cases: number, split: Split): Record<SplitName, number> {
  const sizes = { test: 0, train: 0, validation: 0 };
  const ids = Array.from({ length: cases }, (_none, index) => String(index));
  for (const name of splitCases(ids, split, 0).values()) sizes[name] += 1;
  return sizes;
}

/** The split to draw a first sample from: the test split, or the first that holds cases. */
export function firstSplit(sizes: Readonly<Record<SplitName, number>>): SplitName | null {
  return splitNames.find((name) => sizes[name] > 0) ?? null;
}
