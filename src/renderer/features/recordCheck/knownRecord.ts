import { useState } from 'react';
import type { KnownFault, RecordCheck, RecordFrame } from '../../../shared/api/record.ts';
import { otherHash } from '../../../shared/checkpoints.ts';
import { fresh, useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';
import { quantity } from '../../ui/quantity.ts';
export const knownRecordKey = ['record', 'known'] as const;

export function useKnownRecord() {
  return useRead(knownRecordKey, (api, given) => api.record.known({}, given), fresh).data;
}

export const checkpointKey = ['checkpoint'] as const;

export const useCheckpoint = () => useRead(checkpointKey, (api, given) => api.record.checkpoint({}, given), fresh);

export const useReadPlace = () => useRead(['record', 'place'], (api, given) => api.record.place({}, given));

export const useRecordPlace = () => useReadPlace().data;

/** The check of the whole open record. @param given the root or head that it should have, if one is entered */
export function useRecordCheck(given: string | null = null) {
  const api = useApi();
  const reread = useReread();
  const [asked, setAsked] = useState<string | null>(null);
  const { task, start, cancel } = useTask(
    (signal, head: string | null) => api.record.check({ head }, { signal }),
    () => reread(knownRecordKey),
  );
  const check = () => {
    setAsked(given);
    start(given);
  };
  return { task, start: check, cancel, root: { given, asked } };
}

/** The two words for what is wrong in a record: what a hash shows, and what cannot be read. */
export const faultWords = (problem: string) =>
  /\b(?:missing|damaged|cannot be read)\b/.test(problem) ? 'damaged' : 'changed after it was written';

export const faultSentence = (problem: string) =>
  faultWords(problem) === 'damaged' ? 'is damaged' : 'was changed after it was written';

export const knownSentence = ({ by, problem }: KnownFault) =>
  by === 'replay' ? 'has a verdict that does not follow from the recorded answers' : faultSentence(problem);

/** By experiment, the trials with a known fault; a fault of no trial leaves its list empty. */
export function trialsByExperiment(faults: readonly KnownFault[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { experiment, trial } of faults) {
    if (experiment === null) continue;
    const trials = found.get(experiment) ?? [];
    if (trial !== null && !trials.includes(trial)) trials.push(trial);
    found.set(experiment, trials);
  }
  return found;
}

/** The root that is entered now, and the one that a check was asked to look for; null where there is none. */
export interface ComparedRoot {
  readonly given: string | null;
  readonly asked: string | null;
}

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

const isLogRoot = (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text);
const hexOf = (base64: string) => Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** A root or head, or the fingerprint of a key, that the user enters. */
export function useTypedHash() {
  const [text, setText] = useState('');
  // As `assize checkpoint --key` prints it, or as a checkpoint has a log root.
  const entered = text.replaceAll(/^\s*fingerprint:|\s/gi, '');
  const bare = isLogRoot(entered) ? hexOf(entered) : entered.toLowerCase();
  const given = isHash(bare) ? bare : null;
  return { text, setText, given, isWrong: bare !== '' && given === null };
}

/** Whether a record that holds is the one that was entered; null where nothing was. */
export function isExpected({ root, head_matches }: RecordCheck, { given, asked }: ComparedRoot): boolean | null {
  return given === null ? null : given === root || (given === asked && head_matches === true);
}

/** Whether every hash holds. A record that only differed from what was entered then is compared with what is entered now. */
export const holds = ({ result, first_bad: bad, log }: RecordCheck, { given, asked }: ComparedRoot): boolean =>
  result !== 'tampered' || (bad?.kind === 'head' && (given !== asked || otherHash(log, given ?? '') !== null));

const stages = { texts: 'Texts', events: 'Events and results' } as const;
const order = ['texts', 'events'] as const;

/** `Step 1 of 2: texts, 4,000 of 10,000, 2,000 a second`. @param elapsedMs since the check began */
export function progressAsText(progress: Extract<RecordFrame, { kind: 'progress' }> | null, elapsedMs: number): string {
  if (progress === null) return 'Reading the record…';
  const { stage, done, of } = progress;
  const step = `Step ${order.indexOf(stage) + 1} of ${order.length}: ${stages[stage].toLowerCase()}`;
  const counted = `${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')}`;
  // Only the first step begins with the clock.
  if (stage !== 'texts' || done === 0 || elapsedMs < 1000) return `${step}, ${counted}`;
  const perSecond = done / (elapsedMs / 1000);
  const left = Math.ceil((of - done) / perSecond);
  return `${step}, ${counted}, ${Math.round(perSecond).toLocaleString('en-GB')} a second, about ${quantity(left, 'second')} left of this step`;
}
