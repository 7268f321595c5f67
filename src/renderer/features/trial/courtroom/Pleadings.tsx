import type { Dispute, Pleading } from '../../../../core/figures/dispute.ts';
import { sideOf, speakerName } from '../../../../core/figures/speakers.ts';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { HeardSpeech } from '../parts/HeardSpeech.tsx';
import { InProgress } from '../parts/InProgress.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import styles from '../parts/Parts.module.css';
import { failureWords } from '../words.ts';

function Argument({ pleading, place, view, state, calls, onInspect }: LayoutProperties & { pleading: Pleading; place: number }) {
  const { role, label, speech, forfeit } = pleading;
  const entry = speech ?? forfeit;
  const name = speakerName(role);
  return (
    <article className={`${styles.argument} ${styles[sideOf(role)]} ${forfeit === null ? '' : styles.lost}`} aria-label={name}>
      <div className={styles.seatHead}>
        <h3>
          {name}, for <Label text={label} />
        </h3>
        {entry === null ? null : (
          <CallMarks
            calls={calls.get(entry.seq) ?? []}
            what={`the argument of the ${name.toLowerCase()}`}
            onInspect={onInspect}
          />
        )}
      </div>
      <p className={styles.quiet}>{place === 0 ? 'Read first by the judges' : 'Read second by the judges'}</p>
      {forfeit === null ? (
        speech === null ? (
          <InProgress writing={state.writing} step={`argument/${role}`} fields={['argument']} />
        ) : (
          <HeardSpeech speech={speech} facts={view.facts} />
        )
      ) : (
        <p className={styles.bad}>{failureWords[forfeit.failure]} The judges were told that no argument was made.</p>
      )}
    </article>
  );
}

/** Both arguments side by side: neither knew what the other would say. */
export function Pleadings({ dispute, ...rest }: LayoutProperties & { dispute: Dispute }) {
  if (dispute.pleadings.length === 0) return null;
  return (
    <Part title="Arguments" aside="neither side knew what the other would say">
      <div className={styles.pair}>
        {dispute.pleadings.map((pleading, place) => (
          <Argument key={pleading.role} pleading={pleading} place={place} {...rest} />
        ))}
      </div>
    </Part>
  );
}
