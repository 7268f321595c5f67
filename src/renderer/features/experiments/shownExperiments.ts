import type { Settings, ShownExperiment } from '../../../shared/api/engine.ts';

type Shown = Settings['experiments'];

/** How an experiment is shown; by its name and in the list where nobody said otherwise. */
export const shownAs = (shown: Shown, name: string): ShownExperiment =>
  shown.find((each) => each.name === name) ?? { name, title: '', place: 'listed' };

/** The same with one of them changed; what is as usual needs no entry. */
export function withShown(shown: Shown, changed: ShownExperiment): ShownExperiment[] {
  const others = shown.filter(({ name }) => name !== changed.name);
  return changed.title === '' && changed.place === 'listed' ? others : [...others, changed];
}

/** What stands where the experiment is named. */
export const titleOf = (shown: Shown, name: string): string => shownAs(shown, name).title || name;
