import { ambiguityWords, assignmentWords, type Dispute } from '../../../../core/figures/dispute.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { sideOf, speakerName } from '../../../../core/figures/speakers.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { Pill } from '../../../ui/Pill.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { Distribution } from '../parts/Distribution.tsx';
import { InProgress } from '../parts/InProgress.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import styles from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import { sharedCallsOf } from '../trialCalls.ts';
import { labelWords } from '../words.ts';

function Ambiguity({
  ambiguity,
  entries,
  onInspect,
}: { ambiguity: NonNullable<Dispute['ambiguity']> } & Pick<LayoutProperties, 'onInspect'> &
  Pick<LayoutProperties['state'], 'entries'>) {
  const counts = Map.groupBy(
    ambiguity.labels.filter((label) => label !== null),
    (label) => label,
  );
  return (
    <div className={styles.hearings}>
      {ambiguity.ambiguous === true ? <Pill tone="warn">ambiguous case</Pill> : null} {ambiguityWords(ambiguity)}{' '}
      {[...counts].map(([label, found], index) => (
        <span key={label}>
          {index === 0 ? '' : ', '}
          <Label text={label} /> {found.length}×
        </span>
      ))}{' '}
      {entries.map((entry) =>
        entry.kind === 'share' && entry.key.startsWith(`${ambiguity.key}/`) ? (
          <CallMarks
            key={entry.seq}
            calls={sharedCallsOf(entry)}
            what={`fresh hearing ${entry.key.replace(/^.*-/, '')}`}
            onInspect={onInspect}
          />
        ) : null,
      )}
    </div>
  );
}

/** The two labels in dispute, and who argues for which. */
function Sides({ dispute: { assigned, pleadings } }: { dispute: Dispute }) {
  if (assigned === null) return null;
  const roleOf = (first: boolean) => pleadings.find((pleading) => pleading.first === first)?.role ?? '';
  const rows = [
    { name: 'A1', what: 'most likely', label: assigned.prediction, role: roleOf(true) },
    { name: 'A2', what: 'alternative', label: assigned.alternative, role: roleOf(false) },
  ];
  return (
    <>
      <dl className={styles.sides}>
        {rows.map(({ name, what, label, role }) => (
          <div key={name} className={styles[sideOf(role)]}>
            <dt>
              {name} <span className={styles.quiet}>{what}</span>
            </dt>
            <dd>
              <b>
                <Label text={label} />
              </b>
              <span>argued by the {speakerName(role).toLowerCase()}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.quiet}>{assignmentWords(assigned)}</p>
    </>
  );
}

/** The preliminary hearing: what the clerk finds from the facts alone. */
export function HearingPart({
  dispute,
  state: { writing, line, entries },
  calls,
  allOpen,
  onInspect,
}: LayoutProperties & { dispute: Dispute }) {
  const { hearing, ambiguity } = dispute;
  return (
    <Part
      title="Preliminary hearing"
      aside={
        hearing === null ? undefined : (
          <CallMarks calls={calls.get(hearing.seq) ?? []} what="the preliminary hearing" onInspect={onInspect} />
        )
      }
    >
      {hearing === null ? (
        line.status === 'running' ? (
          <InProgress writing={writing} step="hearing/clerk" fields={[]} />
        ) : (
          <p>The clerk gave no answer that holds: there was nothing to try.</p>
        )
      ) : (
        <>
          <p>
            The clerk finds <Label text={labelWords(hearing.prediction)} /> most likely
            {hearing.confidence === null ? '' : `, ${percent(hearing.confidence)} sure`}, from the facts alone.
          </p>
          <Sides dispute={dispute} />
          {ambiguity === null ? null : <Ambiguity ambiguity={ambiguity} entries={entries} onInspect={onInspect} />}
          <Fold key={String(allOpen)} title="What the clerk thought" aside="read by no other role" defaultExpanded={allOpen}>
            <div className={styles.precedent}>
              <Speech text={hearing.notes} look="private" />
              {hearing.belief === null ? null : <Distribution belief={hearing.belief} title="Belief of the clerk" />}
            </div>
          </Fold>
        </>
      )}
    </Part>
  );
}
