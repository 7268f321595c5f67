import { useMemo } from 'react';
import { debateOf, endOf } from '../../../../core/figures/exchanges.ts';
import { precedentsOf } from '../../../../core/figures/precedents.ts';
import type { LayoutProperties } from '../layout.ts';
import { PrecedentList } from '../parts/PrecedentList.tsx';
import { VerdictPart } from '../parts/VerdictPart.tsx';
import { CoursesPart } from './CoursesPart.tsx';
import { FoundPart } from './FoundPart.tsx';
import { MeasuresPart } from './MeasuresPart.tsx';
import { RecommendationsPart } from './RecommendationsPart.tsx';
import { RoundsPart } from './RoundsPart.tsx';

/** A trial of EVINCE: both distributions, the measures, the debate, what both recommend, the verdict. */
export function EvinceLayout(properties: LayoutProperties) {
  const { view, state, allOpen } = properties;
  const { entries, line, writing } = state;
  const debate = useMemo(() => debateOf(entries, writing), [entries, writing]);
  const precedents = useMemo(() => precedentsOf(entries), [entries]);
  return (
    <>
      <VerdictPart line={line} entries={entries} />
      <FoundPart line={line} entries={entries} />
      <CoursesPart labels={view.labels} rounds={debate.rounds} />
      <MeasuresPart exchanges={debate.exchanges} labels={view.labels.length} end={endOf(debate)} />
      <RoundsPart rounds={debate.rounds} {...properties} />
      {precedents === null ? null : <PrecedentList title="Known cases" found={precedents} onInspect={properties.onInspect} />}
      <RecommendationsPart debate={debate} allOpen={allOpen} />
    </>
  );
}
