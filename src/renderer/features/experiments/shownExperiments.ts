import { asTitle } from '../../../core/text/shorten.ts';
import type { Settings, ShownExperiment } from '../../../shared/api/engine.ts';
import type { ExperimentSummary } from '../../../shared/api/experiments.ts';

type Shown = Settings['experiments'];

/** How an experiment is shown; by default by its name and in the list. */
export const shownAs = (shown: Shown, name: string): ShownExperiment =>
  shown.find((each) => each.name === name) ?? { name, title: '', place: 'listed' };

/** The same with one of them changed; what is as usual needs no entry. */
export function withShown(shown: Shown, changed: ShownExperiment): ShownExperiment[] {
  const others = shown.filter(({ name }) => name !== changed.name);
  return changed.title === '' && changed.place === 'listed' ? others : [...others, changed];
}

export const titleOf = (shown: Shown, name: string): string => shownAs(shown, name).title || name;

/** The text for an experiment in a list: for an untitled case described in words, the question. */
export function listedTitle(
  shown: Shown,
  { name, question, single, retrial }: Pick<ExperimentSummary, 'name' | 'question' | 'single' | 'retrial'>,
): string {
  const { title } = shownAs(shown, name);
  if (title !== '' || question === null || !(single || retrial)) return title || name;
  const words = asTitle(question);
  return retrial ? `Changes to: ${words}` : words;
}
