import { Fragment, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { isPair, shownShares } from '../../../core/figures/beliefChanges.ts';
import { computedOpinion } from '../../../core/figures/debateRounds.ts';
import { percent } from '../../../core/figures/shares.ts';
import { theSpeaker } from '../../../core/figures/speakers.ts';
import type { Block } from '../../../core/telling/blocks.ts';
import { triedOnce } from '../../../core/telling/findingTexts.ts';
import { changeOfLabel, greatestChanges, lastAnswerChange, stretchOf } from '../../../core/telling/movers.ts';
import { notesFold } from '../../../core/telling/rows.ts';
import { accuracyTexts, markCounts } from '../../../core/text/unfoundedAccuracy.ts';
import {
  checkAccuracyTitle,
  outsideBySpeech,
  outsideText,
  type UnfoundedCounts,
  unfoundedText,
} from '../../../core/text/unfoundedSpeeches.ts';
import type { TranscriptEntry, TrialView } from '../../../shared/api/trials.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import { demoTieText } from '../../../shared/demoModel.ts';
import type { Prediction } from '../../../shared/domain.ts';
import { isImported } from '../../../shared/imported.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { BeliefSparkline } from '../../charts/beliefTimeline/BeliefTimeline.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Isolated, IsolatedSet, Paragraph } from '../../ui/HiddenText.tsx';
import { toneLook } from '../../ui/Pill.tsx';
import { BeliefNote, ConfidenceNote, InLabel, tie } from './CertaintyNotes.tsx';
import type { TurnItem } from './courtItems.ts';
import { heardIn, recordedIn } from './finding.ts';
import styles from './TrialSummary.module.css';
import { Blocks } from './telling/Blocks.tsx';
import { useDrawing } from './telling/drawing.ts';
import telling from './telling/Telling.module.css';
import type { Court } from './useCourt.ts';
import { verdictOf } from './words.ts';

const mostMovers = 3;

interface Mover {
  readonly turn: TurnItem;
  /** Of the belief. */
  readonly seq: number;
  readonly where: string;
  readonly change: NonNullable<ReturnType<typeof changeOfLabel>>;
  /** The answer from here to the end, where it was another before. */
  readonly answer: Prediction;
}

/** Where the judge's belief changed most, first the greatest change, that with the ruling among them; the last is where its answer last changed, if no other is. */
function moversIn({ turns, beliefs, timeline: { role } }: Court): Mover[] {
  const last = lastAnswerChange(beliefs, role);
  const all = greatestChanges(beliefs, role).flatMap((step) => {
    const turn = turns.find((each) => each.beliefs.some(({ seq }) => seq === step.seq));
    const change = changeOfLabel(step);
    const isLast = step.seq === last?.seq;
    const isChanged = turn !== undefined && change !== null && (isLast || Math.abs(step.change ?? 0) > 1e-9);
    const answer = isLast ? step.prediction : null;
    return isChanged ? [{ turn, seq: step.seq, where: stretchOf(step, turns), change, answer }] : [];
  });
  const shown = all.slice(0, mostMovers);
  const ofAnswer = all.slice(mostMovers).find(({ answer }) => answer !== null);
  return ofAnswer === undefined ? shown : [...shown.slice(0, -1), ofAnswer];
}

/** The notes behind the first of these changes that has some, and where it was. */
function notedAt(movers: readonly Mover[]): { where: string; notes: Block } | null {
  for (const { turn, where, seq } of movers) {
    const belief = turn.beliefs.find((each) => each.seq === seq);
    const notes = belief?.kind === 'belief' ? notesFold(belief) : null;
    if (notes !== null) return { where, notes };
  }
  return null;
}

type OnGo = (turn: TurnItem) => void;

const GoTo = ({ turn, onGo, children }: { turn: TurnItem; onGo: OnGo; children: ReactNode }) => (
  <AriaButton className="as-link" onPress={() => onGo(turn)}>
    {children}
  </AriaButton>
);

const Places = ({ turns, onGo }: { turns: readonly TurnItem[]; onGo: OnGo }) =>
  turns.map((turn, place) => (
    <Fragment key={turn.id}>
      {place === 0 ? ' In: ' : '; '}
      <GoTo turn={turn} onGo={onGo}>
        {turn.who}, {turn.what}
      </GoTo>
    </Fragment>
  ));

