import { useMemo } from 'react';
import { z } from 'zod';
import { benchOf } from '../../../../core/figures/bench.ts';
import { precedentsOf } from '../../../../core/figures/precedents.ts';
import type { LayoutProperties } from '../layout.ts';
import { Bench } from '../parts/Bench.tsx';
import { Part } from '../parts/Part.tsx';
import { PrecedentList } from '../parts/PrecedentList.tsx';
import { VerdictPart } from '../parts/VerdictPart.tsx';

const paramsSchema = z.object({ voters: z.int() });

/** A trial by plain vote: the examples, every vote with its reason, the count. */
export function VoteLayout({ view, state, calls, onInspect }: LayoutProperties) {
  const { entries, line, writing } = state;
  const precedents = useMemo(() => precedentsOf(entries), [entries]);
  const seats = useMemo(() => benchOf(entries), [entries]);
  const { voters } = paramsSchema.parse(view.params);
  return (
    <>
      {precedents === null ? null : <PrecedentList title="Examples" found={precedents} onInspect={onInspect} />}
      <Part title="The voters" aside="at a time, none knowing the others">
        <Bench
          roles={Array.from({ length: voters }, (_none, index) => `voter${index + 1}`)}
          seats={seats}
          stepOf={(role) => `vote/${role}`}
          inTurn={false}
          running={line.status === 'running'}
          advocates={{}}
          writing={writing}
          calls={calls}
          onInspect={onInspect}
        />
      </Part>
      <VerdictPart line={line} entries={entries} />
    </>
  );
}
