import { useMemo } from 'react';
import { mentionsIn } from '../../../core/figures/mentions.ts';
import type { TextRange } from '../../../core/review/range.ts';
import type { Unfounded } from '../../../core/text/unfounded.ts';
import type { Fact } from '../../../shared/domain.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import styles from './Speech.module.css';
import { byLine, fieldNamesIn, type Stretch, stretchesOf } from './stretches.ts';

export interface FoundPlace {
  readonly start: number;
  readonly end: number;
  readonly here: boolean;
}

const nothing: readonly never[] = [];

function Piece({
  stretch: { text, facts: mentioned, unfounded, found, isName, isCommented },
  facts,
}: {
  stretch: Stretch;
  facts: readonly Fact[];
}) {
  const plain = isName ? (
    <b className="muted font-600">
      <HiddenText text={text} />
    </b>
  ) : (
    <HiddenText text={text} />
  );
  const words = isCommented ? <mark className={styles.commented}>{plain}</mark> : plain;
  const marked =
    found === null ? (
      words
    ) : (
      <mark data-here={found === 'here' || undefined} className={styles[found]}>
        {words}
      </mark>
    );
  if (unfounded !== null) {
    return (
      <span className={styles.unfounded} title={`Assize does not find ${text} among the facts`}>
        {marked}
        {unfounded === 'ends' ? <span className="visually-hidden"> (not among the facts)</span> : null}
      </span>
    );
  }
  if (mentioned.length === 0) return marked;
  return (
    <span className={styles.mention} title={`fact: ${mentioned.map((fact) => facts[fact]?.name).join(', ')}`}>
      {marked}
    </span>
  );
}

/** A text of the record: speech in serif, what it says of the facts underlined, what was searched for marked. */
export function Speech({
  text,
  facts = nothing,
  unfounded,
  found = nothing,
  look = 'speech',
  hasFields = false,
  commented = nothing,
  utterance,
}: {
  /** Null where it was erased. */
  text: string | null;
  facts?: readonly Fact[];
  /** Finds what is not among them. */
  unfounded?: (text: string) => readonly Unfounded[];
  found?: readonly FoundPlace[];
  look?: 'speech' | 'private';
  /** A structured answer, a line for each field or item. */
  hasFields?: boolean;
  commented?: readonly TextRange[];
  /** Place of the utterance or ruling, where one can comment on it. */
  utterance?: number;
}) {
  const stretches = useMemo(
    () =>
      text === null
        ? []
        : stretchesOf(
            text,
            facts.length === 0 ? [] : mentionsIn(text, facts),
            found,
            hasFields ? fieldNamesIn(text) : [],
            unfounded?.(text),
            commented,
          ),
    [text, facts, unfounded, found, hasFields, commented],
  );
  if (text === null) return <p className={`muted ${styles.erased}`}>This text was erased from the store.</p>;
  if (text === '') return <p className={`muted ${styles.erased}`}>Nothing was said.</p>;
  const piecesOf = (some: readonly Stretch[]) =>
    some.map((stretch) => <Piece key={stretch.start} stretch={stretch} facts={facts} />);
  return (
    <p className={`pre-wrap wrap-anywhere ${styles[look]}`} dir="auto" data-utterance={utterance}>
      {hasFields
        ? byLine(stretches).map((line, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text never change places
              key={index}
              className={`${styles.line} ${line[0]?.text.startsWith('- ') ? styles.item : ''}`}
              dir="auto"
              data-after-line={index > 0 || undefined}
            >
              {piecesOf(line)}
            </span>
          ))
        : piecesOf(stretches)}
    </p>
  );
}

/** A text while it is being written, as far as it has come. */
export function Growing({
  text,
  growing,
  name,
  look = 'speech',
}: {
  text: string;
  growing: boolean;
  /** Comes before it. */
  name?: string;
  look?: 'speech' | 'private';
}) {
  return (
    <p dir="auto" className={`pre-wrap wrap-anywhere ${styles[look]}`}>
      {name === undefined ? null : <span className="quiet">{name}: </span>}
      <HiddenText text={text} />
      {growing ? <span className={styles.caret} aria-hidden="true" /> : null}
    </p>
  );
}
