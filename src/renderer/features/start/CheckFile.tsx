import { useMutation } from '@tanstack/react-query';
import { BookOpen, FileSearch, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Upload } from '../../../shared/api/dataFiles.ts';
import { useApi, useTakeFile } from '../../api/ApiContext.tsx';
import { showGivenRecord } from '../../api/givenRecord.ts';
import { useTask } from '../../api/useTask.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import type { useTypedHash } from '../recordCheck/knownRecord.ts';

/** The check of a store or a bundle from another person. @param given its root or head, if one is entered */
export function useCheckFile(given: string | null) {
  const api = useApi();
  const [asked, setAsked] = useState<string | null>(null);
  const [checked, setChecked] = useState<string | null>(null);
  const { task, start, cancel } = useTask((signal, { upload }: Upload) => {
    setAsked(given);
    setChecked(upload);
    return api.record.checkFile({ upload, head: given }, { signal });
  });
  return { task, cancel, root: { given, asked }, file: useTakeFile(start), checked };
}

export function ReadIt({ upload }: { upload: string }) {
  const api = useApi();
  const reading = useMutation({
    mutationFn: () => api.record.read({ upload }),
    onSuccess: ({ record }) => showGivenRecord(record),
  });
  return (
    <>
      <p>
        <Button icon={BookOpen} onPress={() => reading.mutate()} isPending={reading.isPending} isDisabled={reading.isSuccess}>
          {reading.isPending ? 'Opening it…' : 'Read its trials'}
        </Button>
      </p>
      <FailureNotice error={reading.error} />
    </>
  );
}

export function PrintIt() {
  const print = () => {
    const { dataset } = document.documentElement;
    const { theme = 'light' } = dataset;
    dataset.theme = 'light';
    addEventListener('afterprint', () => (dataset.theme = theme), { once: true });
    window.print();
  };
  return (
    <Button icon={Printer} size="small" onPress={print}>
      Print
    </Button>
  );
}

export function CheckFile({
  typed: { text, setText, isWrong },
  signer,
  check: { task, cancel, file },
}: {
  typed: ReturnType<typeof useTypedHash>;
  signer: ReturnType<typeof useTypedHash>;
  check: ReturnType<typeof useCheckFile>;
}) {
  return (
    <>
      <TextField
        label="Its root or head, if you know it"
        value={text}
        onChange={setText}
        look="mono"
        description={
          <>
            The record root, of a bundle its bundle root, or the head of a trial: it shows which record this is.{' '}
            <WordNote term="root" />
          </>
        }
        error={isWrong ? 'A root or head has 64 hexadecimal digits.' : null}
      />
      <TextField
        label="Key of the signer, if you have it"
        value={signer.text}
        onChange={signer.setText}
        look="mono"
        description="The fingerprint, as the signer gave it to you by another way than the file."
        error={signer.isWrong ? 'A fingerprint has 64 hexadecimal digits.' : null}
      />
      {task.state === 'running' ? (
        <Button onPress={cancel}>Cancel the check</Button>
      ) : (
        <Button icon={FileSearch} onPress={file.choose} isPending={file.taking} isDisabled={isWrong}>
          {file.taking ? 'Taking the file…' : 'Choose the file'}
        </Button>
      )}
      <FailureNotice error={file.error} />
    </>
  );
}
