import type { Inspection } from '../../../shared/api/dataFiles.ts';
import type { Choice } from '../../ui/FormField.tsx';

export const noColumn = (label: string): Choice => ({ id: '', label });

/** The columns of a file to choose from, each with an example. */
export function columnChoices({ columns }: Inspection, first?: Choice): Choice[] {
  const named = columns.map(({ name, examples }) => ({ id: name, label: name, note: examples[0]?.slice(0, 60) }));
  return first === undefined ? named : [first, ...named];
}
