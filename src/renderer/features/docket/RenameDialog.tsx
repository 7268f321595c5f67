import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocketEntry } from '../../../shared/api/docket.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { tell } from '../../ui/Toasts.tsx';
import { useTakeDocketEntry } from './docketQueries.ts';

export function RenameDialog({ entry, onClose }: { entry: DocketEntry; onClose: () => void }) {
  const api = useApi();
  const take = useTakeDocketEntry();
  const [name, setName] = useState(entry.name);
  const rename = useMutation({
    mutationFn: (wanted: string) => api.docket.rename({ entry: entry.id, name: wanted }),
    onSuccess: (renamed) => {
      take(renamed);
      tell(`Renamed to “${renamed.name}”.`, () => {
        api.docket.rename({ entry: entry.id, name: entry.name }).then(take, (error: unknown) => tell(failureOf(error).message));
      });
      onClose();
    },
  });
  const ready = name.trim() !== '' && name.trim().length <= 200;
  const submit = () => {
    if (name.trim() === entry.name) onClose();
    else if (ready) rename.mutate(name.trim());
  };
  return (
    <ModalDialog
      title="Rename the data set"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={submit} isDisabled={!ready || rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        description="Experiments on record keep the name under which they were made."
        autoFocus
        value={name}
        onChange={setName}
        error={rename.isError ? failureOf(rename.error).message : ready ? null : 'A name has 1 to 200 characters.'}
        onKeyDown={(event) => {
          if (event.key === 'Enter') submit();
          else event.continuePropagation();
        }}
      />
    </ModalDialog>
  );
}
