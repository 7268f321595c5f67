// How differently an arm answers two groups, in words that need no statistics.
import { labelNoun } from '../../shared/decidedBy.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { pointsOf } from '../figures/shares.ts';
import {
  areToCome,
  canBeChance,
  type Difference,
  endsText,
  familyOf,
  isDrawn,
  type Judgement,
  judged,
  judgedIn,
  largestText,
  rangeText,
  ratesIn,
  size,
} from './fairnessFinding.ts';

/** Differences of one rate that have a sentence. */
const mostInWords = 3;

/** How many groups no difference of a rate has, since they have too few cases: ` Of 7 groups, 2 have too few cases for this.`; empty where all are in one. */
function untestedText(some: readonly Judgement[]): string {
  const named = ({ column }: Difference, values: readonly string[]) => values.map((value) => JSON.stringify([column, value]));
  const whole = some.map(({ difference }) => difference.largest ?? difference);
  const all = new Set(
    whole.flatMap((each) =>
      named(
        each,
        each.groups.map(({ value }) => value),
      ),
    ),
  );
  const tested = new Set(
    whole.filter(isDrawn).flatMap((each) =>
      named(
        each,
        ratesIn(each).map(({ value }) => value),
      ),
    ),
  );
  const untested = all.difference(tested).size;
  return untested === 0
    ? ''
    : ` Of ${quantity(all.size, 'group')}, ${count(untested)} ${untested === 1 ? 'has' : 'have'} too few cases for this.`;
}

/** Of each rate the differences between groups in plain words: those beyond chance, else the largest of errors. */
export function largestDifferenceTexts(
  report: Pick<StatsReport, 'arms' | 'positive' | 'column_titles' | 'decided_by'>,
): string[] {
  if (areToCome(report.arms)) return [];
  const everything = judgedIn(report);
  const { family } = familyOf(everything);
  const corrected = family > 1 ? `, corrected for ${count(family)} comparisons of groups` : '';
  const all = everything.filter(({ difference }) => !difference.isPair);
  return judged.flatMap((of) => {
    const some = all.filter(({ difference }) => difference.of === of);
    if (some.length === 0) return [];
    const isPositive = of.over === 'truly-positive';
    const isOfAll = of.over === 'decided';
    const whom = `Where the ${labelNoun(report)} is ${isPositive ? '' : 'not '}${report.positive}`;
    const drawn = some.filter(({ difference }) => isDrawn(difference));
    const shown = drawn.filter(({ isShown }) => isShown);
    if (isOfAll && shown.length === 0) return [];
    const largest = shown[0] ?? drawn[0];
    if (largest === undefined) return [`${whom}: too few to say whether groups were answered ${report.positive} equally often.`];
    const comma = isOfAll ? '' : ',';
    const inWords = ({ difference }: Judgement, place: number) => {
      const otherwise = place === 0 ? ', that is, answered otherwise' : '';
      const answered = isPositive ? `missed it${otherwise}` : `answered ${report.positive}`;
      const seen = `${difference.arm} ${answered}${comma} in ${endsText(difference, '', isPositive)}`;
      return `${seen}: ${pointsOf(size(difference))} apart, probably ${rangeText(difference.measure)}${largestText(difference)}`;
    };
    const named = shown.slice(0, mostInWords);
    const rest = shown.length - named.length;
    const more = rest === 0 ? '' : `; ${count(rest)} more: see “Finding”`;
    const others = drawn.length > shown.length ? '. The other differences can be chance' : '';
    const larger = largest === drawn[0] ? others : '. Larger differences were seen, but they can be chance';
    const said =
      shown.length === 0
        ? `${inWords(largest, 0)}${drawn.length > 1 ? ', the largest of these differences' : ''}; ${canBeChance(largest.difference, family)}`
        : `${named.map(inWords).join('; ')}${more}; chance does not explain ${shown.length === 1 ? 'it' : 'these'}${corrected}${larger}`;
    return [`${isOfAll ? '' : `${whom}, `}${said}.${untestedText(some)}`];
  });
}
