import { Gavel } from 'lucide-react';
import { useId } from 'react';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity, quantityRange } from '../../ui/quantity.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { inventedAt, preferredBackend } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import styles from './Datasets.module.css';
import { useStartExperiment } from './datasetQueries.ts';
import { oneClick } from './oneClick.ts';

/** Starts a small experiment by one press and goes to see it live. Says beforehand who will answer, and with how many calls; what the demo model is, and why it answers, is said only if `explained`. */
export function TrialButton({ entry, explained = false }: { entry: DataFile; explained?: boolean }) {
  const found = useFound();
  const words = useId();
  const start = useStartExperiment();
  const isWritable = useWritable();
  if (!isWritable) return null;
  if (found.isPending) {
    return (
      <div className={`stack gap-6 ${styles.start}`}>
        <Button isDisabled>Looking for models…</Button>
      </div>
    );
  }
  const preferred = preferredBackend(found);
  const click = oneClick(entry, preferred);
  if (!click.possible) return <p className={`quiet max-w-80ch wrap-anywhere ${styles.note}`}>{click.why}</p>;
  const invented = inventedAt(found, preferred.backend, [preferred.server]);
  return (
    <div className={`stack gap-6 ${styles.start}`}>
      <WritingButton
        icon={Gavel}
        look={explained ? 'primary' : 'plain'}
        onPress={() => start.mutate(click.draft)}
        isDisabled={start.isPending}
        aria-describedby={words}
      >
        {start.isPending ? 'Starting…' : `Put ${quantity(click.cases, 'case')} on trial`}
        {invented ? ' with the demo model' : ''}
      </WritingButton>
      <p id={words} className={`quiet max-w-80ch wrap-anywhere ${styles.note}`}>
        {protocolTitle(click.protocol)}
        {click.calls === null ? '' : `, ${quantityRange(click.calls, 'call')}`}
        {invented ? (
          explained && (
            <>
              . <strong>No model is asked,</strong> the answers are invented. {preferred.why}
            </>
          )
        ) : (
          <>
            {' to '}
            <Isolated text={preferred.model} />. {preferred.away}
          </>
        )}
      </p>
      <FailureNotice error={start.error} />
    </div>
  );
}
