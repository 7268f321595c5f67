import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type TryDraft, tryDraftSchema } from '../../../shared/api/trials.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { roomyContext } from './tryForm.ts';

const restMs = 500;
const tokens = (count: number) => count.toLocaleString('en-GB');

/** Says while the case is being written whether its prompts fit the context, and offers one that holds them. */
export function ContextNote({ draft, onContext }: { draft: TryDraft | null; onContext: (numCtx: number) => void }) {
  const api = useApi();
  const rested = useDebounced(draft === null ? null : JSON.stringify(draft), restMs);
  const look = useQuery({
    queryKey: ['tries', 'look', rested],
    queryFn: ({ signal }) => api.tries.look(tryDraftSchema.parse(JSON.parse(rested ?? 'null')), { signal }),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    // Long texts are not kept once they have been changed.
    gcTime: 10_000,
    retry: false,
  });
  // The fields, and the start, say what is wrong with the form.
  if (draft === null || look.isError || look.data === undefined) return null;
  const { prompt, numPredict, numCtx, fits } = look.data;
  if (fits) {
    return (
      <p className="quiet" role="status">
        The longest prompt takes about {tokens(prompt)} of {tokens(numCtx)} tokens.
      </p>
    );
  }
  const roomy = roomyContext(look.data);
  return (
    <div role="status">
      <Notice tone="warn">
        <span>
          <strong>The case may be too long.</strong> The longest prompt takes about {tokens(prompt)} tokens (estimated) and its
          answer up to {tokens(numPredict)}; the context holds {tokens(numCtx)}. Nothing is cut: a call that does not fit fails,
          because its prompt is too long. A larger context needs more memory.
        </span>
        <Button size="small" onPress={() => onContext(roomy)}>
          Set the context to {tokens(roomy)}
        </Button>
      </Notice>
    </div>
  );
}
