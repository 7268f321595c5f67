import { groundsText } from '../../../core/figures/grounds.ts';
import { sideOf, speakerName } from '../../../core/figures/speakers.ts';
import { failureText } from '../../../core/telling/blocks.ts';
import type { BeliefGrounds, Fact } from '../../../shared/domain.ts';
import { Stated } from '../../charts/beliefTimeline/Stated.tsx';
import { TimelineSegment } from '../../charts/beliefTimeline/TimelineSegment.tsx';
import type { Timeline, TimelineRow } from '../../charts/beliefTimeline/timelineOf.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { CallMarks } from './CallMarks.tsx';
import type { TurnItem } from './courtItems.ts';
import type { Found, PartName } from './finding.ts';
import { RulingText } from './RulingText.tsx';
import { type FoldMemory, Sealed } from './Sealed.tsx';
import { type FoundPlace, Speech } from './Speech.tsx';
import { StepNotes } from './StepNote.tsx';
import styles from './Transcript.module.css';
import { headingOf } from './words.ts';

const nothing: readonly FoundPlace[] = [];

/** Whether a belief is part of what its own role has just said aloud: then there are no notes beside. */
const saysItself = ({ role, after }: TurnItem['beliefs'][number], spoken: TurnItem['spoken']): boolean =>
  spoken?.kind === 'utterance' && spoken.role === role && spoken.key === after;

interface Properties {
  readonly item: TurnItem;
  readonly facts: readonly Fact[];
  readonly timeline: Timeline;
  readonly timelineRow: TimelineRow;
  readonly allOpen: boolean;
  /** Finds in this row. */
  readonly found: readonly Found[];
  readonly here: Found | null;
  readonly onInspect: (key: string) => void;
  readonly memory: FoldMemory;
}

/** What a belief rests on that was not stated. */
function Grounds({ grounds }: { grounds: BeliefGrounds | undefined }) {
  const words = groundsText(grounds);
  return words === null ? null : (
    <p className="quiet">
      <HiddenText text={words} />
    </p>
  );
}

/** Something said or ruled, with its plan, the beliefs that followed it, and its part of the timeline. */
export function TurnRow({ item, facts, timeline, timelineRow, allOpen, found, here, onInspect, memory }: Properties) {
  const { spoken, beliefs, calls } = item;
  const { who, what } = headingOf(item);
  const side = spoken === null ? 'neutral' : sideOf(spoken.role);
  const within = (part: PartName): readonly FoundPlace[] => {
    const places = found.filter((each) => each.part === part);
    return places.length === 0 ? nothing : places.map((each) => ({ ...each, here: each === here }));
  };
  const shape = spoken?.kind === 'ruling' ? styles.ruling : styles[side];
  return (
    <div className={styles.row}>
      <div className={`${styles.said} ${shape} ${spoken?.kind === 'forfeit' ? styles.forfeit : ''}`}>
        <StepNotes steps={item.steps} found={found} here={here} />
        <div className={styles.heading}>
          <h3 className={styles.who}>
            <bdi>{who}</bdi> <span className={styles.what}>{what}</span>
          </h3>
          {spoken === null ? null : (
            <CallMarks calls={calls.get(spoken.seq) ?? []} what={`${who}, ${what}`} onInspect={onInspect} />
          )}
        </div>
        {spoken?.kind === 'utterance' ? <Speech text={spoken.text} facts={facts} found={within('speech')} /> : null}
        {spoken?.kind === 'utterance' && spoken.planned ? (
          <Sealed
            title="Sealed plan"
            aside="read by no other role"
            text={spoken.plan}
            allOpen={allOpen}
            found={within('plan')}
            name={`${item.id} plan`}
            memory={memory}
          />
        ) : null}
        {spoken?.kind === 'forfeit' ? (
          <p>
            {failureText[spoken.failure]} The trial went on without it, and is marked incomplete. Step: <code>{spoken.key}</code>
          </p>
        ) : null}
        {spoken?.kind === 'ruling' ? <RulingText ruling={spoken} facts={facts} found={within('speech')} /> : null}
        {beliefs.map((belief, index) =>
          belief.moment === 'retrospective' ? null : (
            <div key={belief.seq} className={styles.notes}>
              {belief.notes === null && saysItself(belief, spoken) ? null : belief.notes === null ? (
                <span className="quiet">Notes of the {speakerName(belief.role).toLowerCase()}: erased, or none were made.</span>
              ) : (
                <Sealed
                  title={`Notes of the ${speakerName(belief.role).toLowerCase()}`}
                  aside={belief.inconsistent ? 'belief and prediction disagree' : 'private'}
                  text={belief.notes}
                  allOpen={allOpen}
                  found={within(`notes ${index}`)}
                  name={`${item.id} notes ${index}`}
                  memory={memory}
                />
              )}
              <Grounds grounds={belief.grounds} />
              <CallMarks
                calls={calls.get(belief.seq) ?? []}
                what={`the belief of the ${belief.role} after ${who}, ${what}`}
                onInspect={onInspect}
              />
            </div>
          ),
        )}
      </div>
      <TimelineSegment timeline={timeline} row={timelineRow} />
      <div className={styles.numbers}>
        {timelineRow.step === null ? null : <Stated step={timelineRow.step} timeline={timeline} />}
        {timelineRow.others.map((step) => (
          <Stated key={step.seq} step={step} timeline={timeline} aside />
        ))}
      </div>
    </div>
  );
}
