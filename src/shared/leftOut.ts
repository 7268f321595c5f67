// How many trials it takes to leave out sets of facts: said before they are made, and counted afterwards.

/** Most sets of facts that one request leaves out; each is a trial. */
export const mostLeftOut = 300;

/** Facts that a change leaves out at most. Larger sets are tried for Shapley values alone: without so much it is another case. */
export const largestChange = 3;

/** Sets of a number of facts among so many. */
export function setsOfSize(facts: number, size: number): number {
  let sets = 1;
  for (let taken = 0; taken < size; taken++) sets = (sets * (facts - taken)) / (taken + 1);
  return Math.round(Math.max(0, sets));
}

export const setsUpTo = (facts: number, size: number): number =>
  Array.from({ length: Math.min(size, facts) }, (_, place) => setsOfSize(facts, place + 1)).reduce((sum, sets) => sum + sets, 0);

/** What sets of a size are called: `single facts`, `pairs`, `sets of 3`. */
export const sizeText = (size: number): string => (size === 1 ? 'single facts' : size === 2 ? 'pairs' : `sets of ${size}`);
