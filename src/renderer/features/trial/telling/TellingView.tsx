import { useId, useMemo } from 'react';
import { useLocation } from 'wouter';
import { askedOf } from '../../../../core/figures/debate.ts';
import type { Section, Telling } from '../../../../core/telling/blocks.ts';
import type { TrialView } from '../../../../shared/api/trials.ts';
import { useWritable } from '../../../app/engineStatus.ts';
import { toTrialAt } from '../../../app/routes.ts';
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
      {sections.map((section) => (
        <SectionOf key={section.id} section={section} />
      ))}
    </DrawingContext>
  );
}
