import { useMutation } from '@tanstack/react-query';
import { fresh, useApi, useHost, useRead, useReread } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { notify } from '../../ui/Toasts.tsx';

export const promptsKey = ['prompts'] as const;

/** The user's own variants; files are written by hand too, so that each screen looks again. */
export const useVariants = () => useRead([...promptsKey, 'variants'], (api, given) => api.prompts.variants({}, given), fresh);

export function useForgetVariants(): () => Promise<unknown> {
  const reread = useReread();
  return () => reread(promptsKey);
}

export function useRemoveVariant() {
  const api = useApi();
  const forget = useForgetVariants();
  return useMutation({
    mutationFn: (name: string) => api.prompts.remove({ name }),
    onSuccess: ({ content }, name) =>
      notify(`“${name}” was removed. The record keeps its words where an arm was tried with them.`, () =>
        api.prompts.restore({ content }).then(forget),
      ),
    onError: (error) => notify(failureOf(error).message),
    onSettled: forget,
  });
}

export function useExportVariant() {
  const api = useApi();
  const host = useHost();
  return useMutation({
    mutationFn: async (name: string) => {
      const { file, fileName } = await api.prompts.export({ name });
      return (await host.saveExport(file, fileName)) ? fileName : null;
    },
    onSuccess: (fileName) => {
      if (fileName !== null) notify(`Saved as ${fileName}.`);
    },
    onError: (error) => notify(`Nothing was saved: ${failureOf(error).message}`),
  });
}
