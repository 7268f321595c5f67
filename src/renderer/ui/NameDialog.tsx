import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { ModalDialog } from './ModalDialog.tsx';
import { TextField } from './TextField.tsx';

export function NameDialog({
  title,
  label = 'Name',
  description,
  before,
  maxLength,
  problemOf = () => null,
  failure = null,
  save = 'Save',
  isBusy = false,
  onSave,
  onClose,
}: {
  title: string;
  label?: string;
  description: ReactNode;
  /** The name until now; empty for a new one. */
  before: string;
  maxLength: number;
  /** Why something cannot be called so; empty where that goes without saying, null where it can. */
  problemOf?: (name: string) => string | null;
  /** Why the name was not saved. */
  failure?: string | null;
  /** Words of the button that saves it. */
  save?: string;
  isBusy?: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}) {
  const [written, setWritten] = useState(before);
  const name = written.trim();
  const problem = problemOf(name);
  return (
    <ModalDialog title={title} onClose={onClose}>
      <form
        className="stack gap-14"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) onSave(name);
        }}
      >
        <TextField
          {...{ label, description, maxLength }}
          value={written}
          onChange={setWritten}
          error={(failure ?? problem) || null}
          autoFocus
        />
        <div className="flex flex-wrap gap-8">
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isDisabled={problem !== null || isBusy}>
            {save}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
