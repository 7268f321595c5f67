import type { ToldStep } from '../../../core/telling/steps.ts';
import type { Found } from './finding.ts';
import styles from './Transcript.module.css';
import { Blocks } from './telling/Blocks.tsx';

/** What the court settled or looked up before the speech that follows. `found`: what was searched for stands in it, or it is the place. */
function StepNote({ step: { title, blocks }, found }: { step: ToldStep; found: 'here' | 'also' | null }) {
  return (
    <section
      className={`muted wrap-anywhere ${styles.step} ${found === null ? '' : styles.found}`}
      aria-label={title}
      data-here={found === 'here' || undefined}
    >
      <p className="font-600">{title}</p>
      <Blocks blocks={blocks} level={3} />
    </section>
  );
}

/** Steps one below the other, those marked in which something was found. */
export function StepNotes({ steps, found, here }: { steps: readonly ToldStep[]; found: readonly Found[]; here: Found | null }) {
  return steps.map((step, index) => {
    const inStep = found.filter(({ part }) => part === `step ${index}`);
    const mark = inStep.length === 0 ? null : here?.part === `step ${index}` ? 'here' : 'also';
    return <StepNote key={step.seq} step={step} found={mark} />;
  });
}
