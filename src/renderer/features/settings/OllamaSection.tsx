import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Settings } from '../../../shared/api/engine.ts';
import { failureOf } from '../../api/failure.ts';
import { routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { reportOf } from '../protocols/backends.ts';
import { useBackends } from '../protocols/useBackends.ts';
import { addressProblem } from './addresses.ts';
import { ServerFound } from './ServerFound.tsx';
import styles from './Settings.module.css';
import { useChangeSettings } from './useChangeSettings.ts';

export function OllamaSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  const look = useBackends();
  const [address, setAddress] = useState(settings.ollamaUrl);
  useEffect(() => setAddress(settings.ollamaUrl), [settings.ollamaUrl]);
  const problem = addressProblem(address.trim());
  const differs = address.trim() !== settings.ollamaUrl;
  const save = () => {
    if (differs && problem === null)
      change.mutate({ change: { ollamaUrl: address.trim() }, done: 'The address of Ollama was saved.' });
  };
  const report = reportOf(look.data ?? [], 'ollama');
  return (
    <Section
      title="Ollama"
      lead="The program that runs the models."
      actions={
        <Button icon={RefreshCw} size="small" onPress={() => void look.refetch()} isDisabled={look.isFetching}>
          {look.isFetching ? 'Checking…' : 'Check now'}
        </Button>
      }
    >
      <TextField
        label="Address"
        look="mono"
        value={address}
        onChange={setAddress}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          else event.continuePropagation();
        }}
        error={change.isError ? failureOf(change.error).message : problem}
        description={differs ? 'Saved with Enter, or when you leave the field.' : undefined}
      />
      <FailureNotice error={look.error} />
      <div role="status" className={styles.ollamaFound}>
        {report === undefined ? (
          <p className="muted">{look.isFetching ? 'Checking…' : 'Not checked yet.'}</p>
        ) : (
          <ServerFound
            report={{
              ...report,
              version: report.version && `version ${report.version}`,
              models: report.models.map((name) => ({ name, context: null })),
            }}
            level={3}
            away={
              <p className="muted">
                Until then, the demo model can play trials. It asks no model and says so everywhere.{' '}
                <Link href={routes.models}>Install or start Ollama</Link>
              </p>
            }
            empty={
              <p>
                It has no model yet. <Link href={routes.models}>Fetch one</Link>
              </p>
            }
          />
        )}
      </div>
    </Section>
  );
}
