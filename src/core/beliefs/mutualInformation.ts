import { maximalCoupling } from './maximalCoupling.ts';

/**
 * Mutual information of two distributions under their maximal coupling, in nats: sum j ln(j / (p q)) over the joint one.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE"; the coupling is this program's own, see `maximalCoupling`.
 * Range: 0 to the smaller of both entropies, which it reaches where they are equal. Symmetric. Throws RangeError on
 * different numbers of classes.
 *
 * Limits: it measures how much there is to agree on as much as how far two agree, and falls to 0 as two that agree grow
 * certain. It is told and steers nothing but the stop of a debate.
 */
export function mutualInformation(first: readonly number[], second: readonly number[]): number {
  const information = maximalCoupling(first, second).reduce(
    (sum, row, a) =>
      row.reduce((part, joint, b) => {
        const apart = (first[a] ?? 0) * (second[b] ?? 0);
        return joint > 0 && apart > 0 ? part + joint * Math.log(joint / apart) : part;
      }, sum),
    0,
  );
  return Math.max(0, information);
}
