// The precedents of a trial, and how they were found.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { quantity } from '../../shared/sizes.ts';
import { type EntryOf, entryAt, lastOf } from './entries.ts';

type Retrieved = EntryOf<'precedents'>;
export type ReasonedPrecedent = NonNullable<ReturnType<typeof precedentsOf>>['precedents'][number];

/** The precedents of a trial with the reasons for their labels; null where none were looked for, or not yet. */
export function precedentsOf(entries: readonly TranscriptEntry[]) {
  const retrieved = lastOf(entries, 'precedents');
  if (retrieved === null) return null;
  const precedents = retrieved.precedents.map((precedent, index) => ({
    /** As the judges know it, from 1. */
    number: index + 1,
    /** Id, label, facts, and the cosine, -1 to 1; null where the draw was random. */
    ...precedent,
    /** Why its label fits; null where no reason was asked for, or not yet. */
    reason: entryAt(entries, 'share', `${retrieved.key}/reason-${index + 1}`),
  }));
  return { retrieved, precedents };
}

const methodText: Readonly<Record<Retrieved['method'], string>> = {
  embeddings: 'Nearest training cases of each label, by the cosine of the vectors of an embedding model',
  'tf-idf': 'Nearest training cases of each label, by the cosine of TF-IDF weights: no embedding model was named',
  random: 'Training cases of each label, drawn by the seed of the trial',
};

export const methodOf = ({ method }: Retrieved): string => methodText[method];

/** Why there are fewer precedents than there could be, in sentences; null where nothing is missing, or the search failed as a whole. */
export function shortfallOf({ precedents, withoutVector, failure }: Retrieved): string | null {
  if (failure !== null) return null;
  const none = precedents.length === 0;
  if (withoutVector === undefined) return none ? 'The training split has no other case of these labels.' : null;
  const cases = quantity(withoutVector, 'training case of these labels has', 'training cases of these labels have');
  return `${cases} no vector, since the embedding model gave none, and could not be found.${none ? ' So there are no precedents.' : ''}`;
}

/** A cosine with two digits, and a true minus sign. */
export const cosine = (similarity: number): string => similarity.toFixed(2).replace('-', '−');

/** Which case of the data it is; nothing where that was erased. */
export const caseOf = ({ case: id }: Pick<ReasonedPrecedent, 'case'>): ({ name: string } | string)[] =>
  id === null ? [] : ['case ', { name: id }, ', '];
