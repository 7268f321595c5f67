import { type ComponentProps, memo } from 'react';
import type { CourtItem } from './courtItems.ts';
import { EndRow } from './EndRow.tsx';
import { WaitingRow, WritingRow } from './LiveRows.tsx';
import { TurnRow } from './TurnRow.tsx';

/** A row of the transcript, whatever it is. */
export const CourtRow = memo(function CourtRow({
  item,
  ...rest
}: { item: CourtItem } & Omit<ComponentProps<typeof TurnRow>, 'item'>) {
  switch (item.kind) {
    case 'turn':
      return <TurnRow item={item} {...rest} />;
    case 'writing':
      return <WritingRow writing={item.writing} />;
    case 'waiting':
      return <WaitingRow calls={item.calls} onInspect={rest.onInspect} />;
    case 'end':
      return <EndRow item={item} onInspect={rest.onInspect} />;
  }
});
