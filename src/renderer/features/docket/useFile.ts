import { useMutation } from '@tanstack/react-query';
import type { DropZoneProps } from 'react-aria-components';
import { useLocation } from 'wouter';
import type { Upload } from '../../../shared/api/docket.ts';
import { useHost } from '../../api/ApiContext.tsx';
import { routes } from '../../app/routes.ts';
import { keepUpload } from './importForm.ts';

type DropEvent = Parameters<NonNullable<DropZoneProps['onDrop']>>[0];

/** Takes a file from the user, by the system's dialog or dropped onto the page, and goes on to the import. */
export function useFile(onTaken?: (upload: Upload) => void) {
  const host = useHost();
  const [, navigate] = useLocation();
  const taking = useMutation({
    mutationFn: (source: 'dialog' | File) => (source === 'dialog' ? host.chooseFile() : host.takeFile(source)),
    onSuccess: (upload) => {
      if (upload === null) return;
      keepUpload(upload);
      onTaken?.(upload);
      navigate(routes.importFile);
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
