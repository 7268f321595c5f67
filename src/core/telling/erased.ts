// What an erasure took, in words for screens and reports.
import type { ErasureNote } from '../../shared/erasure.ts';

/** To go on from a colon. */
export const erasedText: Readonly<Record<ErasureNote['scope'], string>> = {
  'data-set': 'everything about the data set, with the reasons of its reviews',
  experiment: 'what was said in the experiment, with the reasons of its reviews',
  case: 'everything about a case, with the reasons of its reviews',
};
