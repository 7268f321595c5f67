import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import { type TrialLine, unstarted } from '../../../../shared/trialLine.ts';

type Of<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>;

export const call = (seq: number, key: string, role: string, rest: Partial<Of<'call'>> = {}): TranscriptEntry => ({
  kind: 'call',
  seq,
  key,
  role,
  failure: null,
  rejected: null,
  method: 'json',
  promptTokens: 10,
  completionTokens: 5,
  wallMs: 3,
  ...rest,
});

export const share = (seq: number, key: string, rest: Partial<Of<'share'>> = {}): TranscriptEntry => ({
  kind: 'share',
  seq,
  key,
  role: 'clerk',
  model: 'm',
  text: 'So.',
  failure: null,
  rejected: null,
  ...rest,
});

export const utterance = (seq: number, key: string, role: string, rest: Partial<Of<'utterance'>> = {}): TranscriptEntry => ({
  kind: 'utterance',
  seq,
  key,
  role,
  turn: 'opening',
  text: 'Two arrests.',
  planned: true,
  plan: 'Press the arrests.',
  ...rest,
});

export const stated = {
  prediction: 'YES',
  confidence: 0.6,
  belief: { NO: 0.4, YES: 0.6 },
  source: 'verbal',
  inconsistent: false,
} as const;

export const belief = (seq: number, key: string, rest: Partial<Of<'belief'>> = {}): TranscriptEntry => ({
  kind: 'belief',
  seq,
  key,
  role: 'judge',
  ...stated,
  moment: 'live',
  after: null,
  notes: 'The arrests weigh.',
  ...rest,
});

export const ruling = (seq: number, role = 'judge'): TranscriptEntry => ({
  kind: 'ruling',
  seq,
  key: 'ruling',
  role,
  ...stated,
  opinion: 'The court finds so.',
});

export const close = (seq: number, outcome: Of<'close'>['outcome'] = 'decided'): TranscriptEntry => ({
  kind: 'close',
  seq,
  key: 'close',
  role: '',
  outcome,
  incomplete: false,
});

export const line = (rest: Partial<TrialLine> = {}): TrialLine => ({
  ...unstarted,
  experiment: 'small',
  arm: 'court',
  protocol: 'agentic-sim',
  protocol_version: 1,
  trial: '00112233445566aa',
  case: '7',
  seed: 1,
  status: 'running',
  ...rest,
});