/** What in the speeches and the ruling is not among the facts, as the program found and as the speakers say, and where it was said. */
function BesideFacts({ counts, court, onGo }: { counts: UnfoundedCounts; court: Court; onGo: OnGo }) {
  const { unfounded } = useDrawing();
  const speeches = court.turns.filter(({ form }) => form === 'utterance');
  const aloud = court.turns.filter(({ form }) => form === 'utterance' || form === 'ruling');
  const named = outsideBySpeech(court.around.entries);
  const outside = outsideText(court.around.entries);
  return (
    <div>
      <p className="quiet">
        {unfoundedText(counts)}
        <Places turns={aloud.filter((turn) => unfounded(recordedIn(turn)).length > 0)} onGo={onGo} />
      </p>
      {outside === null ? null : (
        <p className="quiet">
          {outside}
          <Places turns={speeches.filter(({ seq }) => (named.get(seq) ?? 0) > 0)} onGo={onGo} />
        </p>
      )}
      <Fold title={checkAccuracyTitle} level={4}>
        <p className="quiet">{accuracyTexts(markCounts.heldOut).join(' ')}</p>
      </Fold>
    </div>
  );
}

function MoverItem({ mover: { turn, where, change, answer }, onGo }: { mover: Mover; onGo: OnGo }) {
  return (
    <li className={`stack gap-4 min-w-0 ${styles.mover} ${telling[turn.side]}`}>
      <span className="row justify-between gap-8">
        <GoTo turn={turn} onGo={onGo}>
          {where}
        </GoTo>
        <b>
          <Isolated text={change.label} /> {change.words}
        </b>
      </span>
      {answer === null ? null : (
        <span className="quiet">
          From here on the answer is <IsolatedSet of={answer} />; before, it was another.
        </span>
      )}
      {turn.heardInstead === null || turn.form !== 'utterance' ? null : (
        <Paragraph dir="auto" className="clamp-2 max-w-80ch serif-16 text-start" text={heardIn(turn)} />
      )}
    </li>
  );
}

/** `: 41% at first, 78% at the end`, of more than two labels with each: the ends of a drawn line; nothing where no share is known. */
function Ends({ timeline: { rows, ends } }: { timeline: Court['timeline'] }) {
  const shares = rows.flatMap(({ step }) => (step === null ? [] : shownShares(step).slice(0, 1)));
  const [first, last] = [shares[0], shares.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <>
      : {percent(first.share)} {ends === null ? <Isolated text={first.label} /> : null} at first, {percent(last.share)}{' '}
      {last.label === first.label ? null : <Isolated text={last.label} />} at the end
    </>
  );
}

const effectText = {
  corrected: 'it was wrong, and the deliberation corrected it',
  degraded: 'it was correct, and the deliberation made it wrong',
  stayed_right: 'the deliberation kept it',
  stayed_wrong: 'the deliberation did not correct it',
} as const;

/** Where a speech was heard before the first answer, what debate did is not known. */
const laterEffectText = {
  corrected: 'it was wrong, the ruling is right',
  degraded: 'it was correct, the ruling is wrong',
  stayed_right: 'the ruling is the same',
  stayed_wrong: 'the ruling is the same',
} as const;

/** Speeches before the first answer of the role that ruled; 0 where a hearing came first. */
function speechesBefore(entries: readonly TranscriptEntry[]): number {
  const ruling = entries.find(({ kind }) => kind === 'ruling');
  const beliefs = entries.filter((entry) => entry.kind === 'belief');
  const first = beliefs.find(({ role, prediction }) => role === ruling?.role && prediction !== null);
  if (first === undefined || beliefs.some(({ key }) => key.startsWith('hearing/'))) return 0;
  return entries.filter(({ kind, seq }) => kind === 'utterance' && seq < first.seq).length;
}

function FirstAnswer({ line, entries }: { line: TrialLine; entries: readonly TranscriptEntry[] }) {
  const { first_answer: first = null, prediction, deliberation = null, decided_by: by } = line;
  if (first === null || prediction === null) return null;
  const isKept = isSameSet([first].flat(), [prediction].flat());
  const speeches = speechesBefore(entries);
  const hearing = entries.find((entry) => entry.kind === 'belief' && entry.key.startsWith('hearing/'));
  const isOfAnother = hearing !== undefined && hearing.role !== entries.find(({ kind }) => kind === 'ruling')?.role;
  const effects = speeches === 0 ? effectText : laterEffectText;
  const effect = deliberation === null || by !== undefined ? null : effects[deliberation];
  return (
    <p className="quiet">
      First answer
      {isOfAnother ? `, of ${theSpeaker(hearing.role)}` : ''}
      {speeches === 0 ? '' : `, after the first ${speeches === 1 ? 'speech' : `${speeches} speeches`}`}:{' '}
      <IsolatedSet of={first} />
      {effect !== null ? `; ${effect}` : isKept ? `; ${effects.stayed_right}` : '; the ruling is another'}.
    </p>
  );
}

