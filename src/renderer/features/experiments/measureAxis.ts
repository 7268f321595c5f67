import { type Scale, scaleOf, written } from '../../../core/figures/measureScale.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { measureText } from './estimateText.ts';

/** What the table of arms can be about, in the order of the choice: a measure by its name, what it counts, and whether less is better. */
const offered: readonly (Pick<Measure, 'name' | 'over'> & { readonly lessIsBetter?: boolean })[] = [
  { name: 'accuracy', over: 'all' },
  { name: 'f1', over: 'decided' },
  { name: 'macro_f1', over: 'decided' },
  { name: 'balanced_accuracy', over: 'decided' },
  { name: 'matthews_correlation', over: 'decided' },
  { name: 'area_under_curve', over: 'believed' },
  { name: 'brier', over: 'believed', lessIsBetter: true },
  { name: 'log_loss', over: 'believed', lessIsBetter: true },
  { name: 'expected_calibration_error', over: 'stated', lessIsBetter: true },
  { name: 'initial_accuracy', over: 'initial-and-verdict' },
  { name: 'corrections', over: 'initial-and-verdict' },
  { name: 'degradations', over: 'initial-and-verdict', lessIsBetter: true },
  { name: 'failed', over: 'all', lessIsBetter: true },
];

export interface ShownMeasure {
  readonly id: string;
  readonly title: string;
  readonly scale: Scale;
  readonly lessIsBetter: boolean;
  of(measures: readonly Measure[]): Measure | undefined;
}

/** The measures of which some system has a value. @param positive the label that F1 is of; without one it is the mean over labels @param by who decided what the labels are */
export function shownMeasures(
  systems: readonly { readonly measures: readonly Measure[] }[],
  positive: string | null,
  by?: string,
): ShownMeasure[] {
  const label = (name: string) => (name === 'f1' ? positive : null);
  return offered.flatMap(({ name, over, lessIsBetter = false }) => {
    const of = (measures: readonly Measure[]) =>
      measures.find(
        (each) =>
          each.name === name && each.over === over && each.label === label(name) && each.side === null && each.turn === null,
      );
    if (!systems.some(({ measures }) => (of(measures)?.value ?? null) !== null)) return [];
    const title =
      name === 'accuracy'
        ? capitalized(rightWords({ decided_by: by }).accuracy)
        : measureText({ name, label: label(name), side: null, turn: null });
    return [{ id: name, title, scale: name === 'accuracy' ? 'share' : scaleOf(name), lessIsBetter, of }];
  });
}

/** Distances of ticks: 1, 2 or 5 of a power of ten. */
function stepFor(span: number, most: number): number {
  const least = span / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((each) => each * power >= least * (1 - 1e-9)) ?? 10) * power;
}

export type Axis = Readonly<ReturnType<typeof axisOver>>;

/** From the round number below all values to the one above them. @param values not empty; values and ends of intervals */
export function axisOver(values: readonly number[], scale: Scale) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // Values close to each other, or only one, have room on both sides.
  const span = Math.max(most - least, 0.1);
  const below = Math.min(least - (span - (most - least)) / 2, (scale === 'share' ? 1 : Infinity) - span);
  const low = least < 0 ? below : Math.max(0, below);
  const high = low + span;
  const step = stepFor(span, 5);
  const from = Math.floor(low / step + 1e-9) * step;
  const to = Math.max(Math.ceil(high / step - 1e-9) * step, from + step);
  const count = Math.round((to - from) / step);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return {
    from,
    to,
    ticks: Array.from({ length: count + 1 }, (_none, place) => {
      const at = from + place * step;
      return { at, words: scale === 'share' ? written(at, scale) : (at + 0).toFixed(digits).replace('-', '−') };
    }),
    /** Place on the axis, 0-1; values beyond it are at its end. */
    place: (value: number) => Math.min(1, Math.max(0, (value - from) / (to - from))),
  };
}
