import { useMemo } from 'react';
import { z } from 'zod';
import { debateOf } from '../../../../core/figures/debateRounds.ts';
import type { LayoutProperties } from '../layout.ts';
import { VerdictPart } from '../parts/VerdictPart.tsx';
import { CoursePart } from './CoursePart.tsx';
import { FirstOpinion } from './FirstOpinion.tsx';
import { RoundPart } from './RoundPart.tsx';

const paramsSchema = z.object({ debaters: z.int(), rounds: z.int() });

/** A trial of Debate-Feedback: the first opinion, each round, the course of the opinion, the verdict. */
export function DebateFeedbackLayout(properties: LayoutProperties) {
  const { view, state } = properties;
  const { entries, line } = state;
  const { debaters, rounds } = paramsSchema.parse(view.params);
  const debate = useMemo(() => debateOf(entries, debaters), [entries, debaters]);
  return (
    <>
      <FirstOpinion debate={debate} {...properties} />
      {debate.rounds.map((round) => (
        <RoundPart key={round.number} round={round} of={rounds} {...properties} />
      ))}
      <CoursePart debate={debate} view={view} line={line} />
      <VerdictPart line={line} entries={entries} />
    </>
  );
}
