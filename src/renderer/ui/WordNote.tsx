import { CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { decidedLabels } from '../../shared/decidedBy.ts';
import { meaningOf, type Term, termOf } from '../../shared/glossary.ts';
import styles from './WordNote.module.css';

interface Properties {
  readonly term: Term;
  /** What there is to know in this place. */
  readonly more?: ReactNode;
}

/** What a word of the glossary means, with its marks: `*name*` and `` `code` ``. */
export const Meaning = ({ term }: { term: Term }): ReactNode[] =>
  meaningOf(term)
    .split(/(\*[^*]+\*|`[^`]+`)/)
    .map((part, index) => {
      const Mark = part.startsWith('*') ? 'em' : 'code';
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      return /^[*`]/.test(part) ? <Mark key={index}>{part.slice(1, -1)}</Mark> : part;
    });

/** A small button after a word of the glossary, which says what the word means. */
export function WordNote({ term, more }: Properties) {
  const name = `What is ${term}?`;
  return (
    <DialogTrigger>
      <Button
        className={`icon-button off-paper ${styles.button}`}
        aria-haspopup="dialog"
        aria-label={name}
        render={(rest) => <button {...rest} title={meaningOf(term).replaceAll(/[*`]/g, '')} />}
      >
        <CircleQuestionMark size={14} aria-hidden="true" />
      </Button>
      <Popover className="card popover" placement="bottom end">
        <Dialog className={`stack gap-6 p-14 ${styles.note}`} aria-label={name}>
          <strong>{term}</strong>
          <p>
            <Meaning term={term} />
          </p>
          {more === undefined ? null : <p>{more}</p>}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** The same after the name of a measure; nothing where the glossary does not have it. @param of its name in exports; decidedBy: who decided the labels */
export function MeasureNote({ of, decidedBy }: { of: string; decidedBy?: string | undefined }) {
  const term = termOf(of);
  return term === undefined ? null : (
    <>
      {' '}
      <WordNote term={term} {...(decidedBy === undefined ? {} : { more: decidedLabels(decidedBy) })} />
    </>
  );
}
