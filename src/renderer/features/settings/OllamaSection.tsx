import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { BackendReport, Settings } from '../../../shared/api/engine.ts';
import { failureOf } from '../../api/failure.ts';
import { routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { reportOf, sentence } from '../protocols/backends.ts';
import { useBackends } from '../protocols/useBackends.ts';
import { addressProblem } from './addresses.ts';
import styles from './Settings.module.css';
import { useChangeSettings } from './useChangeSettings.ts';

/** Where Ollama is, and what was found there. */
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
        <Button size="small" onPress={() => void look.refetch()} isDisabled={look.isFetching}>
          <RefreshCw size={13} aria-hidden="true" />
          {look.isFetching ? 'Looking…' : 'Look now'}
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
          <p className="muted">{look.isFetching ? 'Looking…' : 'Nobody has looked yet.'}</p>
        ) : (
          <Found report={report} />
        )}
      </div>
    </Section>
  );
}

function Found({ report }: { report: BackendReport }) {
  if (report.state !== 'ready') {
    return (
      <div className="stack gap-6 wrap-anywhere">
        <p className="text-bad font-600">{report.state === 'refused' ? 'Refused' : 'Not there'}</p>
        <p>{sentence(report.problem ?? `Nothing answers at ${report.url}.`)}</p>
        {report.state === 'away' ? (
          <p className="muted">
            Until then, trials can be played with the demo model, which asks no model and says so everywhere.{' '}
            <Link href={routes.models}>Install or start Ollama</Link>
          </p>
        ) : null}
      </div>
    );
  }
  return (
    <div className="stack gap-6 wrap-anywhere">
      <p className="text-good font-600">
        Ready, {report.version === null ? 'version unknown' : `version ${report.version}`},{' '}
        {quantity(report.models.length, 'model')}
      </p>
      {report.standin ? (
        <Notice tone="warn">
          <strong>DEMO MODEL</strong> <span>What answers here is a demo model and no Ollama: its answers are invented.</span>
        </Notice>
      ) : null}
      {report.problem === null ? null : <p>{sentence(report.problem)}</p>}
      {report.models.length === 0 ? (
        <p>
          It has no model yet. <Link href={routes.models}>Fetch one</Link>
        </p>
      ) : (
        <Fold title="Models" aside={quantity(report.models.length, 'model')}>
          <ul className={styles.models}>
            {report.models.map((model) => (
              <li key={model} dir="auto">
                <HiddenText text={model} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}
