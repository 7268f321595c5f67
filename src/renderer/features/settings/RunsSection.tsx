import type { Settings } from '../../../shared/api/engine.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import styles from './Settings.module.css';
import { useChangeSettings } from './useChangeSettings.ts';

export function RunsSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  return (
    <Section title="Runs" lead="More calls at a time help only where the server serves several at once; see OLLAMA_NUM_PARALLEL.">
      <div className={styles.narrow}>
        <NumberField
          label="Calls at a time"
          description="0: as many as the server has slots. Holds for runs that start from now on."
          value={settings.concurrency}
          minValue={0}
          maxValue={64}
          onChange={(concurrency) => {
            if (concurrency === null || concurrency === settings.concurrency) return;
            change.mutate({
              change: { concurrency },
              done:
                concurrency === 0
                  ? 'As many calls at a time as the server has slots.'
                  : `${quantity(concurrency, 'call')} at a time.`,
            });
          }}
        />
      </div>
      <FailureNotice error={change.error} />
    </Section>
  );
}
