// What leaving out facts does to verdicts, in words and a table.
import type { FactStatistics } from '../../shared/changeStatistics.ts';
import { largestChange, sizeText } from '../../shared/leftOut.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { percent, points } from '../figures/shares.ts';
import { type Piece, table } from './cells.ts';

const mostSets = 5;

/** The least change of facts that flips a verdict, with what was tried: `The smallest change found: without age. Tried 5 of 5 single facts.` */
export function leastText({ facts, smallest, sizes }: Pick<FactStatistics, 'facts' | 'smallest' | 'sizes'>): string {
  const size = smallest[0]?.length ?? null;
  const names = smallest.slice(0, mostSets).map((set) => `without ${set.join(' and ')}`);
  const more = smallest.length - names.length;
  if (sizes.every(({ tried }) => tried === 0)) return 'No set of facts has been decided yet.';
  const found =
    size === null
      ? 'Leaving out facts does not flip the verdict.'
      : `The smallest change of facts found that flips the verdict: ${names.join('; or ')}${more === 0 ? '' : `; and ${count(more)} more of that size`}.`;
  const asked = sizes.filter((each) => size === null || each.size <= size);
  const tried = asked.map((each) => `${count(each.tried)} of ${count(each.of)} ${sizeText(each.size)}`);
  const last = asked.at(-1)?.size ?? 0;
  const larger = last < largestChange ? sizeText(last + 1) : 'larger sets';
  const rest = size === null && last < facts ? `, no ${larger}` : '';
  return `${found} Tried: ${tried.join(', ')}${rest}.`;
}

/** What Shapley values sum to, and how they were found. */
export function shapleyText({ label, facts, shapley }: Pick<FactStatistics, 'label' | 'facts' | 'shapley'>): string | null {
  if (shapley === null) return null;
  const { method, permutations, all, none } = shapley;
  const how =
    method === 'exact'
      ? `exact, over all ${count(2 ** facts)} sets of facts`
      : `estimated from ${count(permutations ?? 0)} random orders, with the standard error of sampling`;
  return `Shapley values: how much each fact adds to P(${label ?? 'label'}) on average over all orders in which the facts can come; ${how}. They sum to ${points(all - none)} points: ${percent(all)} with all facts minus ${percent(none)} with none.`;
}

/** The facts, the one that moves the court most first. */
export const factsBySize = ({ shapley }: Pick<FactStatistics, 'shapley'>) =>
  (shapley?.values ?? []).toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));

/** The least change of facts, and what each fact adds; empty where no set of facts was left out. */
export function factPieces({ facts = [] }: Pick<StatsReport, 'facts'>): Piece[] {
  return facts.flatMap((each) => {
    const rows = factsBySize(each).map(({ fact, value, error }) => [
      fact,
      points(value),
      error === null ? '-' : (100 * error).toFixed(1),
    ]);
    const shapley = shapleyText(each);
    return [
      '',
      `The facts of ${each.arm}`,
      leastText(each),
      ...(shapley === null ? [] : [shapley, table(['fact', 'Shapley value', 'standard error'], rows)]),
    ];
  });
}
