import { briefly } from '../../../../core/figures/exchangeMeasures.ts';
import { agents, type DebateRound, type DebateTurn } from '../../../../core/figures/exchanges.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { sideOf, speakerName } from '../../../../core/figures/speakers.ts';
import { Pill } from '../../../ui/Pill.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { InProgress } from '../parts/InProgress.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import { failureWords, labelWords } from '../words.ts';
import styles from './Evince.module.css';

type TurnProperties = LayoutProperties & { round: DebateRound; turn: DebateTurn };

/** Label, confidence, score and gate of a turn. */
function Stand({ turn: { belief, crit, role }, round: { exchange } }: Pick<TurnProperties, 'turn' | 'round'>) {
  if (belief === null) return null;
  const side = exchange?.sides[role];
  return (
    <>
      <p className={styles.stands}>
        <b>
          <Label text={labelWords(belief.prediction)} />
        </b>
        <span className={parts.quiet}>
          {belief.confidence === null ? 'no probability stated' : percent(belief.confidence)}
          {crit === null ? '' : ` · CRIT ${briefly(crit / 10)} of 1`}
        </span>
      </p>
      {side?.admitted === false || belief.inconsistent ? (
        <p className={parts.pills}>
          {side?.admitted === false ? <Pill tone="warn">held back</Pill> : null}
          {belief.inconsistent ? <Pill tone="warn">belief and label disagree</Pill> : null}
        </p>
      ) : null}
      {side?.admitted === false ? <p className={parts.quiet}>The other agent did not read these arguments.</p> : null}
    </>
  );
}

function Turn(properties: TurnProperties) {
  const { round, turn, view, state, calls, onInspect } = properties;
  const { role, speech, forfeit } = turn;
  const name = speakerName(role);
  const entry = speech ?? forfeit;
  return (
    <article
      className={`${parts.argument} ${parts[sideOf(role)]} ${forfeit === null ? '' : parts.lost}`}
      aria-label={`${name}, round ${round.number}`}
    >
      <div className={parts.seatHead}>
        <h4>{name}</h4>
        {entry === null ? null : (
          <CallMarks
            calls={calls.get(entry.seq) ?? []}
            what={`the answer of ${name} in round ${round.number}`}
            onInspect={onInspect}
          />
        )}
      </div>
      {forfeit !== null ? (
        <p className={parts.bad}>{failureWords[forfeit.failure]} What this agent stated last holds on.</p>
      ) : speech !== null ? (
        <>
          <Stand turn={turn} round={round} />
          <Speech text={speech.text} facts={view.facts} />
        </>
      ) : state.line.status === 'running' ? (
        <InProgress writing={state.writing} step={`round-${round.number}/${role}`} fields={['arguments']} />
      ) : (
        <p className={parts.quiet}>Was not heard.</p>
      )}
    </article>
  );
}

/** The answers of each round side by side. */
export function RoundsPart({ rounds, ...rest }: LayoutProperties & { rounds: readonly DebateRound[] }) {
  if (rounds.length === 0) return null;
  return (
    <Part title="The debate" aside="in each round Agent B has read what Agent A has just said">
      {rounds.map((round) => {
        const k = round.exchange?.contentiousness ?? null;
        return (
          <section key={round.number} className={styles.round} aria-label={`Round ${round.number}`}>
            <div className={styles.roundHead}>
              <h3>Round {round.number}</h3>
              <span className={parts.quiet}>
                {k === null ? '' : `contentiousness ${briefly(k)} of 1`}
                {round.exchange === null ? '' : `${k === null ? '' : ' · '}WD ${briefly(round.exchange.wd)}`}
              </span>
            </div>
            <div className={parts.pair}>
              {agents.map((role) => (
                <Turn key={role} round={round} turn={round.turns[role]} {...rest} />
              ))}
            </div>
          </section>
        );
      })}
    </Part>
  );
}
