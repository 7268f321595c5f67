import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Settings } from '../../../shared/api/engine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useTakeSettings } from '../../app/theme.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { backendsKey } from '../protocols/useBackends.ts';
import { inverseOf } from './addresses.ts';

type Change = Partial<Settings>;

/** Saves a change at once, says so, and offers to undo it. */
export function useChangeSettings(now: Settings) {
  const api = useApi();
  const take = useTakeSettings();
  const queries = useQueryClient();
  const save = async (change: Change) => {
    take(await api.settings.change(change));
    if (['ollamaUrl', 'allowedHosts', 'servers'].some((key) => key in change))
      await queries.invalidateQueries({ queryKey: backendsKey });
  };
  return useMutation({
    mutationFn: async ({ change }: { change: Change; done: string }) => {
      // Taken before the change: by the time of `onSuccess` the screen may show the new settings already.
      const undo = inverseOf(change, now);
      await save(change);
      return undo;
    },
    onSuccess: (undo, { done }) => notify(done, () => save(undo)),
  });
}
