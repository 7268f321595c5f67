import { type ComponentProps, memo } from 'react';
import type { CourtItem } from './courtItems.ts';
import { EndRow } from './EndRow.tsx';
import { WaitingRow, WritingRow } from './LiveRows.tsx';
import { StepNotes } from './StepNote.tsx';
import styles from './Transcript.module.css';
import { TurnRow } from './TurnRow.tsx';

function LastRow({ steps, found, here }: ComponentProps<typeof StepNotes>) {
  return (
    <div className={styles.row}>
      <div className={styles.said}>
        <StepNotes steps={steps} found={found} here={here} />
      </div>
    </div>
  );
}

/** A row of the transcript, whatever it is. */
export const CourtRow = memo(function CourtRow({
  item,
  ...rest
}: { item: CourtItem } & Omit<ComponentProps<typeof TurnRow>, 'item'>) {
  switch (item.kind) {
    case 'turn':
      return <TurnRow item={item} {...rest} />;
    case 'steps':
      return <LastRow steps={item.steps} {...rest} />;
    case 'writing':
      return <WritingRow writing={item.writing} open={rest.allOpen} />;
    case 'waiting':
      return <WaitingRow calls={item.calls} onInspect={rest.onInspect} />;
    case 'end':
      return <EndRow item={item} onInspect={rest.onInspect} />;
  }
});
