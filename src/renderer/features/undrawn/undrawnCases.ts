// Reads the cases that no trial is about, which neither the trials nor the search of them have.
import { splitText } from '../../../core/cases/shares.ts';
import type { UndrawnCase } from '../../../shared/api/experiments.ts';
import { splitNames } from '../../../shared/domain.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { quantity } from '../../ui/quantity.ts';
import { truthText } from '../datasets/Facts.tsx';

/** More labels than these are not counted. */
const mostLabels = 5;

/** `15 training (NO 11, YES 4), 9 test (NO 5, YES 4)`; `15 training, 9 test` where there are many labels. Erased cases come last. */
export function countsText(cases: readonly Pick<UndrawnCase, 'listed'>[]): string {
  const listed = cases.flatMap(({ listed: each }) => each ?? []);
  const labels = [...new Set(listed.map(({ truth }) => truthText(truth)))].toSorted();
  const shares = splitNames.flatMap((split) => {
    const all = listed.filter((each) => each.split === split);
    const counts = labels.map((label) => `${label} ${all.filter(({ truth }) => truthText(truth) === label).length}`);
    const shown = labels.length > mostLabels ? '' : ` (${counts.join(', ')})`;
    return all.length === 0 ? [] : [`${all.length} ${splitText[split]}${shown}`];
  });
  const erased = cases.length - listed.length;
  return [...shares, ...(erased === 0 ? [] : [`${quantity(erased, 'case')} erased`])].join(', ');
}

/** @param sought words that a case has to have; empty: any. @param experiment null: cases that no experiment drew */
export const useUndrawnCases = (experiment: string | null, sought: string) =>
  useRead(['experiments', 'undrawn', experiment, sought], (api, given) => api.experiments.undrawn({ experiment, sought }, given));
