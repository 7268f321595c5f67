import { useMemo } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import { linesOf } from '../../../core/telling/blocks.ts';
import type { ToldStep } from '../../../core/telling/steps.ts';
import { heardInPlace, notHeard } from '../../../core/telling/unheard.ts';
import { differencesOf, type Piece } from '../../../core/text/differences.ts';
import { Stated } from '../../charts/beliefTimeline/BeliefTimeline.tsx';
import { IsolatedSet } from '../../ui/HiddenText.tsx';
import { MarkedWords } from '../../ui/MarkedWords.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { CommentsOfTrial } from '../trial/comments/Comments.tsx';
import type { TurnItem } from '../trial/courtItems.ts';
import { heardIn, recordedIn } from '../trial/finding.ts';
import { StepNote, StepNotes } from '../trial/StepNote.tsx';
import { Blocks } from '../trial/telling/Blocks.tsx';
import telling from '../trial/telling/Telling.module.css';
import type { Court } from '../trial/useCourt.ts';
import { type Aligned, type Item, notesIn } from './comparing.ts';
import styles from './SideBySide.module.css';

export interface Side {
  readonly trial: string;
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

function Steps({ steps, others }: { steps: readonly ToldStep[]; others: readonly ToldStep[] | null }) {
  if (others === null) return <StepNotes steps={steps} />;
  const textOf = ({ blocks }: ToldStep) => linesOf(blocks).join('\n');
  return steps.map((step) => {
    const other = others.find(({ title }) => title === step.title);
    if (other === undefined) return <StepNote key={step.seq} step={step} note="only in this trial" />;
    if (textOf(step) === textOf(other)) return <StepNote key={step.seq} step={step} note="identical" />;
    const found = differencesOf(textOf(step), textOf(other));
    return found === null ? (
      <StepNote key={step.seq} step={step} note="too different to mark" />
    ) : (
      <StepNote key={step.seq} step={step}>
        <MarkedWords pieces={found.a} />
      </StepNote>
    );
  });
}

/** What was settled or said in a row, as the court heard it, and below it what was said that it did not hear. */
function Heard({
  item,
  other = null,
  side,
  pieces,
}: {
  item: Item | null;
  /** The one of the other trial that it is compared with; null where there is none. */
  other?: Item | null;
  side: Side;
  pieces: readonly Piece[];
}) {
  if (item === null)
    return <p className={`quiet ${styles.missing}`}>{side.isOver ? 'Only in the other trial.' : 'Not said yet.'}</p>;
  return (
    <div className="stack gap-6 content-start min-w-0">
      <Steps steps={item.steps} others={other?.steps ?? null} />
      {item.kind === 'turn' ? <Turn turn={item} side={side} pieces={pieces} /> : null}
      {item.kind === 'turn' ? <Steps steps={item.scores} others={other?.kind === 'turn' ? other.scores : null} /> : null}
    </div>
  );
}

const shownWords = (item: Item | null): string => heardIn(item) || notesIn(item);

/** The words of a turn, or why there are none. */
function Said({ turn: { form, heardInstead }, pieces }: { turn: TurnItem; pieces: readonly Piece[] }) {
  if (pieces.length > 0)
    return (
      <>
        {form === 'silent' ? <p className="quiet">Private notes, read by no other role:</p> : null}
        <MarkedWords pieces={pieces} />
      </>
    );
  if (heardInstead !== undefined || form === 'silent' || form === 'ruling') return null;
  return <p className="quiet">{form === 'forfeit' ? 'The turn was forfeited.' : 'Nothing was said aloud.'}</p>;
}

/** What a speaker says of its speech, such as what it took from outside the facts; it follows the words. */
const ofSpeech = ({ form, said }: TurnItem) =>
  form === 'utterance'
    ? said.slice(said.findLastIndex(({ kind }) => kind === 'speech') + 1).filter(({ kind }) => kind === 'words')
    : [];

/** The label that a voter named, which its belief does not show where two labels are equally likely. */
const Vote = ({ turn: { beliefs } }: { turn: TurnItem }) =>
  beliefs.map((each) =>
    each.kind !== 'belief' || !each.role.startsWith('voter') ? null : (
      <p key={each.seq}>
        Vote: <IsolatedSet of={each.prediction} />
        {each.confidence === null ? '' : `, ${percent(each.confidence)} sure`}
      </p>
    ),
  );

function Turn({ turn, side: { trial, court }, pieces }: { turn: TurnItem; side: Side; pieces: readonly Piece[] }) {
  const isOneOfSeveral = court.timeline.rows.some((row) => row.others.length > 0);
  const { step = null, others = [] } = court.timeline.rows[court.turns.indexOf(turn)] ?? {};
  return (
    <div className={`stack gap-6 content-start min-w-0 whole-on-paper ${styles.turn} ${telling[turn.side]}`}>
      {typeof turn.heardInstead === 'string' ? <Mark>{heardInPlace}</Mark> : null}
      {turn.form === 'ruling' ? (
        <Blocks blocks={turn.said.filter(({ kind }) => kind === 'words')} level={3} name={turn.id} />
      ) : null}
      <Vote turn={turn} />
      <Said turn={turn} pieces={pieces} />
      {turn.heardInstead === undefined ? null : (
        <>
          <Mark>{notHeard}</Mark>
          <div className="quiet">
            <MarkedWords pieces={whole(recordedIn(turn))} />
          </div>
        </>
      )}
      <Blocks blocks={ofSpeech(turn)} level={3} name={`${turn.id} own`} />
      <CommentsOfTrial trial={trial} utterance={turn.seq} />
      {step === null ? null : <Stated step={step} aside={isOneOfSeveral} />}
      {others.map((other) => (
        <Stated key={other.seq} step={other} aside />
      ))}
    </div>
  );
}

function Name({ item, note = null }: { item: Item | null; note?: string | null }) {
  return (
    <h3 className="whole-row font-600">
      {item?.kind === 'turn' ? (
        <>
          <bdi>{item.who}</bdi> <span className="quiet">{item.what}</span>
        </>
      ) : (
        'Settled at the end'
      )}
      {note === null ? null : <span className="quiet"> · {note}</span>}
    </h3>
  );
}

interface RowProps {
  readonly row: Aligned<Item>;
  readonly sides: readonly [Side, Side];
}

/** Two turns in one row by their place alone, each with its own name. */
export function Placed({ row, sides }: RowProps) {
  return (['a', 'b'] as const).map((which, place) => {
    const item = row[which];
    return item === null ? (
      <span key={which} />
    ) : (
      <div key={which} className="stack gap-6 content-start min-w-0">
        <Name item={item} />
        <Heard item={item} side={sides[place === 0 ? 0 : 1]} pieces={whole(shownWords(item))} />
      </div>
    );
  });
}

function noteOf({ a, b }: Aligned<Item>, isTooDifferent: boolean): string | null {
  const shown = shownWords(a);
  if (shown !== '' && shown === shownWords(b)) return 'identical';
  if (a?.kind === 'turn' && b?.kind === 'turn' && a.heardInstead !== b.heardInstead) return 'the courts heard different words';
  return isTooDifferent ? 'too different to mark' : null;
}

export function Matched({ row, sides }: RowProps) {
  const { a, b } = row;
  const [textA, textB] = [shownWords(a), shownWords(b)];
  const isBoth = textA !== '' && textB !== '';
  const found = useMemo(() => (isBoth ? differencesOf(textA, textB) : null), [isBoth, textA, textB]);
  return (
    <>
      <Name item={a ?? b} note={noteOf(row, isBoth && found === null)} />
      <Heard item={a} other={b} side={sides[0]} pieces={found?.a ?? whole(textA)} />
      <Heard item={b} other={a} side={sides[1]} pieces={found?.b ?? whole(textB)} />
    </>
  );
}
