import { z } from 'zod';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { saveSessionState, useSessionState } from '../../ui/sessionState.ts';
import styles from './Trial.module.css';

const key = 'trial/first';

export const hintAt = (trial: string): void => saveSessionState(key, trial);

/** What there is to see in a trial, for people who open their first one. */
export function FirstHints({ trial }: { trial: string }) {
  const [first, setFirst] = useSessionState(key, z.string().nullable(), () => null);
  if (first !== trial) return null;
  return (
    <div className="off-paper">
      <Notice>
        <ul className={`stack gap-4 text-13 ${styles.hints}`}>
          <li>
            <b>Who speaks:</b> each side has its own colour, and each speech names its speaker. The judge rules at the end.
          </li>
          <li>
            <b>The curve:</b> the judge’s belief after each speech, drawn towards the answer that it finds more likely.
          </li>
          <li>
            <b>What was asked:</b> “call” next to a speech opens what the model read and wrote. <kbd>?</kbd> lists all keys.
          </li>
        </ul>
        <Button size="small" onPress={() => setFirst(null)}>
          Dismiss
        </Button>
      </Notice>
    </div>
  );
}
