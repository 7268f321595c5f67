import { ambiguityWords, assignmentWords } from '../../../core/figures/dispute.ts';
import { cosine, methodOf } from '../../../core/figures/precedents.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { CallMarks } from './CallMarks.tsx';
import type { Step } from './courtItems.ts';
import { Label } from './parts/Label.tsx';
import styles from './Transcript.module.css';
import { failureWords } from './words.ts';

type Of<Kind extends Step['entry']['kind']> = Extract<Step['entry'], { kind: Kind }>;

function Sides({ entry }: { entry: Of<'sides'> }) {
  return (
    <p>
      In dispute: <Label text={entry.prediction} /> (most likely) and <Label text={entry.alternative} />.{' '}
      {entry.order.map((role, index) => (
        <span key={role}>
          {index === 0 ? '' : ', '}
          {speakerName(role)} for <Label text={entry.sides[role] ?? ''} />
        </span>
      ))}
      . {assignmentWords(entry)}
    </p>
  );
}

function Ambiguity({ entry, calls, onInspect }: Listed<'ambiguity'>) {
  return (
    <>
      <p>{ambiguityWords(entry)}</p>
      <ul>
        {entry.labels.map((label, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hearings never change places
          <li key={index}>
            Fresh hearing {index + 1}: {label === null ? 'failed' : <Label text={label} />}{' '}
            <CallMarks calls={calls[index] ?? []} what={`fresh hearing ${index + 1}`} onInspect={onInspect} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface Listed<Kind extends Step['entry']['kind']> {
  readonly entry: Of<Kind>;
  readonly calls: Step['calls'];
  readonly onInspect: (key: string) => void;
}

function Precedents({ entry, calls, onInspect }: Listed<'precedents'>) {
  return (
    <>
      <p>
        {methodOf(entry)}
        {entry.model === null ? null : (
          <>
            {' '}
            (<Label text={entry.model} />)
          </>
        )}
        .
      </p>
      {entry.failure === null ? null : <p>{failureWords[entry.failure]} The trial went on without them.</p>}
      <ul>
        {entry.precedents.map(({ label, similarity }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: precedents never change places
          <li key={index}>
            Precedent {index + 1}: <Label text={label} />
            {similarity === null ? '' : `, similarity ${cosine(similarity)}`}{' '}
            <CallMarks calls={calls[index] ?? []} what={`the reason of precedent ${index + 1}`} onInspect={onInspect} />
          </li>
        ))}
      </ul>
    </>
  );
}

const titles: Readonly<Record<Step['entry']['kind'], string>> = {
  sides: 'Sides',
  ambiguity: 'Fresh hearings',
  precedents: 'Precedents',
};

/** What the court settled or looked up before the speech that follows. */
export function StepNote({ step: { entry, calls }, onInspect }: { step: Step; onInspect: (key: string) => void }) {
  return (
    <section className={styles.step} aria-label={titles[entry.kind]}>
      <p className={styles.stepTitle}>{titles[entry.kind]}</p>
      {entry.kind === 'sides' ? <Sides entry={entry} /> : null}
      {entry.kind === 'ambiguity' ? <Ambiguity entry={entry} calls={calls} onInspect={onInspect} /> : null}
      {entry.kind === 'precedents' ? <Precedents entry={entry} calls={calls} onInspect={onInspect} /> : null}
    </section>
  );
}
