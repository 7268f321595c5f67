import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Draft, PromptPreview } from '../../../shared/api/experiments.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { PreviewedCalls } from './PreviewedCalls.tsx';

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
  const shown = dryRun.data?.arm === arm ? dryRun.data : undefined;
  const preview = shown?.preview;
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
          {shown?.of !== now ? (
            <Notice tone="warn">The draft has changed since then: these are the earlier prompts.</Notice>
          ) : null}
          <p className="quiet">
            Arm <Isolated text={preview.arm} />.
          </p>
          <PreviewedCalls preview={preview} />
        </>
      )}
    </Section>
  );
}
