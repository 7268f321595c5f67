import type { Belief } from '../../../shared/domain.ts';
import { appliesFrom } from '../../beliefs/independentBelief.ts';
import { quoted } from '../casePrompt.ts';
import type { Court, StatedBelief } from '../court.ts';
import { nextLikely } from '../nextLikely.ts';
import type { Debate, Position } from './debate.ts';

/** The set with its most doubtful label turned over: the label whose probability is nearest to one half. */
function turnedOver(labels: readonly string[], set: readonly string[], belief: Belief | null): string[] {
  const doubt = (label: string) => Math.abs((belief?.[label] ?? 0) - appliesFrom);
  const [doubtful] = belief === null ? labels : labels.toSorted((a, b) => doubt(a) - doubt(b));
  return labels.filter((label) => (label === doubtful ? !set.includes(label) : set.includes(label)));
}

/**
 * The opposing positions of the first two debaters: what the judge first answered, and of the rest what is next likely.
 * Where the sides of two are exchanged each gets the other's. Further debaters are free.
 * @returns a position for each debater
 */
export function assignPositions({ court, labels, terms }: Debate, initial: StatedBelief): readonly Position[] {
  const { prediction } = initial;
  // What the judge stated, with any source of beliefs: the dispute is a part of its answer.
  const belief = initial.grounds === undefined ? initial.belief : initial.grounds.verbal;
  const other = Array.isArray(prediction) ? turnedOver(labels, prediction, belief) : nextLikely(labels, prediction ?? '', belief);
  const from = Array.isArray(prediction) ? 'doubtful-label' : labels.length === 2 ? 'two-labels' : 'distribution';
  const [first, second] = terms.debaters === 2 && court.swapped('sides') ? [other, prediction] : [prediction, other];
  court.record('position-assign', 'positions', { from, positions: { debater1: first, debater2: second } });
  return Array.from({ length: terms.debaters }, (_, index) => [first, second][index] ?? null);
}

export function stance(court: Court, position: string | readonly string[]): string {
  if (typeof position === 'string') return court.text('stanceOfOne', { label: quoted(position) });
  if (position.length === 0) return court.text('stanceOfNone');
  return court.text('stanceOfSeveral', { labels: position.map(quoted).join(', ') });
}
