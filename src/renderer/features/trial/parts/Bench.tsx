import type { Seat } from '../../../../core/figures/bench.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { sideOf, speakerName } from '../../../../core/figures/speakers.ts';
import { Pill } from '../../../ui/Pill.tsx';
import { CallMarks } from '../CallMarks.tsx';
import { Speech } from '../Speech.tsx';
import type { CallEntry } from '../trialCalls.ts';
import type { Writing } from '../trialState.ts';
import { failureWords, labelWords } from '../words.ts';
import { InProgress } from './InProgress.tsx';
import { Label } from './Label.tsx';
import styles from './Parts.module.css';

export interface BenchProperties {
  /** Roles of the bench in their order, also those that have not spoken. */
  readonly roles: readonly string[];
  readonly seats: readonly Seat[];
  /** Key of a role's step in the protocol. */
  readonly stepOf: (role: string) => string;
  /** Each knows what those before it have found. */
  readonly inTurn: boolean;
  readonly running: boolean;
  /** Label -> the role that argues for it. */
  readonly advocates: Readonly<Record<string, string>>;
  readonly writing: readonly Writing[];
  readonly calls: ReadonlyMap<number, readonly CallEntry[]>;
  readonly onInspect: (key: string) => void;
}

type SeatProperties = Omit<BenchProperties, 'roles' | 'seats'> & { role: string; seat: Seat | null; before: Seat | null };

function Change({ seat, before }: { seat: Seat; before: Seat | null }) {
  if (seat.changed === null || before === null) return null;
  return seat.changed ? (
    <Pill tone="warn">
      changes from <Label text={labelWords(before.vote?.prediction ?? null)} />
    </Pill>
  ) : (
    <Pill>as the one before</Pill>
  );
}

function Vote({
  seat,
  before,
  inTurn,
  advocates,
}: Pick<SeatProperties, 'inTurn' | 'advocates'> & { seat: Seat; before: Seat | null }) {
  const { vote, reason, outside } = seat;
  if (vote === null) return null;
  const label = labelWords(vote.prediction);
  const advocate = advocates[label];
  return (
    <>
      <p className={styles.vote}>
        <b>
          <Label text={label} />
        </b>
        <span className={styles.quiet}>
          {vote.confidence === null ? 'no confidence stated' : `${percent(vote.confidence)} sure`}
          {advocate === undefined ? '' : `, with the ${speakerName(advocate).toLowerCase()}`}
        </span>
      </p>
      {vote.confidence === null ? null : (
        <span className={styles.track} aria-hidden="true">
          <span className={styles.fill} style={{ inlineSize: `${vote.confidence * 100}%` }} />
        </span>
      )}
      {outside || vote.inconsistent || (inTurn && seat.changed !== null) ? (
        <p className={styles.pills}>
          {inTurn ? <Change seat={seat} before={before} /> : null}
          {outside ? <Pill tone="warn">a label that nobody argued for</Pill> : null}
          {vote.inconsistent ? <Pill tone="warn">belief and label disagree</Pill> : null}
        </p>
      ) : null}
      <Speech text={reason} look="private" />
    </>
  );
}

function SeatCard({ role, seat, before, stepOf, inTurn, running, advocates, writing, calls, onInspect }: SeatProperties) {
  const entry = seat?.vote ?? seat?.forfeit ?? null;
  const label = seat?.vote === null || seat === null ? '' : labelWords(seat.vote.prediction);
  const side = advocates[label] === undefined ? 'neutral' : sideOf(advocates[label]);
  return (
    <li className={`${styles.seat} ${styles[side]} ${seat?.forfeit == null ? '' : styles.lost}`}>
      <div className={styles.seatHead}>
        <h3>{speakerName(role)}</h3>
        {entry === null ? null : (
          <CallMarks calls={calls.get(entry.seq) ?? []} what={`the vote of ${speakerName(role)}`} onInspect={onInspect} />
        )}
      </div>
      {seat === null ? (
        running ? (
          <InProgress writing={writing} step={stepOf(role)} fields={['reason']} />
        ) : (
          <p className={styles.quiet}>Was not heard.</p>
        )
      ) : seat.forfeit === null ? (
        <Vote seat={seat} before={before} inTurn={inTurn} advocates={advocates} />
      ) : (
        <p className={styles.bad}>{failureWords[seat.forfeit.failure]} The bench went on without this vote.</p>
      )}
    </li>
  );
}

/** The judges or voters with what each finds: side by side, or as a chain where each knows those before it. */
export function Bench({ roles, seats, ...rest }: BenchProperties) {
  const byRole = new Map(seats.map((seat) => [seat.role, seat]));
  return (
    <ol className={rest.inTurn ? styles.chain : styles.bench}>
      {roles.map((role, index) => {
        const before = roles
          .slice(0, index)
          .flatMap((other) => byRole.get(other) ?? [])
          .findLast(({ vote }) => vote !== null);
        return <SeatCard key={role} role={role} seat={byRole.get(role) ?? null} before={before ?? null} {...rest} />;
      })}
    </ol>
  );
}
