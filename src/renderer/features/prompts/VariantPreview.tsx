import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenedVariant } from '../../../shared/api/prompts.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { useDatasets } from '../datasets/datasetQueries.ts';
import { casesOf } from '../datasets/definition.ts';
import { PreviewedCalls } from '../newExperiment/PreviewedCalls.tsx';
import { refusalOf } from '../protocols/acceptance.ts';
import { ParametersForm } from '../protocols/ParametersForm.tsx';
import { promptsKey } from './promptQueries.ts';

/**
 * What a trial of the first case of a data set would send with these words; as long as they cannot be used, what it was before.
 * @param checked whether it is known already if they can be used
 */
export function VariantPreview({
  edited,
  usable,
  checked,
}: {
  edited: OpenedVariant['edited'];
  usable: boolean;
  checked: boolean;
}) {
  const api = useApi();
  const datasets = useDatasets().data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [params, setParams] = useState<Record<string, unknown>>({});
  const fitting = datasets.filter((entry) => refusalOf(edited.protocol, casesOf(entry), params) === null);
  const entry = fitting.find(({ id }) => id === chosen) ?? fitting[0];
  const preview = useQuery({
    queryKey: [...promptsKey, 'preview', edited, entry?.id, params],
    queryFn: ({ signal }) => api.prompts.preview({ edited, entry: entry?.id ?? '', params }, { signal }),
    enabled: usable && checked && entry !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return (
    <Section
      title="Preview"
      lead="What would be sent, word for word, for the first case of a data set. The parameters decide which texts it uses."
    >
      <Select
        label="Data set"
        value={entry?.id ?? null}
        choices={fitting.map(({ id, name }) => ({ id, label: name }))}
        onChange={setChosen}
      />
      <ParametersForm
        protocol={edited.protocol}
        params={params}
        onChange={setParams}
        errorOf={() => null}
        labels={entry?.labels ?? []}
      />
      <FailureNotice error={usable ? preview.error : null} />
      {usable ? null : (
        <Notice tone="warn">
          These words cannot be used yet.{preview.data === undefined ? '' : ' This is the last preview that could be made.'}
        </Notice>
      )}
      {preview.data === undefined ? (
        preview.isLoading ? (
          <p className="quiet">Preparing…</p>
        ) : null
      ) : (
        <PreviewedCalls preview={preview.data} />
      )}
    </Section>
  );
}
