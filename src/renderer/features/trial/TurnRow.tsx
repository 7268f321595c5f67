import type { Timeline, TimelineRow } from '../../../core/figures/timeline.ts';
import { Stated } from '../../charts/beliefTimeline/Stated.tsx';
import { TimelineSegment } from '../../charts/beliefTimeline/TimelineSegment.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { CommentButton } from './comments/Comments.tsx';
import type { TurnItem } from './courtItems.ts';
import { StepNotes } from './StepNote.tsx';
import styles from './Transcript.module.css';
import { faultOfText } from './TrialDamage.tsx';
import { Blocks } from './telling/Blocks.tsx';
import { useDrawing } from './telling/drawing.ts';
import telling from './telling/Telling.module.css';
import { Calls } from './telling/TextOf.tsx';

/** Something said or ruled, with its plan, the beliefs that followed it, and its part of the timeline. */
export function TurnRow({ item, timeline, timelineRow }: { item: TurnItem; timeline: Timeline; timelineRow: TimelineRow }) {
  const { id, seq, form, side, who, what, said, notes, steps } = item;
  const places = [seq, ...[timelineRow.step, ...timelineRow.others].map((step) => step?.seq)];
  const faults = useDrawing().faulty.filter((each) => places.includes(each.seq));
  const shape = form === 'ruling' ? styles.ruling : `${styles[side]} ${telling[side]}`;
  return (
    <div className={styles.row}>
      <div className={`stack gap-6 ${styles.said} ${shape} ${form === 'forfeit' ? `${styles.lost} ${telling.lost}` : ''}`}>
        <StepNotes steps={steps} />
        <div className={`row justify-between ${styles.heading}`}>
          <h3 className={styles.who}>
            <bdi>{who}</bdi> <span className={styles.what}>{what}</span>
          </h3>
          {faults.map((fault) => (
            <Pill key={`${fault.seq} ${fault.field}`} tone="bad">
              {fault.field === 'text' || form === 'ruling' ? '' : `${fault.field}: `}
              {faultOfText(fault)}
            </Pill>
          ))}
          <span className="row gap-4">
            {form === 'utterance' ? <CommentButton utterance={seq} what={`${who}, ${what}`} /> : null}
            {form === 'silent' ? null : <Calls of={seq} what={`${who}, ${what}`} />}
          </span>
        </div>
        <Blocks blocks={said} level={3} name={`${id} said`} />
        <Blocks blocks={notes} level={3} name={`${id} notes`} />
      </div>
      <TimelineSegment timeline={timeline} row={timelineRow} />
      <div className={`stack gap-8 min-w-0 ${styles.numbers}`}>
        {timelineRow.step === null ? null : <Stated step={timelineRow.step} timeline={timeline} />}
        {timelineRow.others.map((step) => (
          <Stated key={step.seq} step={step} timeline={timeline} aside />
        ))}
      </div>
    </div>
  );
}
