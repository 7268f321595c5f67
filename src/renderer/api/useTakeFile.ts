import { useMutation } from '@tanstack/react-query';
import type { DropZoneProps } from 'react-aria-components';
import type { Upload } from '../../shared/api/docket.ts';
import { useHost } from './ApiContext.tsx';

type DropEvent = Parameters<NonNullable<DropZoneProps['onDrop']>>[0];

/** Takes a file from the user, by the system's dialog or dropped onto the page. */
export function useTakeFile(onTaken: (upload: Upload) => void) {
  const host = useHost();
  const taking = useMutation({
    mutationFn: (source: 'dialog' | File) => (source === 'dialog' ? host.chooseFile() : host.takeFile(source)),
    onSuccess: (upload) => {
      if (upload !== null) onTaken(upload);
    },
  });
  return {
    choose: () => taking.mutate('dialog'),
    drop: async (event: DropEvent) => {
      const item = event.items.find(({ kind }) => kind === 'file');
      if (item?.kind === 'file') taking.mutate(await item.getFile());
    },
    taking: taking.isPending,
    error: taking.error,
  };
}
