import { FileSearch } from 'lucide-react';
import { useState } from 'react';
import type { Upload } from '../../../shared/api/dataFiles.ts';
import { useApi, useTakeFile } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** The check of a store or a bundle that somebody gave to the user. */
export function useCheckFile() {
  const api = useApi();
  const [root, setRoot] = useState('');
  const told = root.replaceAll(/\s/g, '').toLowerCase();
  const [asked, setAsked] = useState<string | null>(null);
  const { task, start, cancel } = useTask((signal, { upload }: Upload) => {
    const head = told === '' ? null : told;
    setAsked(head);
    return api.record.checkFile({ upload, head }, { signal });
  });
  const given = { told: isHash(told) ? told : null, asked };
  return { root, setRoot, given, isWrong: told !== '' && !isHash(told), task, cancel, file: useTakeFile(start) };
}

/** Asks for the file, and for the root that tells which record it should be. */
export function CheckFile({ root, setRoot, isWrong, task, cancel, file }: Omit<ReturnType<typeof useCheckFile>, 'given'>) {
  return (
    <>
      <TextField
        label="Its record root or bundle root, if you know it"
        value={root}
        onChange={setRoot}
        look="mono"
        error={isWrong ? 'A root or head has 64 hexadecimal digits.' : null}
      />
      {task.state === 'running' ? (
        <Button onPress={cancel}>Cancel the check</Button>
      ) : (
        <Button onPress={file.choose} isPending={file.taking} isDisabled={isWrong}>
          <FileSearch size={15} aria-hidden="true" />
          {file.taking ? 'Taking the file…' : 'Choose the file'}
        </Button>
      )}
      <FailureNotice error={file.error} />
    </>
  );
}
