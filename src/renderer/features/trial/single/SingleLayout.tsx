import { useMemo } from 'react';
import { precedentsOf } from '../../../../core/figures/precedents.ts';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { InProgress } from '../parts/InProgress.tsx';
import { Part } from '../parts/Part.tsx';
import { PrecedentList } from '../parts/PrecedentList.tsx';
import { VerdictPart } from '../parts/VerdictPart.tsx';
import { Speech } from '../Speech.tsx';

/** A trial by one classification: the examples, the answer with its reason. */
export function SingleLayout({ view, state, calls, onInspect }: LayoutProperties) {
  const { entries, line, writing } = state;
  const precedents = useMemo(() => precedentsOf(entries), [entries]);
  const ruling = entries.findLast((entry) => entry.kind === 'ruling');
  return (
    <>
      {precedents === null ? null : <PrecedentList title="Examples" found={precedents} onInspect={onInspect} />}
      {ruling === undefined && line.status !== 'running' ? null : (
        <Part
          title="The answer"
          aside={
            ruling === undefined ? undefined : (
              <CallMarks calls={calls.get(ruling.seq) ?? []} what="the answer" onInspect={onInspect} />
            )
          }
        >
          {ruling === undefined ? (
            <InProgress writing={writing} step="answer" fields={['reason']} />
          ) : (
            <Speech text={ruling.opinion} facts={view.facts} />
          )}
        </Part>
      )}
      <VerdictPart line={line} entries={entries} />
    </>
  );
}
