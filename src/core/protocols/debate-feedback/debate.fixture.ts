import type { Effects } from '../../record/effects.ts';
import { caseOf } from '../testing/cases.ts';
import { holdTrial, payloads, registeredProtocol, type Says } from '../testing/heldTrial.ts';
import type { MemoryRecord } from '../testing/memoryTrial.ts';

export const protocol = registeredProtocol('debate-feedback');

interface Script {
  readonly labels?: readonly string[];
  readonly multiLabel?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly says?: Says;
}

export const hold = (
  { labels = ['NO', 'YES'], multiLabel = false, params = {}, says = () => null }: Script,
  change: Partial<Effects> = {},
) => holdTrial(protocol, { ...caseOf('text', labels.length), labels, multiLabel }, { params, says }, change);

/** What the judge answers with this P(YES). */
export const judge = (yes: number) => ({
  reason: 'so',
  prediction: yes >= 50 ? 'YES' : 'NO',
  confidence: yes >= 50 ? yes : 100 - yes,
});

/** The judge by its answers, first the one from the facts alone; the assistant by its ratings, a text for each round. */
export const script =
  (opinions: readonly number[], ratings: readonly string[] = []) =>
  (key: string): object | null => {
    if (key === 'initial/judge') return judge(opinions[0] ?? 50);
    const round = Number(/^round-(\d+)/.exec(key)?.[1] ?? 0);
    if (key.endsWith('/judge')) return judge(opinions[round] ?? 50);
    const debater = /rating\/debater-(\d+)$/.exec(key);
    if (debater === null) return null;
    return { reason: 'so', reliability: Number(ratings[round - 1]?.split(' ')[Number(debater[1]) - 1] ?? 50) };
  };

/** Label and P(YES) of O_0, O_1, … */
export const path = (record: MemoryRecord) =>
  payloads(record, 'belief-update').map(
    ({ prediction, belief }) => `${prediction} ${Number((belief?.YES ?? Number.NaN).toFixed(10))}`,
  );

/** Result, what was kept, mean, and whether it was a tie, of each round. */
export const settlements = (record: MemoryRecord) =>
  payloads(record, 'round-settle').map(
    ({ result, kept, mean, tie }) => `${result} ${kept} ${mean === null ? null : Number(mean.toFixed(10))}${tie ? ' tie' : ''}`,
  );
