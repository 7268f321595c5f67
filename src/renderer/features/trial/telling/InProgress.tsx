import { partialFields } from '../../../../core/answers/partialFields.ts';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import speech from '../Speech.module.css';
import transcript from '../Transcript.module.css';
import type { Writing } from '../trialState.ts';
import styles from './Telling.module.css';

/** The answer of a step as far as it is written. Nothing of it counts before it is whole. */
export function InProgress({
  writing,
  step,
  fields,
}: {
  writing: readonly Writing[];
  /** Key of the step: `argument/prosecutor`. */
  step: string;
  /** Fields that are said aloud; others are not shown before they are on record. */
  fields: readonly string[];
}) {
  const own = writing.find(({ key }) => key.startsWith(`${step}/`));
  if (own === undefined) return <p className={styles.quiet}>Not heard yet.</p>;
  const spoken = partialFields(own.text).filter(({ path }) => path.length === 1 && fields.includes(path[0] ?? ''));
  if (spoken.length === 0) return <p className={styles.quiet}>Is writing…</p>;
  return spoken.map(({ path, text, growing }) => (
    <p key={path.join('/')} dir="auto" className={speech.speech}>
      <HiddenText text={text} />
      {growing ? <span className={transcript.caret} aria-hidden="true" /> : null}
    </p>
  ));
}
