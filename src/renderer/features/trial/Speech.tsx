import { useMemo } from 'react';
import { mentionsIn } from '../../../core/figures/mentions.ts';
import type { Fact } from '../../../shared/domain.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { stretchesOf } from './stretches.ts';
import styles from './Speech.module.css';

export interface FoundPlace {
  readonly start: number;
  readonly end: number;
  readonly here: boolean;
}

const nothing: readonly never[] = [];

/** A text of the record: speech in serif, what it says of the facts underlined, what was searched for marked. */
export function Speech({
  text,
  facts = nothing,
  found = nothing,
  look = 'speech',
}: {
  /** Null where it was erased. */
  text: string | null;
  facts?: readonly Fact[];
  found?: readonly FoundPlace[];
  look?: 'speech' | 'private';
}) {
  const stretches = useMemo(
    () => (text === null ? [] : stretchesOf(text, facts.length === 0 ? [] : mentionsIn(text, facts), found)),
    [text, facts, found],
  );
  if (text === null) return <p className={styles.erased}>This text was erased from the store.</p>;
  if (text === '') return <p className={styles.erased}>Nothing was said.</p>;
  return (
    <p className={styles[look]} dir="auto">
      {stretches.map(({ start, text: part, facts: told, found: sought }) => {
        const words = <HiddenText text={part} />;
        const marked = sought === null ? words : <mark data-here={sought === 'here' || undefined} className={sought === 'here' ? styles.here : styles.also}>{words}</mark>;
        return told.length === 0 ? (
          <span key={start}>{marked}</span>
        ) : (
          <span key={start} className={styles.mention} title={`fact: ${told.map((fact) => facts[fact]?.name).join(', ')}`}>
            {marked}
          </span>
        );
      })}
    </p>
  );
}
