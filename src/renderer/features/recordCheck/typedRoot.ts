import { useState } from 'react';
import type { RecordCheck } from '../../../shared/api/record.ts';
import { otherHash } from '../../../shared/checkpoints.ts';

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
