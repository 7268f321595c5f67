import { type ComponentProps, memo } from 'react';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { sideOf, speakerName } from '../../../core/figures/speakers.ts';
import type { Timeline, TimelineRow } from '../../../core/figures/timeline.ts';
import { failureText } from '../../../core/telling/blocks.ts';
import { writingWords } from '../../../shared/longCalls.ts';
import { Stated, TimelineSegment } from '../../charts/beliefTimeline/BeliefTimeline.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { useNow } from '../../ui/useNow.ts';
import { CommentButton, isCommentable, RulingHint } from './comments/Comments.tsx';
import type { CourtItem, TurnItem } from './courtItems.ts';
import { Growing } from './Speech.tsx';
import { StepNotes } from './StepNote.tsx';
import { partsWritten } from './spoken.ts';
import styles from './Transcript.module.css';
import { faultOfText } from './TrialNotices.tsx';
import { Blocks } from './telling/Blocks.tsx';
import { type Drawing, DrawingContext, useDrawing } from './telling/drawing.ts';
import telling from './telling/Telling.module.css';
import { CallMarks, Calls } from './telling/TextOf.tsx';
import { type CallEntry, partOf } from './trialCalls.ts';
import { fieldText } from './words.ts';

/** The results of the earlier attempts at an answer, which were not spoken. */
function Failed({ calls }: { calls: readonly CallEntry[] }) {
  if (calls.length === 0) return null;
  return (
    <p className="row gap-8 text-13 text-bad">
      {calls.length === 1
        ? 'The answer before this one failed, and nothing of it counts.'
        : `The ${calls.length} answers before this one failed, and nothing of them counts.`}
      <CallMarks calls={calls} what="the failed answer" isAskedAgain />
    </p>
  );
}

/** The answer in progress, as far as it can be read. It does not count before it is complete, and sealed plans stay sealed. */
function WritingRow({ item: { writing, failed } }: { item: Extract<CourtItem, { kind: 'writing' }> }) {
  const open = useDrawing().allOpen;
  const long = writingWords(writing, useNow(1000));
  const { role, text } = writing;
  const side = sideOf(role);
  const { aloud, sealed: own } = partsWritten(text);
  return (
    <div className={`stack gap-6 ${styles.said} ${styles[side]} ${telling[side]} ${styles.inProgress}`}>
      <div className="row justify-between gap-4-16">
        <h3 className={styles.who}>
          <bdi>{speakerName(role)}</bdi> <span className={styles.what}>{long ?? 'is writing'}</span>
        </h3>
        <span className="quiet">{partOf(writing)}</span>
      </div>
      <Failed calls={failed} />
      {aloud.length + own.length === 0 ? (
        <p className="quiet">
          {text.includes('{') || text.trim() === '' || !open ? 'The first words are on their way.' : <HiddenText text={text} />}
        </p>
      ) : null}
      {own.length === 0 ? null : !open ? (
        <p className="quiet">What it notes for itself is sealed. “Plans and notes” opens it.</p>
      ) : (
        <div className={`stack gap-4 ${telling.sealed}`}>
          {own.map(({ path, text: part, growing }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: fields of an answer only grow in number
            <Growing key={index} text={part} growing={growing} name={fieldText(path.at(-1) ?? '')} look="private" />
          ))}
        </div>
      )}
      {aloud.map(({ path, text: part, growing }) => (
        <Growing key={path.join('/')} text={part} growing={growing} />
      ))}
    </div>
  );
}

const WaitingRow = ({ calls }: { calls: readonly CallEntry[] }) => (
  <p className={`row gap-8 muted ${styles.waiting}`}>
    Waiting for the next answer. <CallMarks calls={calls} what="the last attempt" isAskedAgain />
  </p>
);

