import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { heardInPlace, notHeard } from '../../../core/telling/unheard.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { experimentsCrumb, toExperiment, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Stated } from '../../charts/beliefTimeline/Stated.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { DemoBanner, FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { titleOf } from '../experiments/shownExperiments.ts';
import type { TurnItem } from '../trial/courtItems.ts';
import { heardIn, recordedIn } from '../trial/finding.ts';
import { NeighbourButtons } from '../trial/NeighbourButtons.tsx';
import telling from '../trial/telling/Telling.module.css';
import { openingState } from '../trial/trialState.ts';
import { type Court, useCourt } from '../trial/useCourt.ts';
import { verdictOf } from '../trial/words.ts';
import { align, byPosition, correspond, differencesOf, type Piece } from './alignment.ts';
import { columnTitle, originalFirst } from './columns.ts';
import { differingFacts } from './factsApart.ts';
import styles from './SideBySide.module.css';

function Words({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <p dir="auto" className={styles.words}>
      {pieces.map(({ text, isOwn }, index) => {
        const Part = isOwn ? 'mark' : 'span';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
          <Part key={index}>
            <HiddenText text={text} />
          </Part>
        );
      })}
    </p>
  );
}

interface Side {
  readonly court: Court;
  /** What is not there yet may still be said. */
  readonly isOver: boolean;
}

const whole = (text: string): Piece[] => (text === '' ? [] : [{ text, isOwn: false }]);

/** By words that the court did not hear, and by those that it heard instead. */
const Mark = ({ children }: { children: string }) => (
  <div>
    <Pill tone="warn">{children}</Pill>
  </div>
);

/** A turn as the court heard it, and below it what was said that it did not hear. */
function Turn({ turn, side: { court, isOver }, pieces }: { turn: TurnItem | null; side: Side; pieces: readonly Piece[] }) {
  if (turn === null) return <p className={`quiet ${styles.missing}`}>{isOver ? 'Only in the other trial.' : 'Not said yet.'}</p>;
  const step = court.timeline.rows[court.turns.indexOf(turn)]?.step ?? null;
  return (
    <div className={`stack gap-6 content-start min-w-0 ${styles.turn} ${telling[turn.side]}`}>
      {typeof turn.heardInstead === 'string' ? <Mark>{heardInPlace}</Mark> : null}
      {pieces.length > 0 ? (
        <Words pieces={pieces} />
      ) : turn.heardInstead === undefined ? (
        <p className="quiet">{turn.form === 'forfeit' ? 'The turn was forfeited.' : 'Nothing was said aloud.'}</p>
      ) : null}
      {turn.heardInstead === undefined ? null : (
        <>
          <Mark>{notHeard}</Mark>
          <div className="quiet">
            <Words pieces={whole(recordedIn(turn))} />
          </div>
        </>
      )}
      {step === null ? null : <Stated step={step} />}
    </div>
  );
}

interface Beside {
  readonly a: TurnItem | null;
  readonly b: TurnItem | null;
  readonly sides: readonly [Side, Side];
}

/** Two turns in one row by their place alone, each with its own name. */
function Placed({ a, b, sides }: Beside) {
  return (
    <li className={styles.row}>
      {[a, b].map((turn, place) =>
        turn === null ? (
          <span key={place === 0 ? 'a' : 'b'} />
        ) : (
          <div key={place === 0 ? 'a' : 'b'} className="stack gap-6 content-start min-w-0">
            <h3 className={styles.name}>
              <bdi>{turn.who}</bdi> <span className="quiet">{turn.what}</span>
            </h3>
            <Turn turn={turn} side={sides[place === 0 ? 0 : 1]} pieces={whole(heardIn(turn))} />
          </div>
        ),
      )}
    </li>
  );
}

function Row({ a, b, sides }: Beside) {
  const [textA, textB] = [heardIn(a), heardIn(b)];
  const found = useMemo(() => (textA === '' || textB === '' ? null : differencesOf(textA, textB)), [textA, textB]);
  const named = a ?? b;
  const note =
    textA !== '' && textA === textB
      ? 'identical'
      : a !== null && b !== null && a.heardInstead !== b.heardInstead
        ? 'the courts heard different words'
        : found === null && textA !== '' && textB !== ''
          ? 'too different to mark'
          : null;
  return (
    <li className={styles.row}>
      <h3 className={styles.name}>
        <bdi>{named?.who}</bdi> <span className="quiet">{named?.what}</span>
        {note === null ? null : <span className="quiet"> · {note}</span>}
      </h3>
      <Turn turn={a} side={sides[0]} pieces={found?.a ?? whole(textA)} />
      <Turn turn={b} side={sides[1]} pieces={found?.b ?? whole(textB)} />
    </li>
  );
}

