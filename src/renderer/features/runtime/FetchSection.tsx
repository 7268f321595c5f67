import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Pull } from '../../../shared/api/models.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { byteSize } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Models.module.css';
import { PullList } from './PullList.tsx';
import { nameProblem, nameTyped } from './pullText.ts';

/** Names shown as examples: small open models of several makers. */
const examples = ['llama3.1:8b', 'qwen2.5:7b', 'gemma2:9b', 'llama3.2:1b'];

/** Where a model is named to be fetched, and those on their way. */
export function FetchSection({ pulls, diskFree }: { pulls: readonly Pull[]; diskFree: number | null }) {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const name = nameTyped(typed);
  const problem = nameProblem(name);
  const fetch = useMutation({
    mutationFn: (model: string) => api.models.pull({ models: [model] }),
    // Unless the next name is being written already.
    onError: (_error, model) => setTyped((now) => (now === '' ? model : now)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(problem !== null);
    if (problem !== null) return;
    setTyped('');
    fetch.mutate(name);
  };
  return (
    <Section
      title="Fetch a model"
      lead={
        <>
          Ollama fetches it from its registry, ollama.com: the name of the model goes out, nothing of a case does.
          {diskFree === null ? '' : ` ${byteSize(diskFree)} are free on the models’ disk.`}
        </>
      }
    >
      <form className={`stack gap-10 ${styles.fetch}`} onSubmit={submit} noValidate>
        <TextField
          label="Name of the model"
          look="mono"
          value={typed}
          onChange={setTyped}
          placeholder="llama3.1:8b"
          autoComplete="off"
          spellCheck="false"
          error={asked || (name !== '' && problem !== null && /\s/.test(name)) ? problem : null}
        />
        <Button icon={Download} type="submit" look="primary">
          Fetch
        </Button>
      </form>
      <div className={`row gap-6-8 ${styles.examples}`}>
        <span className="max-w-80ch muted wrap-anywhere">For example</span>
        {examples.map((example) => (
          <Button key={example} size="small" onPress={() => setTyped(example)} aria-label={`Fill in ${example}`}>
            {example}
          </Button>
        ))}
      </div>
      <FailureNotice error={fetch.error} />
      <PullList pulls={pulls} />
    </Section>
  );
}
