// Entries of a transcript; what a test is about is given.
import type { TranscriptEntry } from '../../shared/api/trials.ts';

export type Of<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>;

export const said = (seq: number, key: string, role: string, change: Partial<Of<'utterance'>> = {}): Of<'utterance'> => ({
  kind: 'utterance',
  seq,
  key,
  role,
  turn: 'opinion',
  text: 'So.',
  planned: false,
  plan: null,
  ...change,
});

export const believed = (seq: number, key: string, role: string, change: Partial<Of<'belief'>> = {}): Of<'belief'> => ({
  kind: 'belief',
  seq,
  key,
  role,
  prediction: 'a',
  confidence: 0.5,
  belief: null,
  source: 'verbal',
  inconsistent: false,
  moment: 'live',
  after: null,
  notes: null,
  ...change,
});

export const forfeited = (seq: number, key: string, role: string): Of<'forfeit'> => ({
  kind: 'forfeit',
  seq,
  key,
  role,
  failure: 'timeout',
});
