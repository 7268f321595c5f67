import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { memorySize } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ShareBar } from '../../ui/ShareBar.tsx';
import { useHeirs } from './focus.ts';
import { expiryText, placeText } from './hardwareText.ts';
import styles from './Models.module.css';

const clockMs = 10_000;

/** The time, every few seconds. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The models in the server's memory, and how much of each is on the GPU. */
export function LoadedSection({ loaded }: { loaded: readonly LoadedModel[] }) {
  const now = useNow();
  const names = loaded.map(({ name }) => name);
  const heirs = useHeirs(names);
  return (
    <Section title="In memory" lead="A server loads a model for its first call, and unloads it after a while without calls.">
      {loaded.length === 0 ? (
        <p ref={heirs.fallback} tabIndex={-1} className="max-w-80ch muted wrap-anywhere">
          No model is in memory now.
        </p>
      ) : (
        <ul className="stack gap-10" aria-label="Models in memory">
          {loaded.map((model) => (
            <li key={model.name}>
              <Row model={model} now={now} unloadRef={heirs.refOf(model.name)} onGoes={() => heirs.goes(model.name, names)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

interface RowProperties {
  readonly model: LoadedModel;
  readonly now: number;
  readonly unloadRef: (element: HTMLButtonElement | null) => void;
  readonly onGoes: () => void;
}

function Row({ model, now, unloadRef, onGoes }: RowProperties) {
  const api = useApi();
  const { name, size, context, gpu_share: share } = model;
  const unload = useMutation({ mutationFn: () => api.models.unload({ model: name }) });
  const { words, tone } = placeText(share);
  return (
    <div className={styles.loaded}>
      <div className="stack min-w-0 gap-2">
        <Outside className={styles.model} text={name} />
        <span className="max-w-80ch muted wrap-anywhere">
          {memorySize(size)}
          {context === null ? '' : ` with ${context.toLocaleString('en-GB')} tokens of context`}, {expiryText(model, now)}
        </span>
      </div>
      <ShareBar label="On the GPU" share={share} words={words} tone={tone} />
      <Button
        ref={unloadRef}
        size="small"
        onPress={() => {
          onGoes();
          unload.mutate();
        }}
        aria-label={`Unload ${name}`}
      >
        Unload
      </Button>
      <FailureNotice error={unload.error} />
    </div>
  );
}
