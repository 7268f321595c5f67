// What an erasure took, in words for screens and reports.
import type { ErasureNote } from '../../shared/erasure.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';

/** What went, to continue after a colon. */
export const erasedText = ({ scope, case: id }: Pick<ErasureNote, 'scope' | 'case'>): string =>
  ({
    'data-set': 'everything about the data set, with the reasons of its reviews',
    experiment: 'what was said in the experiment, with the reasons of its reviews',
    case: `everything about ${id === undefined ? 'a case' : `case ${id}`}, with the reasons of its reviews`,
  })[scope];

/** That baselines cover fewer cases than arms, which then have another denominator in the same table; null where they do not. */
export function baselineCasesText({ arms, baselines }: Pick<StatsReport, 'arms' | 'baselines'>): string | null {
  const casesOf = (some: readonly Pick<StatsReport['arms'][number], 'measures'>[]) =>
    some.flatMap(({ measures }) => measures.find(({ name, over }) => name === 'accuracy' && over === 'all')?.cases ?? []);
  const ofArms = Math.max(0, ...casesOf(arms));
  const ofBaselines = Math.min(...casesOf(baselines), Number.POSITIVE_INFINITY);
  return ofBaselines >= ofArms
    ? null
    : `Baselines cover ${count(ofBaselines)} of ${count(ofArms)} cases: they have nothing to predict from where the facts are gone, as after an erasure. Arms keep their verdicts there, so these accuracies are over different cases. Comparisons in pairs are over the cases that both have.`;
}
