// The shares of a data set and the sample of an experiment in words.
import { type SplitName, splitNames } from '../../shared/domain.ts';
import type { DatasetDefinition, Split } from '../../shared/experiment.ts';
import { count, quantity } from '../../shared/sizes.ts';

export const splitText: Readonly<Record<SplitName, string>> = {
  test: 'test',
  train: 'training',
  validation: 'validation',
};

/** `60% test, 20% training, 20% validation`; parts without cases are left out. */
export function splitSentence(split: Split): string {
  return splitNames
    .filter((name) => split[name] > 0)
    .map((name) => `${Math.round(split[name] * 1000) / 10}% ${splitText[name]}`)
    .join(', ');
}

/** How a split in time goes, and why shares can differ from what was asked. */
export const timeOrderText = (by: string): string =>
  `in the order of the column ${by}; cases of the same time are in one share, so that none is tested on what was learned from its own moment`;

/** `, in proportion by sex, at most 5 of each value`; empty where the sample is drawn without strata. */
export const strataText = ({ by, each }: DatasetDefinition['sample']): string =>
  by === undefined ? '' : `, in proportion by ${by}${each === undefined ? '' : `, at most ${count(each)} of each value`}`;

/** `20% test, 80% training, dealt by the seed; on trial are 30 cases of the test share`. */
export function sampleSentence({ split, sample }: Pick<DatasetDefinition, 'split' | 'sample'>): string {
  const { from, n, distinct, ids } = sample;
  const shares = `${splitSentence(split)}, ${split.by === undefined ? 'dealt by the seed' : timeOrderText(split.by)}`;
  if (ids !== undefined)
    return `${shares}; on trial are ${ids.length === 1 ? 'the case' : `the ${count(ids.length)} cases`} that the experiment names`;
  const number = n === undefined ? 'all cases' : quantity(n, 'case');
  const among = from === 'all' ? (n === undefined ? '' : ' of all shares') : ` of the ${splitText[from]} share`;
  return `${shares}; on trial are ${number}${among}${strataText(sample)}${distinct ? ', cases with the same content only once' : ''}`;
}
