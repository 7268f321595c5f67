import type { Case, CaseKind, Example } from '../../../shared/domain.ts';

const factsOf: Record<CaseKind, readonly { name: string; value: string }[]> = {
  tabular: [
    { name: 'age', value: '19' },
    { name: 'occupation', value: 'roofer' },
    { name: 'earlier offences', value: '2' },
  ],
  text: [{ name: 'text', value: 'The parcel came a week late and the vase in it was broken.' }],
  pair: [
    { name: 'premise', value: 'A man is mending a roof.' },
    { name: 'hypothesis', value: 'Somebody is at work.' },
  ],
  sections: [
    { name: 'background', value: 'The tenant left in May.' },
    { name: 'claim', value: 'The deposit is owed.' },
    { name: 'statement', value: 'The floor was scratched.' },
  ],
  open: [],
};

/** 0: an open case. */
export const labelCounts = [0, 2, 3, 6, 41] as const;

/** Numbers of labels of cases that can have several of them. */
export const labelCountsOfSets = [3, 6, 41] as const;

/** A case of some kind with a number of labels; two labels have a positive one. */
export function caseOf(kind: CaseKind, labels: number, multiLabel = false): Case {
  const names = Array.from({ length: labels }, (_, index) => `label ${index + 1}`);
  return {
    kind,
    facts: factsOf[kind],
    question: 'What is the answer?',
    labels: names,
    positive: labels === 2 && !multiLabel ? (names[1] ?? null) : null,
    multiLabel,
  };
}

/** Examples whose facts differ from the case's. */
export function examplesOf(count: number, labels: readonly string[]): Example[] {
  return Array.from({ length: count }, (_, index) => ({
    facts: [{ name: 'example', value: `known example number ${index + 1}` }],
    label: labels[index % labels.length] ?? '',
  }));
}