/** How a trial ended that has no verdict: a failure is a separate outcome. */
function EndRow({ item: { close, calls } }: { item: Extract<CourtItem, { kind: 'end' }> }) {
  return (
    <div className={`stack gap-6 ${styles.said} ${styles.lost} ${telling.lost}`}>
      <div className="row justify-between gap-4-16">
        <h3 className={styles.who}>
          {close.outcome === 'decided' ? 'End of the trial' : `No verdict: ${outcomeText(close.outcome)}`}
        </h3>
        <CallMarks calls={calls} what="the end of the trial" />
      </div>
      {close.outcome === 'decided' ? (
        <p>Some calls left nothing in the transcript.</p>
      ) : (
        <p>
          {failureText[close.outcome]} The trial ended here. It counts as a failure of this kind, not as wrong and not as right.
          At the top of this screen you can try it again.
        </p>
      )}
    </div>
  );
}

type RowProperties = Omit<ComponentProps<typeof TurnRow>, 'item'> & { item: CourtItem };

function Row({ item, ...rest }: RowProperties) {
  switch (item.kind) {
    case 'turn':
      return <TurnRow item={item} {...rest} />;
    case 'steps':
      return (
        <div className={`stack gap-6 ${styles.said}`}>
          <StepNotes steps={item.steps} />
        </div>
      );
    case 'writing':
      return <WritingRow item={item} />;
    case 'waiting':
      return <WaitingRow calls={item.calls} />;
    case 'end':
      return <EndRow item={item} />;
  }
}

/** A row of the transcript of any kind. `found`: what was searched for in this row; `here`: the current place of the search in it. */
export const CourtRow = memo(function CourtRow({ found, here, ...rest }: RowProperties & Pick<Drawing, 'found' | 'here'>) {
  const drawing = useDrawing();
  return (
    <DrawingContext value={{ ...drawing, found, here }}>
      <div className={styles.row}>
        <Row {...rest} />
      </div>
    </DrawingContext>
  );
});

/** Something said or ruled, with its plan, the beliefs that followed it, and its part of the timeline. */
function TurnRow({ item, timeline, timelineRow }: { item: TurnItem; timeline: Timeline; timelineRow: TimelineRow }) {
  const { id, seq, form, side, role, who, what, said, notes, steps, scores } = item;
  const { cast, faulty } = useDrawing();
  const claim = form === 'ruling' ? null : (cast.find((member) => member.role === role)?.claim ?? null);
  const places = [seq, ...[timelineRow.step, ...timelineRow.others].map((step) => step?.seq)];
  const faults = faulty.filter((each) => places.includes(each.seq));
  const shape = form === 'ruling' ? styles.ruling : `${styles[side]} ${telling[side]}`;
  return (
    <>
      <div className={styles.told}>
        {steps.length === 0 ? null : (
          <div className={`stack gap-6 ${styles.settled}`}>
            <StepNotes steps={steps} />
          </div>
        )}
        <div className={`stack gap-6 ${styles.said} ${shape} ${form === 'forfeit' ? `${styles.lost} ${telling.lost}` : ''}`}>
          <div className="row justify-between gap-4-16">
            <h3 className={styles.who}>
              <bdi>{who}</bdi>{' '}
              <span className={styles.what}>
                {what}
                {claim === null ? null : (
                  <>
                    , for <Isolated text={claim} />
                  </>
                )}
              </span>
            </h3>
            {faults.map((fault) => (
              <Pill key={`${fault.seq} ${fault.field}`} tone="bad">
                {fault.field === 'text' || form === 'ruling' ? '' : `${fault.field}: `}
                {faultOfText(fault)}
              </Pill>
            ))}
            <span className="row gap-4">
              {isCommentable(item) ? <CommentButton utterance={seq} what={`${who}, ${what}`} /> : null}
              {form === 'silent' ? null : <Calls of={seq} what={`${who}, ${what}`} />}
            </span>
          </div>
          <Blocks blocks={said} level={3} name={`${id} said`} />
          {form === 'ruling' ? <RulingHint /> : null}
          <Blocks blocks={notes} level={3} name={`${id} notes`} />
          <StepNotes steps={scores} />
        </div>
      </div>
      <TimelineSegment timeline={timeline} row={timelineRow} />
      <div className={`stack gap-8 min-w-0 ${styles.numbers}`}>
        {timelineRow.step === null ? null : <Stated step={timelineRow.step} timeline={timeline} />}
        {timelineRow.others.map((step) => (
          <Stated key={step.seq} step={step} timeline={timeline} aside />
        ))}
      </div>
    </>
  );
}
