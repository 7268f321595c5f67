import { RefreshCw } from 'lucide-react';
import type { BackendChoice, BackendReport } from '../../../shared/api/engine.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { answersInvented, reportOf, sentence, usableModels } from './backends.ts';
import styles from './Protocols.module.css';
import { useBackends } from './useBackends.ts';

function ollamaNote(report: BackendReport | undefined, looking: boolean): string {
  if (report === undefined) return looking ? 'Looking for it…' : 'It is unknown whether it runs.';
  if (report.state !== 'ready') return sentence(report.problem ?? `Nothing answers at ${report.url}.`);
  const count = usableModels(report).length;
  return `Ready at ${report.url}, ${count === 1 ? '1 model' : `${count} models`}.`;
}

/** Where the answers come from: models under Ollama, or the stand-in that asks no model. */
export function BackendField({ value, onChange }: { value: BackendChoice; onChange: (value: BackendChoice) => void }) {
  const look = useBackends();
  const reports = look.data ?? [];
  return (
    <div className={styles.stack}>
      <RadioCards
        label="Answers come from"
        value={value}
        onChange={onChange}
        choices={[
          { id: 'ollama', label: 'Models on Ollama', note: ollamaNote(reportOf(reports, 'ollama'), look.isFetching) },
          {
            id: 'standin',
            label: 'The stand-in',
            note: 'No model is asked: answers are invented, to see how a trial looks. They say nothing about any case.',
          },
        ]}
      />
      {look.isError ? <FailureNotice error={look.error} /> : null}
      {answersInvented(reports, value) ? (
        <Notice tone="warn">
          <strong>STAND-IN</strong>
          <span>
            {value === 'standin'
              ? 'The answers will be invented.'
              : 'A stand-in answers at the Ollama address: answers are invented.'}{' '}
            Everything that comes of them is marked so.
          </span>
        </Notice>
      ) : null}
      <div>
        <Button size="small" onPress={() => void look.refetch()} isDisabled={look.isFetching}>
          <RefreshCw size={13} aria-hidden="true" />
          {look.isFetching ? 'Looking…' : 'Look again'}
        </Button>
      </div>
    </div>
  );
}
