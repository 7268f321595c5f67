import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { capitalized } from '../../../core/text/visible.ts';
import type { Inspection, Upload } from '../../../shared/api/dataFiles.ts';
import { failureOf } from '../../api/failure.ts';
import { focusFirstFault } from '../../ui/focusFirstFault.ts';
import { useDebounced } from '../../ui/useDebounced.ts';
import { screenText } from '../protocols/screenText.ts';

const restMs = 350;

export type Checked<Draft, Part> =
  | { readonly draft: Draft; readonly wrong: null }
  | { readonly draft: null; readonly wrong: { readonly part: Part; readonly message: string } };

export interface Lacking<Part> {
  readonly part: Part;
  readonly message: string;
}

interface Asked {
  readonly signal: AbortSignal;
}

export interface ChosenFile {
  readonly upload: Upload;
  readonly inspection: Inspection;
}

export interface Importing<Form extends object, Part extends string, Draft, Preview, Made> {
  readonly schema: z.ZodType<Form>;
  readonly initial: (file: ChosenFile) => Form;
  readonly check: (form: Form, file: ChosenFile) => Checked<Draft, Part | null>;
  /** What is still to be said before the import, though a preview can do without it. */
  readonly lacking?: (form: Form, file: ChosenFile) => readonly Lacking<Part>[];
  /** Where in the form a failure belongs, by the field that it names; null where nowhere. */
  readonly partOf: (field: string | null, form: Form) => Part | null;
  readonly preview: (draft: Draft, file: ChosenFile, asked: Asked) => Promise<Preview>;
  readonly make: (draft: Draft, form: Form, file: ChosenFile, asked: Asked) => Promise<Made>;
}

/** A form that is checked as it changes, previewed once it rests, and imported; failures are shown at the part that they name. */
export function useImportForm<Form extends object, Part extends string, Draft, Preview, Made>(
  of: Importing<Form, Part, Draft, Preview, Made>,
  file: ChosenFile,
  form: Form,
  onMade: (made: Made) => void,
) {
  const { draft, wrong } = of.check(form, file);
  const text = draft === null ? null : JSON.stringify(draft);
  const rested = useDebounced(text, restMs);
  const preview = useQuery({
    queryKey: ['datasets', 'preview', file.upload.upload, rested],
    queryFn: ({ signal }) => of.preview(JSON.parse(rested ?? 'null') as Draft, file, { signal }),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const stopping = useRef<AbortController | null>(null);
  const making = useMutation({
    mutationFn: (asked: Draft) => {
      stopping.current = new AbortController();
      return of.make(asked, form, file, { signal: stopping.current.signal });
    },
    onSuccess: onMade,
    onError: () => void preview.refetch(),
  });
  const failure = making.error ?? (wrong === null ? preview.error : null);
  const fault = failure === null ? null : failureOf(failure);
  const failedPart = fault === null ? null : of.partOf(fault.field, form);
  const message = fault === null ? '' : screenText(fault.line === null ? fault.message : `Line ${fault.line}: ${fault.message}`);
  const lacking = of.lacking?.(form, file) ?? [];
  // No message for a field that the user has not reached: what is lacking is said at the attempt to import.
  const [asked, setAsked] = useState(0);
  const fields = useRef<HTMLDivElement>(null);
  const failed = making.isError;
  useEffect(() => {
    if (asked > 0 || failed) focusFirstFault(fields.current);
  }, [asked, failed]);
  return {
    /** Goes around the fields. */
    fields,
    errorAt: (part: Part): string | null => {
      if (wrong?.part === part) return wrong.message;
      const lack = asked === 0 ? undefined : lacking.find((each) => each.part === part);
      if (lack !== undefined) return lack.message;
      if (fault === null || failedPart !== part) return null;
      return message;
    },
    /** As the form is now; undefined where it has none. */
    preview: wrong === null && !preview.isError ? preview.data : undefined,
    reading: preview.isFetching,
    previewFailure: wrong === null && failedPart === null ? preview.error : null,
    /** What is still to be filled in, where there can be no preview yet. */
    waitsFor: wrong !== null ? wrong.message : failedPart === null ? null : capitalized(message),
    /** There is nothing to wait for: what would be imported is shown, or what is wrong. */
    settled: draft === null || (text === rested && !preview.isFetching),
    /** What is lacking, after an attempt to import. */
    lacks: asked === 0 ? [] : lacking,
    making: {
      start: () => {
        if (draft !== null && lacking.length === 0 && !preview.isError) making.mutate(draft);
        else setAsked((before) => before + 1);
      },
      stop: () => stopping.current?.abort(),
      pending: making.isPending,
      stopped: making.isError && stopping.current?.signal.aborted === true,
      failure: failedPart === null ? making.error : null,
      /** What the engine said was of the form as it was. */
      forget: making.reset,
    },
  };
}