/** What became of a trial: verdict, first answer, the belief's course and largest change. @param onGo shows a speech */
export function TrialSummary({
  line,
  court,
  unfounded,
  view: { again, others, replicates },
  onGo,
}: {
  line: TrialLine;
  court: Court;
  unfounded: UnfoundedCounts | null;
  view: Pick<TrialView, 'again' | 'others' | 'replicates'>;
  onGo: OnGo;
}) {
  const { timeline } = court;
  const { label, before, after, tone } = verdictOf(line);
  const movers = moversIn(court);
  const isUntried = again === null && line.change === undefined && others.every(({ change }) => change === undefined);
  const judge = timeline.role === null ? null : theSpeaker(timeline.role);
  const followed = timeline.ends?.right ?? [line.prediction].flat()[0] ?? '';
  const computed = computedOpinion(court.around.entries, followed);
  const whose = computed === null ? `belief of ${judge}` : 'computed opinion';
  const noted = notedAt(movers);
  const last = court.beliefs.at(-1);
  const isTie = line.confidence !== null && last !== undefined && isPair(last) && percent(line.confidence) === percent(0.5);
  return (
    <section className={`stack gap-12 ${styles.summary}`} aria-label="In short">
      <h2 className="visually-hidden">In short</h2>
      <div className="stack gap-6 content-start min-w-0">
        <h3 className="eyebrow">Ruling</h3>
        <p className={`wrap-anywhere title-20 ${styles.verdict}`}>
          {label === null ? before : <IsolatedSet of={line.prediction} />} <span className={toneLook[tone]}>{after.trim()}</span>
          {line.confidence === null ? null : <ConfidenceNote line={line} />}
        </p>
        {isTie ? <p className="quiet">{[tie, demoTieText(line)].join(' ')}</p> : null}
        {line.correct === false ? (
          <p className="quiet">
            The {line.decided_by === undefined ? 'data set’s own label for this case' : labelNoun(line)} is{' '}
            <IsolatedSet of={line.truth} />.
          </p>
        ) : null}
        <FirstAnswer line={line} entries={court.around.entries} />
        {isUntried && replicates === 1 && line.status === 'done' && !isImported(line) ? (
          <p className="quiet">{triedOnce}</p>
        ) : null}
        {unfounded === null ? null : <BesideFacts counts={unfounded} court={court} onGo={onGo} />}
        {timeline.role === null || timeline.ofSets || timeline.isOnce ? null : (
          <div>
            <BeliefSparkline timeline={timeline} />
            <p className="quiet">
              {computed === null ? `Belief of ${judge}` : 'Computed opinion'}
              <InLabel of={timeline} />
              <Ends timeline={timeline} />
              {timeline.ends === null ? (
                ''
              ) : (
                <>
                  ; above the line <Isolated text={timeline.ends.right} />, below it <Isolated text={timeline.ends.left} />
                </>
              )}{' '}
              <BeliefNote timeline={timeline} />
            </p>
            {computed === null ? null : (
              <p className="quiet">
                {computed.how} The judge’s own answers gave <Isolated text={followed} />: {computed.own}.
              </p>
            )}
          </div>
        )}
      </div>
      {judge === null || timeline.isOnce ? null : (
        <div className="stack gap-6 content-start min-w-0">
          <h3 className="eyebrow">{movers.length === 0 ? `The ${whose}` : `Where the ${whose} changed most`}</h3>
          {movers.length === 0 ? (
            <p className="quiet">It was the same each time it was stated.</p>
          ) : (
            <ol className="stack gap-6">
              {movers.map((mover) => (
                <MoverItem key={mover.turn.id} mover={mover} onGo={onGo} />
              ))}
            </ol>
          )}
          {movers.length === 0 ? null : (
            <p className="quiet">
              A change after a speech does not prove that the speech caused it.
              {isUntried ? ' What the verdict would be without it is not known: it was not tried.' : null}
            </p>
          )}
          {noted === null ? null : (
            <div className="stack gap-6">
              <h4 className="eyebrow">Noted at “{noted.where}”</h4>
              <Blocks blocks={[noted.notes]} level={3} name="deciding note" />
            </div>
          )}
        </div>
      )}
    </section>
  );
}
