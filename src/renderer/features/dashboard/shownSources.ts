import type { FigureSources, TrialsBehind } from '../../charts/kit/figure.ts';

/** Every text of a value that is exactly one of these names, by what it is called; other texts stay. */
function called<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const walked = (each: unknown): unknown => {
    if (typeof each === 'string') return names.get(each) ?? each;
    if (Array.isArray(each)) return each.map(walked);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, part]) => [names.get(key) ?? key, walked(part)]));
  };
  return walked(value) as Value;
}

const different = (names: ReadonlyMap<string, string>) => new Map([...names].filter(([name, shown]) => name !== shown));

/** What figures are drawn from, with the arms called as the screens call them. */
export function shownSources(sources: FigureSources, names: ReadonlyMap<string, string>): FigureSources {
  const changed = different(names);
  return changed.size === 0 ? sources : called(sources, changed);
}

/** Trials behind a mark of such a figure, with the arms as the record names them. */
export const recordedTrials = (behind: TrialsBehind, names: ReadonlyMap<string, string>): TrialsBehind =>
  called(behind, recordedNames(names));

/** By what an arm is called, its name in the record. */
export const recordedNames = (names: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...different(names)].map(([name, shown]) => [shown, name]));
