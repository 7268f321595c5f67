import { toExperiment } from '../../app/routes.ts';

/** What is compared: an arm, and another arm or a baseline. Empty names are not chosen yet. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  /** Whether `b` is a baseline. */
  readonly baseline: boolean;
}

/** The pair in the last part of an address, as it stands there; what is not said is empty. */
export function parsePair(state: string | undefined): Pair {
  const values = new URLSearchParams(state ?? '');
  return { a: values.get('a') ?? '', b: values.get('b') ?? '', baseline: values.get('baseline') === 'yes' };
}

/** The address of a comparison, so that it can be shared and gone back to. */
export function toCompare(experiment: string, { a, b, baseline }: Pair): string {
  const values = new URLSearchParams({
    ...(a === '' ? {} : { a }),
    ...(b === '' ? {} : { b }),
    ...(baseline ? { baseline: 'yes' } : {}),
  });
  const state = values.toString();
  return `${toExperiment(experiment)}/compare${state === '' ? '' : `/${state}`}`;
}

/** The pair that is shown where none, or only a part of one, is chosen: the first arms that there are. */
export function wholePair(pair: Pair, arms: readonly string[], baselines: readonly string[]): Pair | null {
  const a = arms.includes(pair.a) ? pair.a : arms.find((arm) => arm !== pair.b || pair.baseline);
  if (a === undefined) return null;
  if (pair.baseline && baselines.includes(pair.b)) return { a, b: pair.b, baseline: true };
  if (!pair.baseline && arms.includes(pair.b) && pair.b !== a) return { a, b: pair.b, baseline: false };
  const other = arms.find((arm) => arm !== a);
  if (other !== undefined) return { a, b: other, baseline: false };
  const [baseline] = baselines;
  return baseline === undefined ? null : { a, b: baseline, baseline: true };
}
