import {
  cosine,
  type FoundPrecedents,
  methodOf,
  type ReasonedPrecedent,
  shortfallOf,
} from '../../../../core/figures/precedents.ts';
import type { Fact } from '../../../../shared/domain.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { quantity } from '../../../ui/quantity.ts';
import { CallMarks } from '../CallMarks.tsx';
import { Speech } from '../Speech.tsx';
import { sharedCallsOf } from '../trialCalls.ts';
import { failureWords } from '../words.ts';
import { Label } from './Label.tsx';
import { Part } from './Part.tsx';
import styles from './Parts.module.css';

/** The beginning of a case, to tell it by while it is folded. Characters. */
const excerptLength = 90;

function excerptOf(facts: readonly Fact[] | null): string {
  if (facts === null) return 'erased from the store';
  const text = facts.map(({ value }) => value).join(' · ');
  return text.length > excerptLength ? `${[...text].slice(0, excerptLength).join('')}…` : text;
}

function Facts({ facts }: { facts: readonly Fact[] | null }) {
  if (facts === null) return <p className={styles.quiet}>The facts of this case were erased from the store.</p>;
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts of a case never change places
        <div key={index}>
          <dt dir="auto">
            <HiddenText text={name} />
          </dt>
          <dd dir="auto">
            <HiddenText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Inspection {
  readonly onInspect: (key: string) => void;
}

function Reason({
  reason,
  number,
  onInspect,
}: { reason: NonNullable<ReasonedPrecedent['reason']> } & Pick<ReasonedPrecedent, 'number'> & Inspection) {
  const lost = reason.rejected ?? reason.failure;
  return (
    <div>
      <h4 className={styles.small}>
        Why its label fits
        {reason.model === null ? null : (
          <>
            , by <Label text={reason.model} />
          </>
        )}
      </h4>
      <CallMarks calls={sharedCallsOf(reason)} what={`the reason of precedent ${number}`} onInspect={onInspect} />
      {lost === null ? (
        <Speech text={reason.text} look="private" />
      ) : (
        <p className={styles.bad}>{failureWords[lost]} The judges read this precedent without a reason.</p>
      )}
    </div>
  );
}

/** Labelled cases that were laid before the bench: how they were found, how near they are, why their labels fit. */
export function PrecedentList({
  title,
  found: { retrieved, precedents },
  onInspect,
}: { title: string; found: FoundPrecedents } & Inspection) {
  const shortfall = shortfallOf(retrieved);
  return (
    <Part title={title} aside={quantity(precedents.length, 'case')}>
      <p className={styles.quiet}>
        {methodOf(retrieved)}
        {retrieved.model === null ? null : (
          <>
            {' '}
            (<Label text={retrieved.model} />)
          </>
        )}
        .
      </p>
      {retrieved.failure === null ? null : (
        <p className={styles.bad}>{failureWords[retrieved.failure]} The trial went on without them.</p>
      )}
      {shortfall === null ? null : <p className={retrieved.withoutVector === undefined ? undefined : styles.bad}>{shortfall}</p>}
      <ul className={styles.precedents}>
        {precedents.map((precedent) => (
          <li key={precedent.number}>
            <Fold
              title={
                <>
                  {precedent.number}. <Label text={precedent.label} />
                </>
              }
              aside={
                <>
                  {precedent.similarity === null ? 'drawn at random' : `similarity ${cosine(precedent.similarity)}`} ·{' '}
                  <Label text={excerptOf(precedent.facts)} />
                </>
              }
            >
              <div className={styles.precedent}>
                <Facts facts={precedent.facts} />
                {precedent.reason === null ? null : (
                  <Reason reason={precedent.reason} number={precedent.number} onInspect={onInspect} />
                )}
              </div>
            </Fold>
          </li>
        ))}
      </ul>
    </Part>
  );
}
