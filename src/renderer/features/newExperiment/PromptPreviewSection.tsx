import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Draft, PromptPreview } from '../../../shared/api/experiments.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { roleText } from '../protocols/words.ts';
import { sharedPrefix } from './draft.ts';
import styles from './NewExperiment.module.css';

type Call = PromptPreview['calls'][number];

/** One call of a dry run: its messages, the answer's form, and the invented answer that later prompts quote. */
function PreviewedCall({ call, before, number }: { call: Call; before: Call | undefined; number: number }) {
  const shared = sharedPrefix(before?.messages ?? [], call.messages);
  const length = call.messages.reduce((sum, { content }) => sum + content.length, 0);
  const alike = shared.reduce((sum, part) => sum + part, 0);
  const share = length === 0 ? 0 : Math.round((100 * alike) / length);
  return (
    <Fold
      title={
        <>
          {number}. {roleText(call.role)} <span className={styles.key}>{call.key}</span>
        </>
      }
      aside={
        <>
          <Isolated text={call.model} />, about {quantity(call.prompt_tokens, 'token')}
          {before === undefined ? '' : `, ${share} % as before`}
        </>
      }
      defaultExpanded={number === 1}
    >
      <div className={`stack gap-10 ${styles.messages}`}>
        {call.messages.map(({ role, content }, index) => {
          const known = shared[index] ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one call never change places
            <div key={index} className={styles.message}>
              <h4>{role}</h4>
              <p dir="auto">
                {known === 0 ? null : (
                  <span className="muted">
                    <HiddenText text={content.slice(0, known)} />
                  </span>
                )}
                <HiddenText text={content.slice(known)} />
              </p>
            </div>
          );
        })}
        <Fold level={4} title="Form of the answer" aside="JSON Schema">
          <pre className={styles.code}>{JSON.stringify(call.schema, null, 2)}</pre>
        </Fold>
        <div className={styles.invented}>
          <h4>Invented answer, not of a model</h4>
          <Outside as="p" text={call.invented} />
        </div>
      </div>
    </Fold>
  );
}

/** Every prompt of one trial, before any model is asked. The answers in between are invented. */
export function PromptPreviewSection({ draft, arms }: { draft: Draft | null; arms: readonly string[] }) {
  const api = useApi();
  const [wanted, setWanted] = useState(0);
  const arm = Math.min(wanted, Math.max(0, arms.length - 1));
  const now = draft === null ? null : JSON.stringify(draft);
  const dryRun = useMutation({
    mutationFn: async (given: Draft): Promise<{ of: string; arm: number; preview: PromptPreview }> => ({
      of: JSON.stringify(given),
      arm,
      preview: await api.experiments.preview({ draft: given, arm }),
    }),
  });
  const stale = dryRun.data !== undefined && (dryRun.data.of !== now || dryRun.data.arm !== arm);
  const preview = dryRun.data?.preview;
  return (
    <Section
      title="Prompts"
      lead="What would be sent, word for word, for the first case of the sample."
      actions={
        <Button
          size="small"
          isDisabled={draft === null || dryRun.isPending}
          onPress={() => (draft === null ? undefined : dryRun.mutate(draft))}
        >
          {dryRun.isPending ? 'Preparing…' : preview === undefined ? 'Show the prompts' : 'Show them again'}
        </Button>
      }
    >
      {arms.length < 2 ? null : (
        <Select
          label="Arm"
          value={String(arm)}
          choices={arms.map((label, index) => ({ id: String(index), label }))}
          onChange={(index) => setWanted(Number(index))}
        />
      )}
      <FailureNotice error={dryRun.error} />
      {preview === undefined ? null : (
        <>
          {stale ? <Notice tone="warn">The draft has changed since then: these are the earlier prompts.</Notice> : null}
          <p className="quiet">
            Arm <Isolated text={preview.arm} />, case <Isolated text={preview.case} />: {quantity(preview.calls.length, 'call')},
            about{' '}
            {quantity(
              preview.calls.reduce((sum, call) => sum + call.prompt_tokens, 0),
              'token',
            )}
            . What an earlier prompt already holds is dimmed: a server need not read it again.{' '}
            <strong>The answers in between are invented; no model was asked.</strong>
          </p>
          <ol className={`stack gap-4 ${styles.calls}`}>
            {preview.calls.map((call, index) => (
              <li key={call.key}>
                <PreviewedCall call={call} before={preview.calls[index - 1]} number={index + 1} />
              </li>
            ))}
          </ol>
        </>
      )}
    </Section>
  );
}
