import { useMutation } from '@tanstack/react-query';
import type { Settings } from '../../../shared/api/engine.ts';
import { useApi, useReread } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useTakeSettings } from '../../app/theme.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { backendsKey } from '../protocols/useBackends.ts';
import { inverseOf } from './addresses.ts';

type Change = Partial<Settings>;

/** Saves a change at once, says so, and offers to undo it; `done` is null where the screen shows both next to the field. */
export function useChangeSettings(now: Settings) {
  const api = useApi();
  const take = useTakeSettings();
  const reread = useReread();
  const save = async (change: Change) => {
    take(await api.settings.change(change));
    if (['ollamaUrl', 'allowedHosts', 'servers'].some((key) => key in change)) await reread(backendsKey);
  };
  return useMutation({
    mutationFn: async ({ change }: { change: Change; done: string | null }) => {
      // Taken before the change: by the time of `onSuccess` the screen may show the new settings already.
      const undo = inverseOf(change, now);
      await save(change);
      return undo;
    },
    onSuccess: (undo, { done }) => (done === null ? undefined : notify(done, () => save(undo))),
  });
}

/** The same of entries of a list, as it is then: another tab may have changed others of it. */
export function useChangeList<Part extends 'experiments' | 'views'>(part: Part) {
  const api = useApi();
  const take = useTakeSettings();
  type Edit = (now: Settings[Part]) => Settings[Part];
  const save = async (edit: Edit) => {
    const now = await api.settings.read({});
    take(await api.settings.change({ [part]: edit(now[part]) }));
  };
  const onError = (error: unknown) => notify(`Nothing was changed: ${failureOf(error).message}`);
  return (edit: Edit, undo: Edit, done: string) => {
    save(edit).then(() => notify(done, () => void save(undo).catch(onError)), onError);
  };
}
