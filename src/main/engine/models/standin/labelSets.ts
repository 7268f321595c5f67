/** Names of lists of the labels that apply, and of the objects that say of each label by itself how likely that is. */
export const setKey = /^(?:applies|labels)$/i;
export const likelihoodsKey = /^likelihoods$/i;

/** How far above an equal share a label's part of a belief must lie for the label to apply. */
const above = 1.1;
/** Nothing is certain. */
const most = 0.98;

/**
 * Probabilities that labels apply, each by itself, from a belief over all of them: one half where a label has `above`
 * times an equal share. In whole percent, rounded down, so that the numbers name the same labels as the list does.
 */
export const applying = (belief: readonly number[]): number[] =>
  belief.map((share) => Math.floor(100 * Math.min(most, (share * belief.length) / (2 * above))) / 100);
