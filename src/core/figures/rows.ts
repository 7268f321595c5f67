// The rows of a transcript: each speech with the beliefs that followed it.
import type { TranscriptEntry } from '../../shared/api/trials.ts';

export type Spoken = Extract<TranscriptEntry, { kind: 'utterance' | 'forfeit' | 'ruling' }>;
export type Believed = Extract<TranscriptEntry, { kind: 'belief' }>;

/** One row of a transcript: something said, or none before anyone spoke, and the beliefs that followed it. */
export interface TranscriptRow {
  readonly spoken: Spoken | null;
  readonly beliefs: readonly Believed[];
}

/** The step of the protocol that an entry belongs to: `judgement/judge-1` for `judgement/judge-1/belief`. */
const stepOf = (key: string): string => key.replace(/\/[^/]*$/, '');

/**
 * Beliefs of the moment stand by what was last said; recalled ones by the utterance that they name; those of an answer
 * that is said aloud too, by that speech. Before anyone spoke every role has a row of its own.
 */
export function rowsOf(entries: readonly TranscriptEntry[]): TranscriptRow[] {
  const aloud = new Set(entries.flatMap((entry) => (entry.kind === 'utterance' ? [stepOf(entry.key)] : [])));
  const rows: { spoken: Spoken | null; beliefs: Believed[] }[] = [];
  const announced: Believed[] = [];
  for (const entry of entries) {
    if (entry.kind === 'utterance' || entry.kind === 'forfeit' || entry.kind === 'ruling') {
      const own = announced.filter(({ key }) => entry.kind === 'utterance' && stepOf(key) === stepOf(entry.key));
      rows.push({ spoken: entry, beliefs: own });
    }
    if (entry.kind !== 'belief') continue;
    if (entry.after === null && aloud.has(stepOf(entry.key))) {
      announced.push(entry);
      continue;
    }
    const named = rows.find(({ spoken }) => entry.moment === 'retrospective' && spoken?.key === entry.after) ?? rows.at(-1);
    const silent = named?.spoken === null && named.beliefs.some(({ role }) => role !== entry.role);
    if (named === undefined || silent) rows.push({ spoken: null, beliefs: [entry] });
    else named.beliefs.push(entry);
  }
  return rows;
}
