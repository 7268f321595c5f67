import { type PartialField, partialFields } from '../../../core/answers/partialFields.ts';
import { tellingOf } from '../../../core/protocols/index.ts';
import { awaitedIn } from '../../../core/telling/blocks.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import type { TrialState } from './trialState.ts';

const transcriptFields: readonly string[] = ['utterance', 'opinion'];

/** Names of the fields of an answer in progress that are said aloud, as the trial's own view shows them. */
export function aloudFields(
  { labels, positive, params }: Pick<TrialView, 'labels' | 'positive' | 'params'>,
  { line, entries }: Pick<TrialState, 'line' | 'entries'>,
  key: string,
): readonly string[] {
  const own = tellingOf(line.protocol);
  if (own === null) return transcriptFields;
  const sections = own.tell({ line, entries, labels, positive, writing: [{ key }] }, params);
  const awaited = sections.flatMap(({ blocks }) => awaitedIn(blocks));
  return awaited.flatMap(({ step, fields }) => (key.startsWith(`${step}/`) ? fields : []));
}

/** The readable part of an answer in progress: what is said aloud, and what its role keeps private. */
export function partsWritten(text: string, aloud = transcriptFields): Record<'aloud' | 'sealed', PartialField[]> {
  const fields = partialFields(text);
  const isAloud = ({ path }: PartialField) => path.length === 1 && aloud.includes(path[0] ?? '');
  return { aloud: fields.filter(isAloud), sealed: fields.filter((field) => !isAloud(field)) };
}
