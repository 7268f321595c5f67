import type { Belief } from '../../shared/domain.ts';
import { csvCell } from '../text/csv.ts';
import type { ExchangeEntry } from './exchanges.ts';

/** A measure of an exchange as screens and reports show it. */
export interface DebateMeasure {
  readonly id: string;
  readonly name: string;
  readonly range: string;
  /** Unit and range as short as an axis has them; n is the number of labels. */
  readonly axis: string;
  readonly meaning: string;
  /** Top of a scale that begins at 0; null where it depends on the number of labels, in nats. */
  readonly most: number | null;
  readonly lines: readonly DebateLine[];
}

type Measured = Omit<ExchangeEntry, 'kind' | 'seq' | 'role' | 'key'>;

export interface DebateLine {
  /** Whose it is: `A`, `B`; empty where it is of both. */
  readonly of: string;
  /** @param before the exchange before; null of the first */
  readonly value: (exchange: Measured, before: Measured | null) => number | null;
}

/** Half the sum of what changed: the least probability that has to be moved, any two labels being equally far apart. */
const movedBetween = (one: Belief, other: Belief): number =>
  Object.keys(other).reduce((sum, label) => sum + Math.abs((other[label] ?? 0) - (one[label] ?? 0)), 0) / 2;

const one = (value: DebateLine['value']): readonly DebateLine[] => [{ of: '', value }];
const ofEach = (value: (side: Measured['sides']['agentA']) => number | null): readonly DebateLine[] => [
  { of: 'A', value: ({ sides }) => value(sides.agentA) },
  { of: 'B', value: ({ sides }) => value(sides.agentB) },
];
const unit = { range: '0 to 1', axis: '0 to 1', most: 1 } as const;
const nats = { range: '0 to ln of the number of labels, in nats', axis: 'nats, 0 to ln n', most: null } as const;

