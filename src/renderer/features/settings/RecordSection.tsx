import { ShieldCheck } from 'lucide-react';
import { forRecord } from '../../app/routes.ts';
import { useLinkedTo } from '../../app/useLinkedTo.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Section.tsx';
import { CheckOutcome } from '../recordCheck/CheckOutcome.tsx';
import { AdoptedNote } from '../recordCheck/CopyOfYourOwn.tsx';
import { LastCheck } from '../recordCheck/KnownFaults.tsx';
import { useRecordCheck } from '../recordCheck/knownRecord.ts';

/** Checks everything that is on the record: that no word was changed, taken away or put in since it was written. */
export function RecordSection() {
  const { task, start, cancel, root } = useRecordCheck();
  const button = useLinkedTo<HTMLButtonElement>(forRecord);
  return (
    <Section
      title="The record"
      lead="Checks that nothing in the record was changed: each event and text against its hash, and all results against the events. No model is asked."
      actions={
        task.state === 'running' ? (
          <Button size="small" onPress={cancel}>
            Cancel the check
          </Button>
        ) : (
          <Button icon={ShieldCheck} ref={button} size="small" onPress={start}>
            {task.state === 'done' ? 'Check it again' : 'Check the record'}
          </Button>
        )
      }
    >
      <AdoptedNote />
      {task.state === 'idle' ? <LastCheck /> : null}
      <CheckOutcome task={task} root={root} isOpen />
    </Section>
  );
}
