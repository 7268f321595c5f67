import type { FigureSources, TrialsBehind } from '../../charts/kit/figure.ts';

type Names = ReadonlyMap<string, string>;

/** Every text of a value that is exactly one of these names, by what it is called. A part without such a text is not copied. */
function called<Value>(value: Value, names: Names): Value {
  const walked = (each: unknown): unknown => {
    if (typeof each === 'string') return names.get(each) ?? each;
    if (typeof each !== 'object' || each === null) return each;
    if (Array.isArray(each)) return walkedList(each);
    const entries = Object.entries(each);
    const shown = entries.map(([key, part]) => [names.get(key) ?? key, walked(part)] as const);
    return shown.every(([key, part], at) => key === entries[at]?.[0] && part === entries[at][1])
      ? each
      : Object.fromEntries(shown);
  };
  const walkedList = (list: readonly unknown[]): readonly unknown[] => {
    let copy: unknown[] | null = null;
    for (const [at, part] of list.entries()) {
      const shown = walked(part);
      if (shown === part) continue;
      copy ??= [...list];
      copy[at] = shown;
    }
    return copy ?? list;
  };
  return walked(value) as Value;
}

const different = (names: Names) => new Map([...names].filter(([name, shown]) => name !== shown));

/** By names, then by answer: each answer is gone through once, however many figures are drawn from it. */
const shownAnswers = new WeakMap<Names, WeakMap<object, object>>();

/** What figures are drawn from, with the arms called as the screens call them. */
export function shownSources(sources: FigureSources, names: Names): FigureSources {
  const changed = different(names);
  if (changed.size === 0) return sources;
  const known = shownAnswers.get(names) ?? new WeakMap<object, object>();
  shownAnswers.set(names, known);
  const shown = <Answer extends object>(answer: Answer): Answer => {
    const found = known.get(answer) ?? called(answer, changed);
    known.set(answer, found);
    return found as Answer;
  };
  const { view, report, deliberation, protocols } = sources;
  return {
    view: shown(view),
    report: shown(report),
    deliberation: deliberation && shown(deliberation),
    protocols: protocols && shown(protocols),
  };
}

export const recordedTrials = (behind: TrialsBehind, names: Names): TrialsBehind => called(behind, recordedNames(names));

export const recordedNames = (names: Names): Map<string, string> =>
  new Map([...different(names)].map(([name, shown]) => [shown, name]));
