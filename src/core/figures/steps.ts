import type { DeliberationStep } from '../../shared/api/deliberation.ts';
import { sideOf } from './speakers.ts';

/** A moment of a protocol, and its place among the others. */
export interface PlacedStep extends DeliberationStep {
  /** Number of its turn or round, from 1; less before the first, infinite for the verdict. */
  readonly turn: number;
}

export const verdictStep: PlacedStep = { name: 'verdict', side: null, turn: Number.POSITIVE_INFINITY };

const letters = { prosecution: 'P', defense: 'D' } as const;

/** Where in a trial a belief was stated, by its key; null for one of a hearing or of a judge. @param prior before anyone spoke */
export function stepOf(key: string, prior: boolean): PlacedStep | null {
  if (prior) return { name: 'start', side: null, turn: -1 };
  const [, turn, speaker] = /^turn-(\d+)\/(?:after-)?([a-zA-Z]+)/.exec(key) ?? [];
  if (turn !== undefined && speaker !== undefined) {
    const side = sideOf(speaker);
    return side === 'neutral' ? null : { name: `${letters[side]}${turn}`, side, turn: Number(turn) };
  }
  const [, round] = /^round-(\d+)\//.exec(key) ?? [];
  if (round !== undefined) return { name: `round ${round}`, side: null, turn: Number(round) };
  if (key.startsWith('opening/')) return { name: 'opening', side: null, turn: 0 };
  return key === 'first-answer' ? { name: 'first answer', side: null, turn: 0 } : null;
}

/**
 * Steps in the order of their protocol: by turn, and within a turn by which of two came first more often, so that an arm
 * in which the defense begins has its own order.
 * @param ways the steps of each trial as they came
 */
export function inOrder(ways: Iterable<readonly PlacedStep[]>): PlacedStep[] {
  const known = new Map<string, { step: PlacedStep; first: number }>();
  for (const steps of ways) {
    steps.forEach((step, place) => {
      const found = known.get(step.name) ?? { step, first: 0 };
      const isFirst = steps.some((other, later) => later > place && other.turn === step.turn && other.name !== step.name);
      known.set(step.name, { step, first: found.first + (isFirst ? 1 : 0) });
    });
  }
  const byName = (one: PlacedStep, other: PlacedStep) => (one.name > other.name ? -1 : 1);
  return [...known.values()]
    .toSorted((one, other) =>
      one.step.turn === other.step.turn
        ? other.first - one.first || byName(one.step, other.step)
        : one.step.turn - other.step.turn,
    )
    .map(({ step }) => step);
}
