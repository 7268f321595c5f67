import { useState } from 'react';
import type { RecordCheck } from '../../../shared/api/record.ts';
import { otherHash } from '../../../shared/checkpoints.ts';

/** The root that is entered now, and the one that a check was asked to look for; null where there is none. */
export interface ComparedRoot {
  readonly told: string | null;
  readonly asked: string | null;
}

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

const isLogRoot = (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text);
const hexOf = (base64: string) => Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** A root or head, or the fingerprint of a key, that the user enters. */
export function useTypedHash() {
  const [text, setText] = useState('');
  // As `assize checkpoint --key` prints it, or as a checkpoint has a log root.
  const given = text.replaceAll(/^\s*fingerprint:|\s/gi, '');
  const bare = isLogRoot(given) ? hexOf(given) : given.toLowerCase();
  const told = isHash(bare) ? bare : null;
  return { text, setText, told, isWrong: bare !== '' && told === null };
}

/** Whether a record that holds is the one that was entered; null where nothing was. */
export function isTold({ root, head_matches }: RecordCheck, { told, asked }: ComparedRoot): boolean | null {
  return told === null ? null : told === root || (told === asked && head_matches === true);
}

/** Whether every hash holds. A record that only differed from what was entered then is compared with what is entered now. */
export const holds = ({ result, first_bad: bad, log }: RecordCheck, { told, asked }: ComparedRoot): boolean =>
  result !== 'tampered' || (bad?.kind === 'head' && (told !== asked || otherHash(log, told ?? '') !== null));