export const debateMeasures: readonly DebateMeasure[] = [
  {
    id: 'contentiousness',
    name: 'Contentiousness',
    ...unit,
    meaning: 'How sharply the agents were asked to argue: 0 agrees with all that can be agreed with, 1 is a devil’s advocate.',
    lines: one(({ contentiousness }) => contentiousness),
  },
  {
    id: 'crit',
    name: 'CRIT',
    ...unit,
    meaning: 'How well each agent’s arguments hold, as the critic finds, a tenth of its score. By default it weighs the mixture.',
    lines: ofEach(({ crit }) => crit),
  },
  {
    id: 'wd',
    name: 'Wasserstein distance (WD)',
    ...unit,
    meaning: 'The share of probability that would have to be moved to make one distribution of the other.',
    lines: one(({ wd }) => wd),
  },
  {
    id: 'jsd',
    name: 'Jensen-Shannon divergence (JSD)',
    range: '0 to ln 2 = 0.693, in nats',
    axis: 'nats, 0 to ln 2',
    most: Math.LN2,
    meaning: 'How far the distributions are apart: 0 where they are equal, ln 2 where they have nothing in common.',
    lines: one(({ jsd }) => jsd),
  },
  {
    id: 'nmi',
    name: 'Normalised mutual information (NMI)',
    ...unit,
    meaning: 'Mutual information as a share of the larger entropy; 1 where the distributions are equal.',
    lines: one(({ nmi }) => nmi),
  },
  {
    id: 'mi',
    name: 'Mutual information (MI)',
    ...nats,
    meaning: 'What the distributions share if they agree as often as they can. It falls as two that agree grow certain.',
    lines: one(({ mi }) => mi),
  },
  {
    id: 'entropy',
    name: 'Entropy',
    ...nats,
    meaning: 'How undecided each agent is: 0 where one label is certain, ln n where all n are equally likely.',
    lines: ofEach(({ entropy }) => entropy),
  },
  {
    id: 'mixtureEntropy',
    name: 'Entropy of the mixture',
    ...nats,
    meaning: 'How undecided both are together, weighted as for the verdict.',
    lines: one(({ mixtureEntropy }) => mixtureEntropy),
  },
  {
    id: 'normalisedEntropy',
    name: 'Normalised entropy of the mixture',
    ...unit,
    meaning: 'The same as a share of the most that so many labels allow.',
    lines: one(({ normalisedEntropy }) => normalisedEntropy),
  },
  {
    id: 'steadiness',
    name: '1 − WD of successive rounds',
    ...unit,
    meaning: 'How little the mixture moved since the round before: 1 where no probability moved, over the labels.',
    lines: one(({ mixture }, before) => (before === null ? null : 1 - movedBetween(before.mixture, mixture))),
  },
  {
    id: 'informationGain',
    name: 'Information gain',
    range: 'to ln of the number of labels, in nats; below 0 where less is certain',
    axis: 'nats, up to ln n',
    most: null,
    meaning: 'By how much the entropy of the mixture fell in this round.',
    lines: one(({ informationGain }) => informationGain),
  },
  {
    id: 'kl',
    name: 'Kullback-Leibler divergence (KL)',
    range: '0 to about 20.7, in nats',
    axis: 'nats, 0 to 20.7',
    most: null,
    meaning: 'What is lost when one distribution is taken for the other. Near 20.7 where one rules out what the other holds.',
    lines: [
      { of: 'A to B', value: ({ kl }) => kl.aToB },
      { of: 'B to A', value: ({ kl }) => kl.bToA },
    ],
  },
  {
    id: 'crossEntropy',
    name: 'Cross-entropy',
    range: '0 to about 20.7, in nats',
    axis: 'nats, 0 to 20.7',
    most: null,
    meaning: 'Entropy of one distribution plus what is lost when the other is taken for it.',
    lines: [
      { of: 'A, B', value: ({ crossEntropy }) => crossEntropy.aToB },
      { of: 'B, A', value: ({ crossEntropy }) => crossEntropy.bToA },
    ],
  },
  {
    id: 'rawSum',
    name: 'Sum of the stated percentages',
    range: '0 and more',
    axis: 'percent, from 0',
    most: null,
    meaning: 'What the stated numbers added up to before they were divided by it; none where one number was asked for.',
    lines: ofEach(({ rawSum }) => rawSum),
  },
];

const rounded = (value: number, digits: number) => String(Number(value.toFixed(digits))).replace('-', '−');

/** A value with at most four digits behind the point and a true minus sign; a dash where there is none. */
export const measureText = (value: number | null): string => (value === null ? '–' : rounded(value, 4));

export const briefly = (value: number): string => rounded(value, 2);

export const debateLines = debateMeasures.flatMap((measure) =>
  measure.lines.map(({ of, value }) => ({ measure, title: of === '' ? measure.name : `${measure.name}, ${of}`, value })),
);

export const valuesOf = ({ value }: Pick<DebateLine, 'value'>, exchanges: readonly ExchangeEntry[]): (number | null)[] =>
  exchanges.map((exchange, index) => value(exchange, exchanges[index - 1] ?? null));

/** Last value less the first, and that as a share of the first; null where there are no two, or nothing to share. */
export function totalChange(values: readonly (number | null)[]): { readonly by: number; readonly share: number | null } | null {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) return null;
  return { by: last - first, share: first === 0 ? null : (last - first) / Math.abs(first) };
}

/** All measures as CSV, a line for each, a column for each round and for the total change; numbers as the record has them. */
export function debateCsv(exchanges: readonly ExchangeEntry[]): string {
  const rows = debateLines.map((line) => {
    const values = valuesOf(line, exchanges);
    return [line.title, ...values, totalChange(values)?.by];
  });
  return [['measure', ...exchanges.map(({ round }) => `round ${round}`), 'total change'], ...rows]
    .map((row) => row.map(csvCell).join(','))
    .join('\r\n');
}
