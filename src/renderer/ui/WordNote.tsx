import { CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { glossary } from '../../shared/glossary.ts';
import styles from './WordNote.module.css';

interface Properties {
  readonly term: keyof typeof glossary;
  /** What there is to know in this place. */
  readonly more?: ReactNode;
}

/** A small button after a word of the glossary, which says what the word means. */
export function WordNote({ term, more }: Properties) {
  const meaning = glossary[term];
  const name = `What is ${term}?`;
  return (
    <DialogTrigger>
      <Button
        className={styles.button ?? ''}
        aria-haspopup="dialog"
        aria-label={name}
        render={(rest) => <button {...rest} title={meaning} />}
      >
        <CircleQuestionMark size={14} aria-hidden="true" />
      </Button>
      <Popover className={`card ${styles.popover}`} placement="bottom end">
        <Dialog className={`stack gap-6 ${styles.note}`} aria-label={name}>
          <strong>{term}</strong>
          <p>{meaning}</p>
          {more === undefined ? null : <p>{more}</p>}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
