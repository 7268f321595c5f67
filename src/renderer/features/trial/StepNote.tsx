import { type ReactNode, useEffect, useRef } from 'react';
import type { ToldStep } from '../../../core/telling/steps.ts';
import { markWords } from './markedWords.ts';
import styles from './Transcript.module.css';
import { Blocks } from './telling/Blocks.tsx';
import { useDrawing } from './telling/drawing.ts';
import { Calls } from './telling/TextOf.tsx';

/** What the court settled or looked up between the speeches, or a score of a speech; what was found in it is marked. */
export function StepNote({
  step,
  note,
  children,
}: {
  step: ToldStep;
  /** Comes after the title. */
  note?: string;
  /** In place of what it says. */
  children?: ReactNode;
}) {
  const { found, here } = useDrawing();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const own = found.filter(({ part }) => part === step);
    return element.current === null || own.length === 0
      ? undefined
      : markWords(element.current, own[0]?.words ?? '', here === null ? -1 : own.indexOf(here));
  }, [found, here, step]);
  return (
    <section
      ref={element}
      className={`muted wrap-anywhere ${styles.step} ${found.some(({ part }) => part === step) ? styles.found : ''}`}
      aria-label={step.title}
      data-here={here?.part === step || undefined}
    >
      <div className="row justify-between gap-8">
        <p className="font-600">
          {step.title}
          {note === undefined ? null : <span className="quiet"> · {note}</span>}
        </p>
        <Calls of={step.seq} what={step.title} />
      </div>
      {children ?? <Blocks blocks={step.blocks} level={3} name={`step ${step.seq}`} />}
    </section>
  );
}

export const StepNotes = ({ steps }: { steps: readonly ToldStep[] }) =>
  steps.map((step) => <StepNote key={step.seq} step={step} />);
