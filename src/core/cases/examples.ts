import type { Truth } from '../../shared/domain.ts';
import { badInput } from '../../shared/errors.ts';
import { randomSource, shuffled } from './shuffle.ts';
import { byCodeUnits } from './split.ts';

/** A truth as an example shows it: a label, or the list of labels as JSON text; undefined where it is not known. */
export function exampleLabel(truth: Truth): string | undefined {
  return Array.isArray(truth) ? JSON.stringify(truth) : (truth ?? undefined);
}

/** The labelled training cases shown to a model, and the spare ones that can replace a case on trial. */
export type DrawnExamples = Readonly<ReturnType<typeof drawExamples>>;

/**
 * Draws `shots` examples at the base rate of the training split (largest remainders; ties go to the more frequent
 * label, then by the label's spelling). The order of `training` does not matter.
 * Throws bad input where the training split has fewer cases than `shots`.
 */
export function drawExamples(training: readonly { readonly id: string; readonly label: string }[], shots: number, seed: number) {
  if (shots > training.length) {
    throw badInput(
      `${shots} examples asked for, but the training split has ${training.length} labelled cases; ` +
        'ask for fewer shots or give the training split a larger share',
    );
  }
  const random = randomSource(seed, 'examples');
  const idsOf = Map.groupBy(training, ({ label }) => label);
  const quotas = allot(new Map([...idsOf].map(([label, cases]) => [label, cases.length])), shots);
  const chosen: string[] = [];
  const reserves: string[] = [];
  for (const [label, quota] of quotas) {
    const ids = (idsOf.get(label) ?? []).map(({ id }) => id).toSorted(byCodeUnits);
    const order = shuffled(ids, random);
    chosen.push(...order.slice(0, quota));
    reserves.push(...order.slice(quota, quota + 1));
  }
  return {
    /** Case ids in the order in which they are shown. */
    chosen: shuffled(chosen, random),
    /** Case ids, none of them chosen: one per label that has a training case left. */
    reserves,
  };
}

/** Label -> number of examples, in code unit order of the labels; the sum is `shots`. */
function allot(counts: ReadonlyMap<string, number>, shots: number): Map<string, number> {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  // Integer arithmetic: remainders are compared exactly.
  const shares = [...counts].map(([label, count]) => ({
    label,
    count,
    whole: total === 0 ? 0 : Math.floor((shots * count) / total),
    remainder: total === 0 ? 0 : (shots * count) % total,
  }));
  const spare = shots - shares.reduce((sum, { whole }) => sum + whole, 0);
  const favoured = new Set(
    shares
      .toSorted((a, b) => b.remainder - a.remainder || b.count - a.count || byCodeUnits(a.label, b.label))
      .slice(0, spare)
      .map(({ label }) => label),
  );
  return new Map(
    shares
      .toSorted((a, b) => byCodeUnits(a.label, b.label))
      .map(({ label, whole }) => [label, whole + (favoured.has(label) ? 1 : 0)]),
  );
}

/**
 * The examples for one case on trial: as many ids as were chosen, never the case itself. Where the case is among the
 * chosen ones a reserve takes its place, one with the same label if there is one.
 * Throws bad input where the case is among the chosen ones and there is no reserve.
 */
export function examplesFor(drawn: DrawnExamples, labelOf: (id: string) => string | undefined, caseId: string): string[] {
  if (!drawn.chosen.includes(caseId)) return [...drawn.chosen];
  const label = labelOf(caseId);
  const reserve = drawn.reserves.find((id) => labelOf(id) === label) ?? drawn.reserves[0];
  if (reserve === undefined) {
    throw badInput(
      `case ${JSON.stringify(caseId)} is itself one of the ${drawn.chosen.length} examples and the training split has ` +
        'no other case to take its place; ask for fewer shots',
    );
  }
  return drawn.chosen.map((id) => (id === caseId ? reserve : id));
}
