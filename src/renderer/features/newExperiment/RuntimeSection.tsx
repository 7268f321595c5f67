import type { Runtime } from '../../../shared/experiment.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import styles from './NewExperiment.module.css';
import { NumberFields, type NumberLimits } from './NumberFields.tsx';

type Numbers = Exclude<keyof Runtime, 'reproducible' | 'durability' | 'reuseAnswers' | 'order'>;

const fields: Readonly<Record<Numbers, NumberLimits>> = {
  numCtx: {
    label: 'Context, tokens',
    note: 'Prompt and answer together. A longer prompt is a failed trial, never cut.',
    least: 256,
    step: 1024,
  },
  numPredict: { label: 'Longest answer, tokens', note: 'An answer that is cut off fails as truncated.', least: 1, step: 128 },
  timeoutSeconds: {
    label: 'Limit of a call, seconds',
    note: 'From sending to the last token.',
    least: 1,
    most: 86_400,
    step: 30,
  },
  idleSeconds: { label: 'Longest silence, seconds', note: 'Inside an answer that has begun.', least: 1, most: 86_400, step: 30 },
  retries: {
    label: 'Further attempts',
    note: 'After an answer that cannot be used. All are on the record.',
    least: 0,
    most: 20,
    step: 1,
  },
  waitMinutes: { label: 'Wait for the server, minutes', note: 'When it goes away in mid-run.', least: 0, step: 1 },
};

/** What finished trials depend on. */
const fixed: ReadonlySet<Numbers> = new Set(['numCtx', 'numPredict', 'retries']);

export function RuntimeSection({
  runtime,
  isExtended,
  onChange,
  errorAt,
}: {
  runtime: Runtime;
  /** The experiment is on the record: what its trials depend on stays. */
  isExtended: boolean;
  onChange: (runtime: Runtime) => void;
  errorAt: (name: string) => string | null;
}) {
  const { order: _order, ...unordered } = runtime;
  return (
    <section className={`card ${styles.folded}`} aria-label="Runtime">
      <Fold
        level={2}
        title="Runtime"
        aside={`context ${runtime.numCtx.toLocaleString('en-GB')} tokens, ${runtime.retries} further attempts${runtime.reproducible ? ', reproducible' : ''}`}
      >
        <div className="fields">
          <NumberFields
            fields={fields}
            values={runtime}
            isFixed={(name) => isExtended && fixed.has(name)}
            errorAt={errorAt}
            onChange={(name, value) => onChange({ ...runtime, [name]: value ?? fields[name].least })}
          />
          <Checkbox
            isSelected={runtime.reproducible}
            isDisabled={isExtended}
            onChange={(reproducible) => onChange({ ...runtime, reproducible })}
            note="One call at a time, so that the same seeds give the same words on the same machine."
          >
            Reproducible
          </Checkbox>
          <Checkbox
            isSelected={runtime.reuseAnswers === true}
            onChange={(reuseAnswers) => onChange({ ...runtime, reuseAnswers })}
            note="Where two arms send the same request for a case, the second takes the answer of the first. Faster where arms differ late, but their trials are then not independent."
          >
            Reuse answers to the same request
          </Checkbox>
          <Checkbox
            isSelected={runtime.order === 'as-written'}
            onChange={(isWritten) => onChange(isWritten ? { ...unordered, order: 'as-written' } : unordered)}
            note="One arm after the other, each through the cases of the sample. Otherwise the run orders trials so that few models are loaded twice. Not with a stopping rule."
          >
            Keep the order of the arms
          </Checkbox>
          <Checkbox
            isSelected={runtime.durability === 'full'}
            onChange={(full) => onChange({ ...runtime, durability: full ? 'full' : 'normal' })}
            note="Every answer is on the disk before the next call, also through a power cut. Slower."
          >
            Write through to the disk
          </Checkbox>
        </div>
      </Fold>
    </section>
  );
}
