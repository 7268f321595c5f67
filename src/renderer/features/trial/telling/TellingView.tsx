import { useId, useMemo } from 'react';
import { useLocation } from 'wouter';
import { askedOf } from '../../../../core/figures/debate.ts';
import type { Section, Telling } from '../../../../core/telling/blocks.ts';
import type { TrialView } from '../../../../shared/api/trials.ts';
import { useWritable } from '../../../app/engineStatus.ts';
import { toTrialAt } from '../../../app/routes.ts';
import { useIsPainted } from '../../../ui/Screen.tsx';
import { ModeratorPanel } from '../ModeratorPanel.tsx';
import { TrialSummary } from '../TrialSummary.tsx';
import type { TrialState } from '../trialState.ts';
import type { Court } from '../useCourt.ts';
import { Blocks } from './Blocks.tsx';
import { type Drawing, DrawingContext, useTrialDrawing } from './drawing.ts';
import styles from './Telling.module.css';
import { TextOf } from './TextOf.tsx';

function SectionOf({ section: { id: name, title, aside, blocks } }: { section: Section }) {
  const id = useId();
  return (
    <section className="stack gap-10 min-w-0" aria-labelledby={id}>
      <div className={`row-baseline ${styles.partHead}`}>
        <h2 id={id} className="eyebrow">
          {title}
        </h2>
        {aside === undefined ? null : (
          <span className="quiet font-400">
            <TextOf words={aside} />
          </span>
        )}
      </div>
      <Blocks blocks={blocks} level={2} name={name} />
    </section>
  );
}

/** Entries of a trial from which on it is long: its blocks take longer to draw than a reader waits gladly. */
const long = 100;
/** Blocks of a long trial that come at once, more than a window shows: rounds of a debate are a thousand pixels each. */
const atOnce = 4;

/** The beginning of a long trial, and all of it once that is on the screen. */
function useBeginning(sections: readonly Section[], isLong: boolean): readonly Section[] {
  const isPainted = useIsPainted();
  if (isPainted || !isLong) return sections;
  let left = atOnce;
  return sections.flatMap((section) => {
    const blocks = section.blocks.slice(0, left);
    left -= blocks.length;
    return blocks.length === 0 ? [] : [{ ...section, blocks }];
  });
}

export function TellingView({
  telling,
  view,
  state,
  court,
  allOpen,
  onInspect,
}: { telling: Telling<unknown>; view: TrialView; state: TrialState; court: Court } & Pick<Drawing, 'allOpen' | 'onInspect'>) {
  const { entries, line, writing } = state;
  const { labels, positive, params } = view;
  // The words of an answer come many times a second; blocks change only when it begins and ends.
  const writingKeys = writing.map(({ key }) => key).join('\n');
  const sections = useMemo(() => {
    const keys = writingKeys.split('\n').map((key) => ({ key }));
    return telling.tell({ line, entries, labels, positive, writing: keys }, params);
  }, [telling, line, entries, labels, positive, params, writingKeys]);
  const isWritable = useWritable();
  const [, navigate] = useLocation();
  const asked = line.status === 'running' ? askedOf(entries) : null;
  const { drawing, counts } = useTrialDrawing(view, entries, { allOpen, onInspect, writing });
  return (
    <DrawingContext value={drawing}>
      {asked === null || !isWritable ? null : <ModeratorPanel key={asked.seq} trial={line.trial} asked={asked} />}
      {line.outcome === 'decided' ? (
        <TrialSummary
          line={line}
          court={court}
          unfounded={counts}
          view={view}
          onGo={({ seq }) => navigate(toTrialAt(line.trial, seq, ''))}
        />
      ) : null}
      {useBeginning(sections, entries.length > long).map((section) => (
        <SectionOf key={section.id} section={section} />
      ))}
    </DrawingContext>
  );
}
