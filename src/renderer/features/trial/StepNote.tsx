import type { ToldStep } from '../../../core/telling/steps.ts';
import styles from './Transcript.module.css';
import { Blocks } from './telling/Blocks.tsx';
import { useDrawing } from './telling/drawing.ts';

/** What the court settled or looked up between the speeches, and scores of a speech; marked where something was found in it. */
export function StepNotes({ steps }: { steps: readonly ToldStep[] }) {
  const { found, here } = useDrawing();
  return steps.map((step) => (
    <section
      key={step.seq}
      className={`muted wrap-anywhere ${styles.step} ${found.some(({ part }) => part === step) ? styles.found : ''}`}
      aria-label={step.title}
      data-here={here?.part === step || undefined}
    >
      <p className="font-600">{step.title}</p>
      <Blocks blocks={step.blocks} level={3} name={`step ${step.seq}`} />
    </section>
  ));
}
