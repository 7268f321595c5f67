// Words for the agreement of verdicts and for what is derived from them, for screens too: no interval is drawn here.
import { rightWords } from '../../../shared/decidedBy.ts';
import type { DerivedStatistics } from '../../../shared/derivedStatistics.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { count, quantity } from '../../../shared/sizes.ts';
import type { RaterAgreement } from '../../../shared/statistics.ts';
import { percent, points } from '../../figures/shares.ts';
import { chanceText, rounding } from './shownComparisons.ts';

export const amongText: Readonly<Record<RaterAgreement['among'], string>> = {
  arms: 'arms, on the same case',
  imported: 'imported arms, on the same case',
  pair: 'two arms, on the same case',
  replicates: 'replicates of an arm',
  judges: 'judges or voters within a trial',
};

export const derivedText: Readonly<Record<DerivedStatistics['method'], string>> = {
  majority: 'majority of the arms',
  'dawid-skene': 'Dawid-Skene estimate',
};

/** Over which cases, and by how many of the arms; of four arms, all that have a case follow from the cases of each. */
function overText({ arms, n, cases, measures, against = [] }: DerivedStatistics): string {
  const isPlain = arms.length === 4 && n === cases && measures[0]?.n === n && against.length === arms.length;
  const all = against.reduce((sum, { paired_cases: own }) => sum + own, 0) - 3 * cases;
  return `Over what three or more of the arms have finished${isPlain ? ` (${quantity(cases - all, 'case')} by three, ${count(all)} by all four)` : ''}`;
}

/** @param shown all with the same arms and cases as the first */
export function derivedNote(first: DerivedStatistics, shown: readonly Pick<DerivedStatistics, 'method'>[]): string {
  const truth = shown.some(({ method }) => method === 'dawid-skene')
    ? 'neither sees the truth: the Dawid-Skene estimate is the likeliest label by how often each arm seems to err'
    : 'it does not see the truth';
  return `computed, without a call; no trial of these ran, and they are in no corrected test and not in the finding. ${overText(first)}; ${truth}.`;
}

export function undecidedText({ undecided: { ties, without_verdict: none }, fit }: DerivedStatistics): string {
  const found = [
    ...(ties === 0 ? [] : [`${ties} tied`]),
    ...(none === 0 ? [] : [`${none} without any verdict`]),
    ...(fit === null || fit.converged ? [] : [`estimate not settled after ${fit.rounds} rounds`]),
  ];
  return found.length === 0 ? 'none' : found.join(', ');
}

export const pairsLead =
  'How often two arms gave the same verdict on the same case, of the pairs that have the most cases in common; two that both give the commonest verdict often also agree by chance, which alpha takes away:';

export type AgreedPair = RaterAgreement & { readonly agreed: NonNullable<RaterAgreement['agreed']> };

/** What is said of more than two, and of pairs of arms. */
export function byPairs(agreement: readonly RaterAgreement[]): { readonly sets: RaterAgreement[]; readonly pairs: AgreedPair[] } {
  return {
    sets: agreement.filter(({ agreed }) => agreed === undefined),
    pairs: agreement.flatMap((each) => (each.agreed === undefined ? [] : [{ ...each, agreed: each.agreed }])),
  };
}

/** `19 of 37` */
export const agreedText = ({ agreed: { count: same, share } }: AgreedPair): string => `${count(same)} of ${count(share.n)}`;

/**
 * How often two arms are right where they agree, as if an answer were given only then. Where both are right they agree, so this is known
 * from how often one of them is right, and right alone. Null where a case was tried several times, has several labels or no known truth.
 */
export function rightTogether({ arms: pair, agreed: { count: same } }: AgreedPair, { arms, comparisons }: Reported) {
  const isPlain = pair.every((name) => {
    const found = arms.find(({ arm }) => arm === name);
    const accuracy = found?.measures.find((each) => each.name === 'accuracy' && each.over === 'all');
    return found?.without_truth === 0 && found.confusion.length > 0 && accuracy?.n === accuracy?.cases;
  });
  const compared = comparisons.find(({ a, b }) => pair.includes(a) && pair.includes(b));
  const ofFirst = compared?.differences.find(({ name }) => name === 'accuracy')?.a;
  if (!isPlain || compared === undefined || ofFirst == null) return null;
  const right = Math.round(ofFirst * compared.paired_cases) - compared.mcnemar.a_only;
  return same === 0 ? null : { n: same, accuracy: right / same };
}

type Reported = Pick<StatsReport, 'arms' | 'comparisons'>;

/** Heads the column of `rightTogether`. */
export const togetherTitle = (report: Pick<StatsReport, 'decided_by'>): string =>
  `${rightWords(report).accuracy} where they agree`;

/** How much more often it is right than each of its arms, on the same cases; null where nothing was compared. */
export function againstText(
  { method, against = [] }: DerivedStatistics,
  { decided_by: by, part }: Pick<StatsReport, 'decided_by' | 'part'>,
): string | null {
  const each = against.flatMap(
    ({ arm, paired_cases: cases, derived, of_arm: own, difference: { value, low, high, level }, mcnemar }) => {
      if (value === null || derived === null || own === null) return [];
      const figures = `${arm} ${points(value)} points (${percent(derived)} against ${percent(own)}`;
      const test = `n = ${count(cases)}, p ${chanceText(mcnemar.p)})`;
      // The interval can still come, and it can decide the other way.
      if (low === null || high === null) return [`${figures}, ${test}`];
      const isApart = (low > 0 || high < 0) && mcnemar.p !== null && mcnemar.p <= 1 - level + rounding;
      const verdict = isApart || part !== undefined ? '' : ': not shown to differ';
      return [`${figures}, ${percent(level)} interval ${points(low)} to ${points(high)}, ${test}${verdict}`];
    },
  );
  if (each.length === 0) return null;
  return `How much more often the ${derivedText[method]} ${rightWords({ decided_by: by }).is} than each arm, on the cases that both have: ${each.join('; ')}. ${part === undefined ? 'These p are not corrected for how many there are, so what they show is a hint and no claim.' : 'Over a part of the trials they show nothing.'}`;
}
