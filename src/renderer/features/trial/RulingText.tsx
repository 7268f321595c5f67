import { groundsText } from '../../../core/figures/grounds.ts';
import type { Spoken } from '../../../core/figures/rows.ts';
import type { Fact } from '../../../shared/domain.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { type FoundPlace, Speech } from './Speech.tsx';
import styles from './Transcript.module.css';
import { labelText, sureText } from './words.ts';

/** The verdict and the reasons given for it. */
export function RulingText({
  ruling: { prediction, confidence, source, inconsistent, opinion, grounds },
  facts,
  found,
}: {
  ruling: Extract<Spoken, { kind: 'ruling' }>;
  facts: readonly Fact[];
  found: readonly FoundPlace[];
}) {
  const rests = groundsText(grounds);
  return (
    <>
      <p className={styles.verdict}>
        <Isolated text={labelText(prediction)} />
        <span className={styles.sure}>{sureText({ prediction, confidence, source })}</span>
      </p>
      {inconsistent ? (
        <p className="text-warn">
          {rests === null ? 'The stated belief' : 'The belief'} does not favour{' '}
          {Array.isArray(prediction) ? 'these labels' : 'this label'}. The ruling stands as it was given.
        </p>
      ) : null}
      {rests === null ? null : (
        <p className="quiet">
          <HiddenText text={rests} />
        </p>
      )}
      {opinion === '' ? null : <Speech text={opinion} facts={facts} found={found} />}
    </>
  );
}
