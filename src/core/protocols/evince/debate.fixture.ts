import { criticism } from '../../crit/criticism.fixture.ts';
import type { Effects } from '../../record/effects.ts';
import { rankingPlaces } from '../labelBelief.ts';
import { caseOf } from '../testing/cases.ts';
import { holdTrial, payloads, registeredProtocol, type Says } from '../testing/heldTrial.ts';
import type { MemoryRecord } from '../testing/memoryTrial.ts';

export const registered = registeredProtocol('evince');

export type Shares = Readonly<Record<string, number>>;

/** A statement with these percentages; the first is the prediction. */
export function statement(labels: readonly string[], shares: Shares, text = 'so it is, by the facts'): object {
  const [prediction = ''] = Object.keys(shares);
  if (labels.length === 2) return { arguments: text, prediction, confidence: shares[prediction] };
  if (Object.keys(shares).length < labels.length) {
    const ranked = Object.entries(shares).map(([label, percent]) => ({ label, percent }));
    const ranking = Object.fromEntries(rankingPlaces(ranked.length).map((place, index) => [place, ranked[index]]));
    return { arguments: text, prediction, ranking };
  }
  return { arguments: text, prediction, distribution: Object.fromEntries(labels.map((label) => [label, shares[label]])) };
}

export interface Script {
  readonly labels: readonly string[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly says: Says;
}

export const hold = ({ labels, params = {}, says }: Script, change: Partial<Effects> = {}) =>
  holdTrial(registered, { ...caseOf('text', labels.length), labels }, { params, says }, change);

export const exchanges = (record: MemoryRecord) => payloads(record, 'exchange-measure');

/** Round and speaker of a call: `round-2/critic-a` is the critic, of A. */
export function placeOf(key: string): { round: number; speaker: string } | null {
  const match = /^round-(\d+)\/(.+)$/.exec(key);
  return match === null ? null : { round: Number(match[1]), speaker: match[2] ?? '' };
}

/** Agents that say the same in every round, with CRIT of 8. */
export const steady =
  (labels: readonly string[], a: Shares, b: Shares = a, score: (round: number, of: string) => number = () => 8) =>
  (key: string): object | null => {
    const place = placeOf(key);
    if (place === null) return null;
    if (place.speaker.startsWith('critic')) return criticism(score(place.round, place.speaker.slice(-1)));
    return statement(labels, place.speaker === 'agentA' ? a : b, `${place.speaker} in round ${place.round}, so it is`);
  };
