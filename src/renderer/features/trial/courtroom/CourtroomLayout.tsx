import { useMemo } from 'react';
import { z } from 'zod';
import { benchOf } from '../../../../core/figures/bench.ts';
import { disputeOf } from '../../../../core/figures/dispute.ts';
import { precedentsOf } from '../../../../core/figures/precedents.ts';
import type { LayoutProperties } from '../layout.ts';
import { Bench } from '../parts/Bench.tsx';
import { Part } from '../parts/Part.tsx';
import { PrecedentList } from '../parts/PrecedentList.tsx';
import { VerdictPart } from '../parts/VerdictPart.tsx';
import { HearingPart } from './HearingPart.tsx';
import { Pleadings } from './Pleadings.tsx';

const paramsSchema = z.object({ judges: z.int(), deliberation: z.enum(['sequential', 'parallel']) });

/** A trial of Courtroom-LLM: hearing, both arguments, precedents, the bench, the verdict. */
export function CourtroomLayout(properties: LayoutProperties) {
  const { view, state, calls, onInspect } = properties;
  const { entries, line, writing } = state;
  const dispute = useMemo(() => disputeOf(entries), [entries]);
  const precedents = useMemo(() => precedentsOf(entries), [entries]);
  const seats = useMemo(() => benchOf(entries), [entries]);
  const { judges, deliberation } = paramsSchema.parse(view.params);
  const inTurn = deliberation === 'sequential' && judges > 1;
  const advocates = Object.fromEntries(dispute.pleadings.map(({ role, label }) => [label, role]));
  const aside = judges === 1 ? 'one judge' : inTurn ? 'in turn, each knowing those before' : 'at a time, none knowing the others';
  return (
    <>
      <HearingPart dispute={dispute} {...properties} />
      <Pleadings dispute={dispute} {...properties} />
      {precedents === null ? null : <PrecedentList title="Precedents" found={precedents} onInspect={onInspect} />}
      {dispute.assigned === null ? null : (
        <Part title="The bench" aside={aside}>
          <Bench
            roles={Array.from({ length: judges }, (_none, index) => `judge${index + 1}`)}
            seats={seats}
            stepOf={(role) => role.replace('judge', 'judgement/judge-')}
            inTurn={inTurn}
            running={line.status === 'running'}
            advocates={advocates}
            writing={writing}
            calls={calls}
            onInspect={onInspect}
          />
        </Part>
      )}
      <VerdictPart line={line} entries={entries} />
    </>
  );
}
