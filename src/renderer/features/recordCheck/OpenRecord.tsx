import { ShieldCheck } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { CheckOutcome } from './CheckOutcome.tsx';
import { AdoptedNote } from './CopyOfYourOwn.tsx';
import { LastCheck } from './KnownFaults.tsx';
import { type useRecordCheck, useRecordPlace } from './knownRecord.ts';

const fileName = (path: string) => path.split(/[\\/]/).at(-1) ?? path;

type Check = ReturnType<typeof useRecordCheck>;

export function CheckNow({ check: { task, start, cancel }, isAgain }: { check: Check; isAgain: boolean }) {
  return task.state === 'running' ? (
    <Button size="small" onPress={cancel}>
      Cancel the check
    </Button>
  ) : (
    <Button icon={ShieldCheck} size="small" onPress={start}>
      {isAgain ? 'Check it again' : 'Check it now'}
    </Button>
  );
}

/** Whether the open record was checked, its check and findings. @param signer fingerprint of the expected key, if entered */
export function OpenRecord({ check, signer = null }: { check: Check; signer?: string | null }) {
  const { task, root } = check;
  const place = useRecordPlace();
  return (
    <section className="stack gap-10 content-start" aria-label="Check of the open record">
      {place === undefined ? null : (
        <p className="wrap-anywhere">
          Open record:{' '}
          <span className="mono-12-5" title={place.copy_of === null ? place.store : undefined}>
            <Isolated text={place.copy_of ?? fileName(place.store)} />
          </span>
        </p>
      )}
      <AdoptedNote />
      <div className="row gap-10">
        {task.state === 'idle' ? <LastCheck /> : null}
        <CheckNow check={check} isAgain={task.state !== 'idle'} />
      </div>
      <CheckOutcome task={task} root={root} signer={signer} isOpen />
    </section>
  );
}