function Head({ view, other }: { view: TrialView; other: TrialView }) {
  const { line } = view;
  const { before, label, after, tone } = verdictOf(line);
  return (
    <div className="stack gap-4 min-w-0">
      <h2 className={styles.arm}>
        <Link href={toTrial(line.trial)}>
          <Isolated text={columnTitle(view, other)} />
        </Link>
      </h2>
      <p className={tone === 'good' ? 'text-good' : tone === 'bad' ? 'text-bad' : undefined}>
        {label === null ? before : <Isolated text={label} />}
        {after}
      </p>
    </div>
  );
}

function Both({ pair: [a, b] }: { pair: readonly [TrialView, TrialView] }) {
  const states = useMemo(() => [openingState(a), openingState(b)] as const, [a, b]);
  const courts = [useCourt(a, states[0]), useCourt(b, states[1])] as const;
  const facts = differingFacts(a, b);
  const isRetrial = facts !== null || (a.line.case === b.line.case && b.line.change !== undefined);
  const sides = [
    { court: courts[0], isOver: a.line.status === 'done' },
    { court: courts[1], isOver: b.line.status === 'done' },
  ] as const;
  const [one, other] = [courts[0].turns, courts[1].turns];
  const sameProtocol = a.line.protocol === b.line.protocol;
  const aligned = useMemo(
    () => (sameProtocol ? align(one, other, ({ role, what }) => `${role}\n${what}`) : null),
    [one, other, sameProtocol],
  );
  const isCompared = aligned !== null && correspond(aligned);
  const rows = isCompared ? aligned : byPosition(one, other);
  const Shown = isCompared ? Row : Placed;
  return (
    <div className="stack gap-14">
      {a.line.standin || b.line.standin ? <DemoBanner /> : null}
      {a.line.case === b.line.case ? null : (
        <Notice tone="warn">
          <p>
            These are two cases: <Isolated text={a.line.case} /> and <Isolated text={b.line.case} />.
          </p>
        </Notice>
      )}
      {facts === null ? null : (
        <Notice tone="warn">
          <HiddenText text={facts} />
        </Notice>
      )}
      <div className={styles.heads}>
        <Head view={a} other={b} />
        <Head view={b} other={a} />
      </div>
      <p className="quiet">
        {isCompared
          ? 'Words that the other trial does not have are marked.'
          : `${sameProtocol ? 'Few of the speeches have a counterpart' : 'The two trials follow different protocols'}: each is in its own order, and they are not compared sentence by sentence.`}{' '}
        Plans and notes are on each trial's own screen.
      </p>
      {isRetrial ? (
        <p className="quiet">
          One pair of trials can differ by chance alone.
          {b.others.some(({ change }) => change?.kind === 'seed') ? (
            <>
              {' '}
              <Link href={toExperiment(b.line.experiment)}>The trials that were repeated without a change</Link> show how often.
            </>
          ) : null}
        </p>
      ) : null}
      <ol className="stack gap-16" aria-label="Utterances side by side">
        {rows.map((row) => (
          <Shown key={`${row.a?.id} ${row.b?.id}`} a={row.a} b={row.b} sides={sides} />
        ))}
      </ol>
    </div>
  );
}

function titleOfBoth(a: TrialView | undefined, b = a): string {
  if (a === undefined || b === undefined) return 'Two trials';
  if (a.title !== null || b.title !== null) return 'Two trials, side by side';
  const [one, other] = [a.line.case, b.line.case];
  return one === other ? `Case ${one}, side by side` : `Cases ${one} and ${other}, side by side`;
}

/** Two trials, utterance by utterance. Its address names both, so that it can be kept. */
export default function SideBySideScreen({ trial, other }: { trial: string; other: string }) {
  const api = useApi();
  const titles = useSettings().data?.experiments ?? [];
  const [a, b] = useQueries({
    queries: [trial, other].map((each) => ({
      queryKey: ['trials', 'read', each],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.trials.read({ trial: each }, { signal }),
      refetchOnMount: 'always' as const,
      gcTime: 0,
    })),
  });
  const failed = [a, b].find((reading) => reading?.isError);
  const line = a?.data?.line;
  return (
    <Screen
      crumbs={[
        experimentsCrumb,
        ...(line === undefined ? [] : [{ label: titleOf(titles, line.experiment), to: toExperiment(line.experiment) }]),
      ]}
      title={titleOfBoth(a?.data, b?.data)}
      subtitle={a?.data === undefined ? undefined : <HiddenText text={a.data.question} />}
      actions={<NeighbourButtons line={null} />}
    >
      {failed === undefined ? null : <FailureNotice error={failed.error} onRetry={failed.refetch} />}
      {a?.data === undefined || b?.data === undefined ? (
        failed === undefined ? (
          <p className="quiet">Reading the record…</p>
        ) : null
      ) : (
        <Both pair={originalFirst(a.data, b.data)} />
      )}
    </Screen>
  );
}
