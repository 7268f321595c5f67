import { type Debate, positionWords } from '../../../../core/figures/debateRounds.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { speakerName } from '../../../../core/figures/speakers.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { Distribution } from '../parts/Distribution.tsx';
import { InProgress } from '../parts/InProgress.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import styles from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import { labelWords } from '../words.ts';

const sides = ['prosecution', 'defense'] as const;

function Positions({ positions, isExchanged }: { positions: NonNullable<Debate['positions']>; isExchanged: boolean }) {
  return (
    <>
      <dl className={styles.sides}>
        {Object.entries(positions.positions).map(([role, position], index) => (
          <div key={role} className={styles[sides[index] ?? 'neutral']}>
            <dt>{speakerName(role)}</dt>
            <dd>
              <b>
                <Label text={labelWords(position)} />
              </b>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.quiet}>{positionWords(positions, isExchanged)}</p>
    </>
  );
}

/** O_0: what the judge answers from the facts alone, and what the debaters have to hold after it. */
export function FirstOpinion({
  debate: { initial, positions },
  state: { writing, line },
  calls,
  allOpen,
  onInspect,
}: LayoutProperties & { debate: Debate }) {
  return (
    <Part
      title="First opinion"
      aside={
        initial === null ? undefined : (
          <CallMarks calls={calls.get(initial.seq) ?? []} what="the first opinion" onInspect={onInspect} />
        )
      }
    >
      {initial === null ? (
        line.status === 'running' ? (
          <InProgress writing={writing} step="initial/judge" fields={[]} />
        ) : (
          <p>The judge gave no answer that holds: there was nothing to debate.</p>
        )
      ) : (
        <>
          <p>
            From the facts alone the judge answers{' '}
            <b>
              <Label text={labelWords(initial.prediction)} />
            </b>
            {initial.confidence === null ? '' : `, ${percent(initial.confidence)} sure`}.
          </p>
          {positions === null ? null : <Positions positions={positions} isExchanged={line.swap === 'sides'} />}
          <Fold key={String(allOpen)} title="What the judge thought" aside="read by no other role" defaultExpanded={allOpen}>
            <div className={styles.precedent}>
              <Speech text={initial.notes} look="private" />
              {initial.belief === null ? null : <Distribution belief={initial.belief} title="First belief of the judge" />}
            </div>
          </Fold>
        </>
      )}
    </Part>
  );
}
