import {
  type DebateRound,
  type Debater,
  type DebateTurn,
  rounded,
  settlementWords,
} from '../../../../core/figures/debateRounds.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { Pill } from '../../../ui/Pill.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { HeardSpeech } from '../parts/HeardSpeech.tsx';
import { InProgress } from '../parts/InProgress.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import { failureWords, labelWords } from '../words.ts';
import styles from './Debate.module.css';

type Properties = LayoutProperties & { round: DebateRound };

const sides = ['first', 'second'] as const;

function Turn({
  turn: { speech, forfeit },
  title,
  step,
  field,
  debater,
  view,
  state,
  calls,
  onInspect,
}: Properties & { turn: DebateTurn; title: string; step: string; field: string; debater: Debater }) {
  const entry = speech ?? forfeit;
  return (
    <div className={styles.turn}>
      <div className={styles.turnHead}>
        <h4>{title}</h4>
        {entry === null ? null : (
          <CallMarks
            calls={calls.get(entry.seq) ?? []}
            what={`the ${field} of debater ${debater.number}`}
            onInspect={onInspect}
          />
        )}
      </div>
      {forfeit !== null ? (
        <p className={parts.bad}>{failureWords[forfeit.failure]} The others were told that nothing was said.</p>
      ) : speech === null ? (
        state.line.status === 'running' ? (
          <InProgress writing={state.writing} step={step} fields={[field]} />
        ) : (
          <p className={parts.quiet}>Was not heard.</p>
        )
      ) : (
        <HeardSpeech speech={speech} facts={view.facts} />
      )}
    </div>
  );
}

/** A number from 0 to 1 as a bar, with the threshold that it is held against. */
function Measure({ name, value, threshold }: { name: string; value: number; threshold?: number }) {
  return (
    <div className={styles.measure}>
      <dt>{name}</dt>
      <dd>
        <span className={styles.scale} aria-hidden="true">
          <span className={styles.filled} style={{ inlineSize: `${value * 100}%` }} />
          {threshold === undefined ? null : (
            <span className={styles.threshold} style={{ insetInlineStart: `${threshold * 100}%` }} />
          )}
        </span>
      </dd>
      <dd>{rounded(value)}</dd>
    </div>
  );
}

function Reliability({ debater: { rating, unrated, number }, calls, onInspect }: Properties & { debater: Debater }) {
  if (unrated !== null) return <p className={parts.bad}>{failureWords[unrated.failure]} The answer was not rated.</p>;
  if (rating?.value == null) return null;
  return (
    <div className={styles.turn}>
      <dl>
        <Measure name="Reliability" value={rating.value} />
      </dl>
      <div className={styles.turnHead}>
        <span className={parts.quiet}>
          {rating.version === null ? 'rated by a model' : `rated by version ${rating.version} of the trained assistant`}
        </span>
        <CallMarks calls={calls.get(rating.seq) ?? []} what={`the rating of debater ${number}`} onInspect={onInspect} />
      </div>
    </div>
  );
}

function DebaterCard({ debater, ...rest }: Properties & { debater: Debater }) {
  const { number, position, assigned, opinion, answer } = debater;
  const key = `round-${rest.round.number}`;
  const look = assigned ? (sides[number - 1] ?? 'free') : 'free';
  return (
    <article className={`${styles.debater} ${styles[look]}`} aria-label={`Debater ${number}, round ${rest.round.number}`}>
      <div className={parts.seatHead}>
        <h3>
          Debater {number}
          {position === null ? (
            ', free to take a position'
          ) : (
            <>
              , for <Label text={labelWords(position)} />
            </>
          )}
        </h3>
        {assigned || position === null ? null : <Pill>free</Pill>}
      </div>
      <Turn
        turn={opinion}
        title="Opinion"
        step={`${key}/opinion/debater-${number}`}
        field="opinion"
        debater={debater}
        {...rest}
      />
      <Turn
        turn={answer}
        title="Answer to the others"
        step={`${key}/answer/debater-${number}`}
        field="reply"
        debater={debater}
        {...rest}
      />
      <Reliability debater={debater} {...rest} />
    </article>
  );
}

function Summary({ round: { summary, number }, allOpen, calls, onInspect }: Properties) {
  const { speech, forfeit } = summary;
  if (forfeit !== null) return <p className={parts.bad}>No summary could be had. {failureWords[forfeit.failure]}</p>;
  if (speech === null) return null;
  return (
    <Fold key={String(allOpen)} title="The summary that the judge read" aside="by the judge’s model" defaultExpanded={allOpen}>
      <div className={parts.precedent}>
        <Speech text={speech.text} />
        <CallMarks calls={calls.get(speech.seq) ?? []} what={`the summary of round ${number}`} onInspect={onInspect} />
      </div>
    </Fold>
  );
}

/** How the round was settled: what the judge said itself, and what its opinion is after it. */
function Outcome({ round: { settled, opinion, lost, number }, calls, onInspect }: Properties) {
  if (settled === null || opinion === null) {
    return lost === null ? null : (
      <p className={parts.bad}>{failureWords[lost.failure]} The judge gave no answer in this round.</p>
    );
  }
  const { judge, mean, threshold, result, tie, weight } = settled;
  return (
    <div className={styles.outcome}>
      <div className={parts.seatHead}>
        <h3>The judge after round {number}</h3>
        <CallMarks calls={calls.get(opinion.seq) ?? []} what={`the opinion after round ${number}`} onInspect={onInspect} />
      </div>
      {mean === null ? null : (
        <dl>
          <Measure name="Mean reliability" value={mean} threshold={threshold} />
        </dl>
      )}
      <p className={parts.pills}>
        <Pill tone={result === 'passed' ? 'good' : 'warn'}>
          {result === 'passed' ? 'passed' : result === 'unreliable' ? 'did not pass' : 'not heard'}
        </Pill>
        <span>{settlementWords(settled)}</span>
        {tie ? <Pill>tie: the label before stays</Pill> : null}
      </p>
      {lost === null ? null : <p className={parts.bad}>{failureWords[lost.failure]} The judge gave no answer in this round.</p>}
      <dl className={styles.measures}>
        <div>
          <dt className={parts.quiet}>Own answer, with the summary</dt>
          <dd className={styles.step}>
            {judge === null ? (
              'none'
            ) : (
              <>
                <b>
                  <Label text={labelWords(judge.prediction)} />
                </b>
                {judge.confidence === null ? null : <span className={parts.quiet}>{percent(judge.confidence)} sure</span>}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt className={parts.quiet}>
            Opinion after the round{settled.kept === 'smoothed' ? `, weight ${rounded(weight)}` : ''}
          </dt>
          <dd className={styles.step}>
            <b>
              <Label text={labelWords(opinion.prediction)} />
            </b>
            {opinion.confidence === null ? null : <span className={parts.quiet}>{percent(opinion.confidence)}</span>}
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** One round: the debaters face to face, what their answers are worth, and what the judge makes of it. */
export function RoundPart({ round, of, ...rest }: Properties & { of: number }) {
  return (
    <Part title={`Round ${round.number} of ${of}`} aside="opinions first, none knowing the others; then the answers to them">
      <div className={styles.debaters}>
        {round.debaters.map((debater) => (
          <DebaterCard key={debater.role} debater={debater} round={round} {...rest} />
        ))}
      </div>
      <Summary round={round} {...rest} />
      <Outcome round={round} {...rest} />
    </Part>
  );
}
