/** What the number of a mark counts: trials, or something that several of are in a trial, or that several trials make. */
export const countedUnits = ['trials', 'cases', 'speeches', 'pairs', 'pairs of replicates', 'sheets'] as const;

/** The n of a mark. */
export interface Counted {
  readonly n: number;
  readonly of: (typeof countedUnits)[number];
}
