// How far beliefs are from the shares of outcomes, without bins.
import { type BelievedCase, eachAgainstRest } from './distribution.ts';
import { type TieGroups, tieGroups } from './tieGroups.ts';
import { requireWeights, type Weights } from './weights.ts';

/**
 * Miscalibration: the Brier score of the beliefs less the Brier score that the best monotone recalibration of them would have,
 * 1/n (sum (p_i - y_i)² - sum over blocks n_b v_b), where y_i is 1 if the label is true, else 0. The blocks are those of the isotonic
 * regression of y on p: of all functions that never fall as p rises, the one nearest to y, which is o_b, the share of outcomes, in
 * block b. v_b = o_b (1 - o_b) n_b / (n_b - 1) is the variance of the outcomes in it; 0 for a block of one. 0 is best.
 *
 * Source: T. Dimitriadis, T. Gneiting and A. I. Jordan, Stable reliability diagrams for probabilistic classifiers, PNAS 118
 * (2021) e2016191118 (the part MCB of the CORP decomposition), whose v_b is o_b (1 - o_b). With n_b / (n_b - 1) chance adds less, the
 * more so the more blocks there are: J. Bröcker, Estimating Reliability and Resolution of Probability Forecasts, Climate Dynamics 39
 * (2012), 655-667. It can then be a little below 0. Blocks by pooling adjacent violators: M. Ayer and others, Annals of
 * Mathematical Statistics 26 (1955), 641-647.
 *
 * A case that is drawn twice brings nothing new: with weights n_b / (n_b - 1) has in place of n_b (sum w)² / sum w², the effective
 * number of L. Kish (Survey Sampling, 1965). Without it chance would add twice as much in a resample as in the data.
 *
 * Equal beliefs (`tieGroups`, all taken as the lowest of them) are in one block. `beliefs` finite; `outcomes` as many. Prepared for
 * many weights of the same cases: sorts once, then takes time in proportion to the cases. Null where no case has weight.
 * Example: beliefs 0.2, 0.6, 0.9 with outcomes 0, 1, 0: blocks {0.2} and {0.6, 0.9} with v ½: (1.01 - 2 · ½) / 3 = 0.01 / 3.
 */
export function prepareMiscalibration(
  beliefs: ArrayLike<number>,
  outcomes: ArrayLike<boolean>,
): (weights: Weights) => number | null {
  if (beliefs.length !== outcomes.length)
    throw new RangeError(`there are ${beliefs.length} beliefs for ${outcomes.length} outcomes`);
  const groups = tieGroups(beliefs);
  const { order, ends } = groups;
  return miscalibrationOf(
    groups,
    Uint8Array.from(order, (index) => (outcomes[index] ? 1 : 0)),
    Float64Array.from(ends, (_, group) => beliefs[order[group === 0 ? 0 : (ends[group - 1] ?? 0)] ?? 0] ?? 0),
  );
}

/** By itself, to free what it is made from. @param isTrue in the order of the groups @param levels belief of each group */
function miscalibrationOf(
  { order, ends }: TieGroups,
  isTrue: Uint8Array,
  levels: Float64Array,
): (weights: Weights) => number | null {
  // Of each block its weight, the sum of the squares of its weights and its outcomes; the last block on top.
  const column = () => new Float64Array(ends.length);
  const [blockWeight, blockSquares, blockTrue] = [column(), column(), column()];
  return (weights) => {
    requireWeights(weights, order.length);
    let total = 0;
    let loss = 0;
    let blocks = 0;
    for (let group = 0, place = 0; group < ends.length; group++) {
      let weight = 0;
      let squares = 0;
      let outcome = 0;
      for (const end = ends[group] as number; place < end; place++) {
        const count = weights[order[place] as number] as number;
        weight += count;
        squares += count * count;
        outcome += count * (isTrue[place] as number);
      }
      if (weight === 0) continue;
      const level = levels[group] as number;
      total += weight;
      loss += level * level * weight + (1 - 2 * level) * outcome;
      // Joins the blocks before while their share of outcomes is not lower.
      while (blocks > 0 && (blockTrue[blocks - 1] as number) * weight >= outcome * (blockWeight[blocks - 1] as number)) {
        blocks -= 1;
        weight += blockWeight[blocks] as number;
        squares += blockSquares[blocks] as number;
        outcome += blockTrue[blocks] as number;
      }
      blockWeight[blocks] = weight;
      blockSquares[blocks] = squares;
      blockTrue[blocks] = outcome;
      blocks += 1;
    }
    if (total === 0) return null;
    for (let block = 0; block < blocks; block++) {
      const weight = blockWeight[block] as number;
      const outcome = blockTrue[block] as number;
      // n / (n - 1) of the effective number; a block of one case, however often drawn, has no variance.
      const square = weight * weight;
      const spare = square - (blockSquares[block] as number);
      if (spare > 0) loss -= ((outcome * (weight - outcome)) / weight) * (square / spare);
    }
    return loss / total;
  };
}

/**
 * The same for more than two labels: half of the sum of the miscalibration of each label by its own probability, as the Brier score
 * is half of a sum over the labels. With two labels this is the miscalibration of either. Throws RangeError as `eachAgainstRest`.
 */
export function prepareLabelMiscalibration(
  cases: readonly BelievedCase[],
  labels: readonly string[],
): (weights: Weights) => number | null {
  const parts = eachAgainstRest(cases, labels, prepareMiscalibration);
  return (weights) => {
    let sum = 0;
    for (const part of parts) {
      const value = part(weights);
      if (value === null) return null;
      sum += value;
    }
    return sum / 2;
  };
}
