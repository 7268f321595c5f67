// Steps that only one protocol has. Its folder says what they contain and how to show them.
import type { z } from 'zod';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { type LineBlock, type Section, words } from './blocks.ts';

interface Declared<T> {
  /** The id of the protocol, a slash and a word, such as `objecting/objection`. */
  readonly name: string;
  /** As a heading has it. */
  readonly title: string;
  readonly form: z.ZodType<T>;
  tell(said: T): readonly LineBlock[];
}

/** A step as far as it can be shown without knowing its form. */
export interface OwnStep extends Pick<Declared<unknown>, 'name' | 'title'> {
  /** @param said what is on the record; null where it was erased */
  blocks(said: string | null): readonly LineBlock[];
}

export function ownStep<T>({ name, title, form, tell }: Declared<T>) {
  const read = (said: string): T => form.parse(JSON.parse(said));
  const blocks = (said: string | null) => (said === null ? [words('erased from the store')] : tell(read(said)));
  return {
    name,
    title,
    blocks,
    read,
    /** What `court.record('step-take', key, …)` puts on the record. */
    taken: (role: string, said: T) => ({ role, step: name, said: JSON.stringify(form.parse(said)) }),
    /** All such steps of a trial as a part of its view; none where it has none. */
    sections(entries: readonly TranscriptEntry[]): Section[] {
      const found = entries.filter((entry) => entry.kind === 'step' && entry.step === name);
      if (found.length === 0) return [];
      const steps = found.flatMap((entry) => (entry.kind === 'step' ? blocks(entry.said) : []));
      return [{ id: name.replaceAll('/', '-'), title, blocks: steps }];
    },
  };
}
