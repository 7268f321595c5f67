import { useMutation } from '@tanstack/react-query';
import { BookOpen, CopyPlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type CopyFrame, newCopySchema, type RecordCheck, type RecordPlace } from '../../../shared/api/record.ts';
import { adoptedWords } from '../../../shared/proved.ts';
import { fresh, useApi, useRead } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { showGivenRecord } from '../../api/givenRecord.ts';
import { useTask } from '../../api/useTask.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice, Unread } from '../../ui/Notice.tsx';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useReadPlace, useRecordPlace } from './knownRecord.ts';

function progressWords(progress: Extract<CopyFrame, { kind: 'progress' }> | null): string {
  if (progress === null) return 'Opening the record…';
  const { step, done, of } = progress;
  const counted = (noun: string) => (of === null ? quantity(done, noun) : quantityOf(done, of, noun));
  if (step === 'copy') return `Copying: ${counted('row')}`;
  return step === 'derive' ? `Making the results again: ${counted('trial')}` : `Checking the copy: ${counted('record')}`;
}

const copyTitle = 'Make a copy of your own';

function CopyDialog({ place, onClose }: { place: NonNullable<RecordPlace['copy']>; onClose: () => void }) {
  const api = useApi();
  const [name, setName] = useState(place.name);
  const { task, start, cancel } = useTask((signal) => api.record.copy({ name: name.trim() }, { signal }));
  useEffect(() => {
    if (task.state !== 'done') return;
    const { record, place: made } = task.result;
    showGivenRecord(
      record,
      `The copy is ${made.name} in ${made.folder}. It is open in this window. To open it again, press “Open ${made.name}” under “Check somebody’s record” on the start screen. The record that you were given stays as it is.`,
      location.hash.startsWith('#/trials/') ? location.hash : undefined,
    );
  }, [task]);
  const isBusy = task.state === 'running' || task.state === 'done';
  const isName = newCopySchema.safeParse({ name: name.trim() }).success;
  const failure = task.state === 'failed' ? failureOf(task.error) : null;
  const isTaken = failure?.code === 'output-exists';
  return (
    <ModalDialog
      title={copyTitle}
      onClose={isBusy ? () => undefined : onClose}
      {...(isBusy ? {} : { cancel: 'Cancel' })}
      actions={
        isBusy ? (
          <Button onPress={cancel}>Cancel the copying</Button>
        ) : (
          <Button look="primary" onPress={() => start()} isDisabled={!isName}>
            Make the copy
          </Button>
        )
      }
    >
      <p>
        The copy gets the whole record, if that verifies. You can review it, erase in it and add to it; the record that you were
        given stays as it is. When a run in the copy ends, your own key signs all of it, and so also what you were given.
      </p>
      <TextField
        label="Name of the file"
        description={
          <>
            In the folder of your own record: <HiddenText text={place.folder} />
          </>
        }
        value={name}
        onChange={setName}
        isDisabled={isBusy}
        error={
          isTaken
            ? 'There is a file of this name already. Choose another one.'
            : isName
              ? null
              : 'Write a name without a folder, without a dot at its beginning or end, and without signs such as / or :.'
        }
      />
      <p role="status">
        {task.state === 'running' ? progressWords(task.progress) : task.state === 'done' ? 'Opening the copy…' : ''}
      </p>
      <FailureNotice error={task.state === 'failed' && !isTaken ? task.error : null} />
    </ModalDialog>
  );
}

/** Makes a store of the user's own of a record from elsewhere; nothing for another record. */
export function CopyOfYourOwn() {
  const reading = useReadPlace();
  const [isOpen, setIsOpen] = useState(false);
  // It is there before that is known: above every screen, a later row would move them all.
  const place = reading.data?.copy;
  if (place === null) return null;
  return (
    <>
      <Button icon={CopyPlus} size="small" onPress={() => setIsOpen(true)}>
        Make a copy of your own…
      </Button>
      {isOpen && place === undefined ? (
        <ModalDialog title={copyTitle} onClose={() => setIsOpen(false)} cancel="Cancel">
          <Unread of={reading} words="Opening the record…" />
        </ModalDialog>
      ) : null}
      {isOpen && place !== undefined ? <CopyDialog place={place} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** Whose record another one is a copy of; nothing for one that is none. */
export function CopiedFrom({ adopted }: { adopted: RecordCheck['adopted'] | null }) {
  return adopted ? <Paragraph className="wrap-anywhere" text={adoptedWords(adopted, minuteText)} /> : null;
}

export const AdoptedNote = () => <CopiedFrom adopted={useRecordPlace()?.adopted ?? null} />;

/** Copies of records from elsewhere that the user has made, to continue with; nothing where there is none. */
export function OwnCopies() {
  const api = useApi();
  const copies = useRead(['record', 'copies'], (asked, given) => asked.record.copies({}, given), fresh).data ?? [];
  const open = useEngineStatus()?.store;
  const opening = useMutation({
    mutationFn: (name: string) => api.record.openCopy({ name }),
    onSuccess: ({ record }) => showGivenRecord(record),
  });
  const others = copies.filter(({ name }) => name !== open);
  if (others.length === 0) return null;
  return (
    <div className="stack gap-6">
      <h3 className="eyebrow">Your copies of records from others</h3>
      <ul className="stack gap-6">
        {others.map(({ name, of }) => (
          <li key={name} className="row gap-8">
            <Button
              icon={BookOpen}
              size="small"
              onPress={() => opening.mutate(name)}
              isDisabled={opening.isPending || opening.isSuccess}
            >
              Open {name}
            </Button>
            <span className="quiet wrap-anywhere">
              a copy of <HiddenText text={of.file} />
            </span>
          </li>
        ))}
      </ul>
      <FailureNotice error={opening.error} />
    </div>
  );
}
