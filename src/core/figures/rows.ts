import type { TranscriptEntry } from '../../shared/api/trials.ts';

export type Spoken = Extract<TranscriptEntry, { kind: 'utterance' | 'forfeit' | 'ruling' }>;
export type Believed = Extract<TranscriptEntry, { kind: 'belief' }>;

/** One row of a transcript: something said, or none before anyone spoke, and the beliefs that followed it. */
export interface TranscriptRow {
  readonly spoken: Spoken | null;
  readonly beliefs: readonly Believed[];
}

/** Beliefs of the moment stand by what was last said; recalled ones by the utterance that they name. */
export function rowsOf(entries: readonly TranscriptEntry[]): TranscriptRow[] {
  const rows: { spoken: Spoken | null; beliefs: Believed[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === 'utterance' || entry.kind === 'forfeit' || entry.kind === 'ruling')
      rows.push({ spoken: entry, beliefs: [] });
    if (entry.kind !== 'belief') continue;
    const named = rows.find(({ spoken }) => entry.moment === 'retrospective' && spoken?.key === entry.after) ?? rows.at(-1);
    if (named === undefined) rows.push({ spoken: null, beliefs: [entry] });
    else named.beliefs.push(entry);
  }
  return rows;
}
