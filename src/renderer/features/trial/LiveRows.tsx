import { partialFields } from '../../../core/answers/partialFields.ts';
import { sideOf, speakerName } from '../../../core/figures/speakers.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { CallMarks } from './CallMarks.tsx';
import speech from './Speech.module.css';
import styles from './Transcript.module.css';
import type { CallEntry } from './trialCalls.ts';
import type { Writing } from './trialState.ts';
import { fieldWords } from './words.ts';

/** Fields of an answer that are said aloud. */
const spokenFields = new Set(['utterance', 'opinion']);

/**
 * The answer in progress, as far as it can be read. Nothing of it counts before it is whole.
 * @param open whether plans and notes are shown; sealed ones stay sealed while they are written
 */
export function WritingRow({ writing: { role, text, key }, open }: { writing: Writing; open: boolean }) {
  const fields = partialFields(text);
  const spoken = fields.filter(({ path }) => spokenFields.has(path[0] ?? ''));
  const own = fields.filter(({ path }) => !spokenFields.has(path[0] ?? ''));
  return (
    <div className={styles.row}>
      <div className={`${styles.said} ${styles[sideOf(role)]} ${styles.inProgress}`}>
        <div className={styles.heading}>
          <h3 className={styles.who}>
            <bdi>{speakerName(role)}</bdi> <span className={styles.what}>is writing</span>
          </h3>
          <code className="quiet">{key}</code>
        </div>
        {fields.length === 0 ? (
          <p className="quiet">
            {text.includes('{') || text.trim() === '' || !open ? 'The first words are on their way.' : <HiddenText text={text} />}
          </p>
        ) : null}
        {own.length === 0 ? null : !open ? (
          <p className="quiet">What it notes for itself is sealed. “Plans and notes” opens it.</p>
        ) : (
          <div className={styles.sealed}>
            {own.map(({ path, text: part, growing }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields of an answer only grow in number
              <p key={index} dir="auto" className={speech.private}>
                <span className="quiet">{fieldWords(path.at(-1) ?? '')}:</span> <HiddenText text={part} />
                {growing ? <span className={styles.caret} aria-hidden="true" /> : null}
              </p>
            ))}
          </div>
        )}
        {spoken.map(({ path, text: part, growing }) => (
          <p key={path.join('/')} dir="auto" className={speech.speech}>
            <HiddenText text={part} />
            {growing ? <span className={styles.caret} aria-hidden="true" /> : null}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Between two answers. */
export function WaitingRow({ calls, onInspect }: { calls: readonly CallEntry[]; onInspect: (key: string) => void }) {
  return (
    <div className={styles.row}>
      <p className={styles.waiting}>
        Waiting for the next answer. <CallMarks calls={calls} what="the last attempt" onInspect={onInspect} />
      </p>
    </div>
  );
}
