import type { ProtocolFigures, Trace } from '../../../shared/api/protocolFigures.ts';
import type { FigureSources } from '../kit/figure.ts';

const estimated = {
  level: 0.95,
  interval_method: 'bca',
  resamples: 2000,
  undefined_resamples: 0,
  seed: 7,
  why_null: null,
} as const;

/** Trials of an arm with these values at each step; the mean is over those that have one. */
export function traceOf(
  about: Pick<Trace, 'kind' | 'arm' | 'measure' | 'of'>,
  steps: readonly string[],
  values: readonly (readonly (number | null)[])[],
): Trace {
  const changes = values.flatMap((row) => {
    const known = row.filter((value) => value !== null);
    const [first, last] = [known[0], known.at(-1)];
    return first === undefined || last === undefined || known.length < 2 ? [] : [last - first];
  });
  const mean = (having: readonly number[]) => {
    const value = having.reduce((sum, each) => sum + each, 0) / having.length;
    return { n: having.length, cases: having.length, value, low: value - 0.1, high: value + 0.1, ...estimated };
  };
  return {
    ...about,
    change: mean(changes),
    values: values.map((row) => [...row]),
    steps: steps.map((step, column) => ({ step, ...mean(values.flatMap((row) => row[column] ?? [])) })),
  };
}

export const nothing: ProtocolFigures = {
  trials: 0,
  arms: [],
  listed: {},
  traces: [],
  ends: [],
  settlements: [],
  panels: [],
  panelled: 0,
};

export const sourcesOf = (protocols: Partial<ProtocolFigures> | null, report: object = {}): FigureSources =>
  ({
    protocols: protocols === null ? null : { ...nothing, ...protocols },
    report: { arms: [], comparisons: [], resampling: { level: 0.95 }, ...report },
  }) as unknown as FigureSources;
