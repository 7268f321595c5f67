// Finds the best of several candidates on few cases: losers drop out early, and who is left is tried on more.

/** One stage: the cases that it adds, as places from `from` up to but not including `to`, and how many candidates outlast it. */
export interface Rung {
  readonly from: number;
  readonly to: number;
  readonly keep: number;
}

/**
 * Stages in which half of the candidates drop out, each with about the same number of trials: the cases that a stage adds double
 * from stage to stage. None for a single candidate.
 *
 * Source: K. Jamieson and A. Talwalkar, Non-stochastic Best Arm Identification and Hyperparameter Optimization, AISTATS 2016,
 * algorithm 1. RangeError for fewer cases than the stages need: one case each.
 */
export function rungsOf(candidates: number, cases: number): Rung[] {
  const stages = Math.ceil(Math.log2(Math.max(1, candidates)));
  const ends = Array.from({ length: stages + 1 }, (_, stage) => Math.round((cases * (2 ** stage - 1)) / (2 ** stages - 1)));
  const rungs: Rung[] = [];
  let left = candidates;
  for (let stage = 0; stage < stages; stage++) {
    const [from = 0, to = 0] = [ends[stage], ends[stage + 1]];
    if (to <= from) throw new RangeError(`${cases} cases are too few to choose among ${candidates} candidates`);
    left = Math.ceil(left / 2);
    rungs.push({ from, to, keep: left });
  }
  return rungs;
}

export interface Standing {
  readonly candidate: string;
  /** Stages that it took part in, from 1; 0 where there was nothing to choose. */
  readonly rungs: number;
  /** Shares right of the cases that it was tried on, 0-1 each, in order. */
  readonly right: readonly number[];
}

export const meanRight = ({ right }: Pick<Standing, 'right'>): number =>
  right.length === 0 ? 0 : right.reduce((sum, each) => sum + each, 0) / right.length;

/**
 * Runs the stages. Of equally good candidates the one that was named first stays.
 * @param tryOn shares right of each of the candidates on the cases that a stage adds, all of the same length
 * @returns every candidate, the winner first, then by how far each came and how good it was
 */
export async function successiveHalving(
  candidates: readonly string[],
  cases: number,
  tryOn: (candidates: readonly string[], rung: Rung, stage: number) => Promise<ReadonlyMap<string, readonly number[]>>,
): Promise<Standing[]> {
  let standings = candidates.map((candidate): Standing => ({ candidate, rungs: 0, right: [] }));
  let alive = candidates;
  for (const [stage, rung] of rungsOf(candidates.length, cases).entries()) {
    const found = await tryOn(alive, rung, stage + 1);
    standings = standings
      .map((entry) => {
        const right = found.get(entry.candidate);
        return right === undefined ? entry : { ...entry, rungs: stage + 1, right: [...entry.right, ...right] };
      })
      .toSorted((one, other) => other.rungs - one.rungs || meanRight(other) - meanRight(one));
    alive = standings.slice(0, rung.keep).map(({ candidate }) => candidate);
  }
  return standings;
}
