import { type AnswerSpec, answerFailureKinds, type ParseMethod } from '../answers/answer.ts';
import { canonical } from '../answers/canonical.ts';
import { fieldsOf, isRecord } from '../answers/fields.ts';
import { interpret } from '../answers/interpret.ts';
import { findObjects } from '../answers/regions.ts';
import type { AttemptReading, RawAttempt } from './reading.ts';

/** What the record says of a reading: how the value was found, or the failure in its place. */
export interface RecordedReading {
  readonly method: string | null;
  readonly rejected: Extract<AttemptReading<never>, { method: null }>['rejected'] | null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const readings: ReadonlySet<string> = new Set(answerFailureKinds);

/** Whether rules of reading have a say: not in a call that failed, nor in an answer that was cut off. */
const isReading = (rejected: RecordedReading['rejected']): boolean => rejected === null || readings.has(rejected);

/** The one value that the JSON objects of these texts have, or null. */
function soleValue<T>(spec: AnswerSpec<T>, texts: readonly string[], method: ParseMethod): AttemptReading<T> | null {
  const fields = fieldsOf(spec.schema);
  const values = texts.flatMap((text) => {
    const object = parsed(text);
    const reading = isRecord(object) ? interpret(spec, fields, object, text) : null;
    return reading?.ok === true ? [reading.value] : [];
  });
  const [value] = values;
  if (value === undefined || new Set(values.map(canonical)).size > 1) return null;
  return { rejected: null, method, value };
}

/**
 * The reading of an answer that an older version of the rules gave and the present rules do not give, as far
 * as the answer still supports it:
 *
 * - A failure stands as it was. Nothing is known of the words in which the model was told, so that a record in
 *   which it was asked again on account of them diverges at that call.
 * - A value is the one that the present rules find, where they find any; else that of the valid JSON in the
 *   answer (its only object, or several that say the same), without regard to what stands beside it, which is
 *   what later rules look at. A value that was repaired or gathered from lines is not found again.
 * - What no version has read otherwise stands in no other way: a failed call, an answer that was cut off.
 *
 * @param current what the present rules read, other than the record
 * @returns null where the answer does not tell the value
 */
export function olderReading<T>(
  spec: AnswerSpec<T>,
  { answer }: RawAttempt,
  { method, rejected }: RecordedReading,
  current: AttemptReading<T>,
): AttemptReading<T> | null {
  if (!isReading(rejected) || !isReading(current.rejected)) return null;
  if (rejected !== null) return { rejected, method: null, message: 'refused by older rules of reading', correction: null };
  if (current.rejected === null) return current;
  const text = answer ?? '';
  if (method === 'json') return soleValue(spec, [text], method);
  if (method !== 'embedded-json') return null;
  return soleValue(
    spec,
    findObjects(text).regions.map((region) => region.text),
    method,
  );
}
