import { useState } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { DaemonSettings } from '../../../shared/api/daemon.ts';
import type { Fit } from '../../../shared/api/models.ts';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { toneLook } from '../../ui/Pill.tsx';
import { Section } from '../../ui/Section.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useFirst } from '../../ui/useFirst.tsx';
import styles from './Fit.module.css';
import { fitFigures, fitParts, fitScale, fitsInWords, partNames, verdictAsText } from './fitText.ts';
import { useFits } from './runtimeQueries.ts';

/** Tokens that runs give a call unless they say otherwise. */
const usualContext = 8192;
const restMs = 400;
/** Models shown before the user asks for all. */
const fewModels = 20;

export function FitSection({ daemon }: { daemon: DaemonSettings }) {
  const [context, setContext] = useState<number | null>(daemon.contextLength ?? usualContext);
  const [slots, setSlots] = useState<number | null>(daemon.reproducible ? 1 : daemon.parallel);
  const asked = useDebounced({ context: context ?? usualContext, slots: slots ?? 1 }, restMs);
  const fits = useFits(asked.context, asked.slots);
  const found = fits.data ?? [];
  const { shown, more } = useFirst(found, fewModels, 'model');
  return (
    <Section
      title="Will it fit?"
      lead="Weights, context and overhead of each model against the memory that is free now. Memory is counted in GiB, disks and downloads in GB."
    >
      <div className={styles.fields}>
        <NumberField
          label="Context, tokens"
          value={context}
          minValue={256}
          maxValue={1_048_576}
          step={1024}
          onChange={setContext}
        />
        <NumberField label="Slots" value={slots} minValue={1} maxValue={64} onChange={setSlots} />
      </div>
      <FailureNotice error={fits.error} onRetry={fits.refetch} />
      {fits.isPending ? <p className="muted">Computing…</p> : null}
      <p role="status" className="muted">
        {fits.isSuccess && found.length === 0 ? 'No model is installed.' : fitsInWords(found)}
      </p>
      {found.length === 0 ? null : (
        <>
          <Legend />
          <ul className={`stack ${styles.fits}`} aria-label="Whether each model fits">
            {shown.map((fit) => (
              <li key={fit.model}>
                <Row fit={fit} />
              </li>
            ))}
          </ul>
          {more}
        </>
      )}
    </Section>
  );
}

function Legend() {
  return (
    <ul className={`quiet flex flex-wrap gap-4-16 ${styles.legend}`} aria-hidden="true">
      {fitParts.map((part) => (
        <li key={part}>
          <span className={`${styles.swatch} ${styles[part]}`} /> {partNames[part]}
        </li>
      ))}
      <li>
        <span className={styles.mark} /> free now
      </li>
    </ul>
  );
}

function Row({ fit }: { fit: Fit }) {
  const { words, tone } = verdictAsText[fit.verdict];
  const scale = fitScale(fit);
  const figures = fitFigures(fit);
  return (
    <div className={styles.fit}>
      <Fold
        title={
          <bdi className="mono-13 wrap-anywhere">
            <HiddenText text={fit.model} />
          </bdi>
        }
        aside={<span className={toneLook[tone]}>{words}</span>}
      >
        <div className={`stack gap-4 max-w-80ch wrap-anywhere ${styles.reason}`}>
          <Paragraph text={capitalized(fit.reason)} />
          {/* Of a verdict that there is, the reason has the figures already. */}
          {figures === null || fit.verdict !== 'unknown' ? null : <p className="muted">{figures}.</p>}
        </div>
      </Fold>
      {scale === null ? (
        <span />
      ) : (
        <div className={`relative flex ${styles.bar}`} role="img" aria-label={figures ?? words}>
          {scale.parts.map(({ part, share }) => (
            <span key={part} className={styles[part]} style={{ width: `${share * 100}%` }} />
          ))}
          {scale.free === null ? null : <span className={styles.free} style={{ insetInlineStart: `${scale.free * 100}%` }} />}
        </div>
      )}
    </div>
  );
}
