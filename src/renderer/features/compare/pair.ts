import { furtherSeed } from '../../../core/record/identity.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { isImported } from '../../../shared/imported.ts';
import { baselineMark, type Primary } from '../../../shared/primary.ts';
import { unchangedAmong } from '../../../shared/trialLine.ts';

/** What is compared: an arm, and another arm or a baseline. Empty names are not chosen yet. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly baseline: boolean;
}

/** The pair among the values of an address; null where it says none. */
export function pairIn(values: URLSearchParams): Pair | null {
  if (!values.has('a') && !values.has('b')) return null;
  return { a: values.get('a') ?? '', b: values.get('b') ?? '', baseline: values.get('baseline') === 'yes' };
}

export function writePair(values: URLSearchParams, { a, b, baseline }: Pair): void {
  if (a !== '') values.set('a', a);
  if (b !== '') values.set('b', b);
  if (baseline) values.set('baseline', 'yes');
}

type Declaring = Pick<ExperimentView['arms'][number], 'name' | 'base_arm' | 'change'>;

/** The arm from which a changed one differs in its change alone; undefined of an independent one. */
export function baseOf(arms: readonly Declaring[], name: string): string | undefined {
  const known = arms.map(({ name: arm, base_arm, change }) => ({
    ...{ arm, base_arm },
    change: change === null ? undefined : { kind: change.kind, seeds: furtherSeed(change) },
  }));
  const asked = known.find(({ arm }) => arm === name);
  return asked && unchangedAmong(known, asked)?.arm;
}

/** Whether no arm of a pair was tried here: a file has its answers, and none can be added by other seeds. */
export const isOfImported = (
  arms: readonly Pick<ExperimentView['arms'][number], 'name' | 'protocol'>[],
  { a, b, baseline }: Pair,
) => arms.filter(({ name }) => name === a || (!baseline && name === b)).every(isImported);

/** The pair with a changed arm first, before the unchanged arm that it rests on: what differs is then what the change did. */
export function changedFirst(pair: Pair | null, arms: readonly Declaring[]): Pair | null {
  return pair === null || pair.baseline || baseOf(arms, pair.b) !== pair.a ? pair : { ...pair, a: pair.b, b: pair.a };
}

function decidedPair([a, b]: readonly [string, string] = ['', '']): Pair {
  const baseline = b.startsWith(baselineMark);
  return { a, b: baseline ? b.slice(baselineMark.length) : b, baseline };
}

/** The pair that is shown where none, or only a part of one, is chosen: the one decided beforehand, or the first arms that there are. */
export function wholePair(
  asked: Pair | null,
  arms: readonly string[],
  baselines: readonly string[],
  decided?: Primary['compare'],
): Pair | null {
  const pair = asked ?? decidedPair(decided);
  const a = arms.includes(pair.a) ? pair.a : arms.find((arm) => arm !== pair.b || pair.baseline);
  if (a === undefined) return null;
  if (pair.baseline && baselines.includes(pair.b)) return { a, b: pair.b, baseline: true };
  if (!pair.baseline && arms.includes(pair.b) && pair.b !== a) return { a, b: pair.b, baseline: false };
  const other = arms.find((arm) => arm !== a);
  if (other !== undefined) return { a, b: other, baseline: false };
  const [baseline] = baselines;
  return baseline === undefined ? null : { a, b: baseline, baseline: true };
}
