/**
 * The belief behind an answer, from further answers to the same prompt:
 *
 *   P(label) = answers that name it / valid answers
 *
 * Source: self-consistency (Wang et al. 2023, arXiv 2203.11171), its votes as shares. Deviation: the answer
 * that gave the prediction is not counted, since it would raise its own label by construction. Failed
 * answers are no votes, neither for a label nor against one: they are left out here and counted separately.
 *
 * Limits: shares come in steps of 1/k, and a label that was never named has 0, which is no proof that it is
 * impossible: the standard error of a share p is sqrt(p(1-p)/k). At temperature 0 all answers are alike and
 * the share says nothing.
 *
 * @param answers the labels of the valid answers. Throws RangeError on one that is not among `labels`.
 */
export function sampledBelief(labels: readonly string[], answers: readonly string[]) {
  const counts = new Map(labels.map((label) => [label, 0]));
  for (const answer of answers) {
    const before = counts.get(answer);
    if (before === undefined) throw new RangeError(`the answer "${answer}" is not a label`);
    counts.set(answer, before + 1);
  }
  const shares = [...counts].map(([label, count]) => [label, count / answers.length] as const);
  return {
    /** Share of the valid answers that name each label; null where there is no valid answer. */
    belief: answers.length === 0 ? null : Object.fromEntries(shares),
    /** Valid answers by label. */
    counts: Object.fromEntries(counts),
  };
}

export type SampledBelief = Readonly<ReturnType<typeof sampledBelief>>;
