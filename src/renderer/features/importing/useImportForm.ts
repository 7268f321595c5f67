import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { z } from 'zod';
import { failureOf } from '../../api/failure.ts';
import { useKept } from '../../ui/kept.ts';
import { useDebounced } from '../../ui/useDebounced.ts';

const restMs = 350;

/** What a form asks for, or the first thing that it lacks. */
export type Checked<Draft, Part> =
  | { readonly draft: Draft; readonly wrong: null }
  | { readonly draft: null; readonly wrong: { readonly part: Part; readonly message: string } };

interface Asked {
  readonly signal: AbortSignal;
}

/** A form that is kept, checked as it changes, previewed once it rests, and imported; failures stand at the part that they name. */
export function useImportForm<Form extends object, Part extends string, Draft, Preview, Made>(of: {
  readonly keptAs: string;
  readonly schema: z.ZodType<Form>;
  readonly initial: () => Form;
  readonly check: (form: Form) => Checked<Draft, Part | null>;
  /** Where in the form a failure belongs, by the field that it names; null where nowhere. */
  readonly partOf: (field: string | null, form: Form) => Part | null;
  /** Names the preview among the queries. */
  readonly previewKey: readonly string[];
  readonly preview: (draft: Draft, asked: Asked) => Promise<Preview>;
  readonly make: (draft: Draft, form: Form, asked: Asked) => Promise<Made>;
  readonly onMade: (made: Made) => void;
}) {
  const [form, setForm] = useKept(of.keptAs, of.schema, of.initial);
  const { draft, wrong } = of.check(form);
  const text = draft === null ? null : JSON.stringify(draft);
  const rested = useDebounced(text, restMs);
  const preview = useQuery({
    queryKey: [...of.previewKey, rested],
    queryFn: ({ signal }) => {
      if (rested === null) throw new Error('there is nothing to preview');
      return of.preview(JSON.parse(rested) as Draft, { signal });
    },
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const stopping = useRef<AbortController | null>(null);
  const making = useMutation({
    mutationFn: (asked: Draft) => {
      stopping.current = new AbortController();
      return of.make(asked, form, { signal: stopping.current.signal });
    },
    onSuccess: of.onMade,
    onError: () => void preview.refetch(),
  });
  const failure = making.error ?? (wrong === null ? preview.error : null);
  const told = failure === null ? null : failureOf(failure);
  const failedPart = told === null ? null : of.partOf(told.field, form);
  return {
    form,
    draft,
    change: (part: Partial<Form>) => {
      // What the engine said was of the form as it was.
      making.reset();
      setForm((before) => ({ ...before, ...part }));
    },
    errorAt: (part: Part): string | null => {
      if (wrong?.part === part) return wrong.message;
      if (told === null || failedPart !== part) return null;
      return told.line === null ? told.message : `Line ${told.line}: ${told.message}`;
    },
    failedPart,
    /** As the form is now; undefined where it has none. */
    preview: wrong === null && !preview.isError ? preview.data : undefined,
    reading: preview.isFetching,
    previewFailure: wrong === null && preview.isError ? preview.error : null,
    /** What is still to be filled in, where there can be no preview yet. */
    waitsFor: wrong === null ? null : wrong.message,
    /** The preview is of the form as it is. */
    settled: draft !== null && text === rested && !preview.isFetching,
    making: {
      start: () => (draft === null ? undefined : making.mutate(draft)),
      stop: () => stopping.current?.abort(),
      pending: making.isPending,
      stopped: making.isError && stopping.current?.signal.aborted === true,
      error: making.error,
    },
  };
}
