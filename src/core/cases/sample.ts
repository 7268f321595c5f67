// Which cases are on trial.
import type { DatasetCase, SplitName } from '../../shared/domain.ts';
import type { DatasetDefinition } from '../../shared/experiment.ts';
import { caseKey } from '../assistant/caseKey.ts';
import { narrate } from './narrative.ts';
import { splitText, strataText } from './shares.ts';
import { byCodeUnits, sampleIds } from './split.ts';

type SampledCase = Pick<DatasetCase, 'id' | 'facts' | 'question' | 'truth' | 'groups'>;

function stratumOf({ truth, groups }: SampledCase, { sample: { by = '' }, label }: DatasetDefinition): string {
  return by === label?.column ? JSON.stringify(truth) : (groups[by] ?? '');
}

/** The content of a case: the same for two that differ in white space, capitals or the last digits of a number alone. */
export const tellingOf = (
  { facts, question }: Pick<SampledCase, 'facts' | 'question'>,
  kind: DatasetDefinition['kind'],
): string => JSON.stringify([caseKey(2, narrate(facts, kind)), question]);

/** Of cases with the same content only the first. */
function distinct(cases: readonly SampledCase[], kind: DatasetDefinition['kind']): SampledCase[] {
  const seen = new Set<string>();
  return cases.filter((kase) => {
    const key = tellingOf(kase, kind);
    return !seen.has(key) && seen.add(key).size > 0;
  });
}

/** Strata in turn, always the one of which the least share was taken: every beginning has their proportions, up to rounding. */
function inProportion(strata: readonly (readonly SampledCase[])[]): SampledCase[] {
  const places = strata.flatMap((members, stratum) =>
    members.map((kase, index) => ({ kase, stratum, share: (index + 0.5) / members.length })),
  );
  return places.toSorted((a, b) => a.share - b.share || a.stratum - b.stratum).map(({ kase }) => kase);
}

/**
 * Ids of the cases on trial, in order: of the cases in question shuffled by the seed; with `distinct` without those with the
 * same content as an earlier one; with `by` stratum after stratum in proportion, with `each` at most so many of each stratum;
 * the first `n` of these. A larger `n` extends a smaller one. The order of `cases` does not matter. With `ids` these alone,
 * in their order.
 * @param cases those of the splits that the sample is drawn from
 */
export function sampleOf(cases: readonly SampledCase[], definition: DatasetDefinition, seed: number): string[] {
  const { sample, kind } = definition;
  const byId = new Map(cases.map((kase) => [kase.id, kase]));
  if (sample.ids !== undefined) return sample.ids.filter((id) => byId.has(id));
  const order = sampleIds([...byId.keys()], undefined, seed).flatMap((id) => byId.get(id) ?? []);
  const kept = sample.distinct ? distinct(order, kind) : order;
  if (sample.by === undefined) return kept.slice(0, sample.n).map(({ id }) => id);
  const strata = [...Map.groupBy(kept, (kase) => stratumOf(kase, definition))].toSorted(([a], [b]) => byCodeUnits(a, b));
  const taken = inProportion(strata.map(([, members]) => members.slice(0, sample.each)));
  return taken.slice(0, sample.n).map(({ id }) => id);
}

const placeInOrder: Readonly<Record<SplitName, string>> = { train: 'earliest', validation: 'middle', test: 'latest' };

/** How the cases of an experiment were chosen among those of its data. @param isWhole whether it has all that it could draw */
export function howDrawn({ sample, split }: Pick<DatasetDefinition, 'sample' | 'split'>, seed: number, isWhole: boolean): string {
  const { from, ids } = sample;
  if (ids !== undefined) return 'by their ids, which the experiment names';
  const byLot = (among: string) => `by lot${among}${strataText(sample)}, with the experiment’s seed ${seed}`;
  if (from === 'all' || split[from] === 1) return byLot('');
  const cases = `${splitText[from]} cases`;
  const place = split.by === undefined ? '' : `, the ${placeInOrder[from]} by ${split.by}`;
  if (isWhole) return `all ${cases}${place === '' ? `, dealt by the experiment’s seed ${seed}` : place}`;
  return byLot(` among the ${cases}${place}`);
}
