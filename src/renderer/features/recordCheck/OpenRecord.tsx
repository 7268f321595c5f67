import { ShieldCheck } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { CheckOutcome } from './CheckOutcome.tsx';
import { LastCheck } from './KnownFaults.tsx';
import type { useRecordCheck } from './knownRecord.ts';

/** Whether the open record was checked, the check of it, and what that found, all in one place. */
export function OpenRecord({ check: { task, start, cancel } }: { check: ReturnType<typeof useRecordCheck> }) {
  return (
    <section className="stack gap-10 content-start" aria-label="Check of the open record">
      <div className="row gap-10">
        {task.state === 'idle' ? <LastCheck /> : null}
        {task.state === 'running' ? (
          <Button size="small" onPress={cancel}>
            Cancel the check
          </Button>
        ) : (
          <Button size="small" onPress={() => start()}>
            <ShieldCheck size={13} aria-hidden="true" />
            {task.state === 'idle' ? 'Check it now' : 'Check it again'}
          </Button>
        )}
      </div>
      <CheckOutcome task={task} />
    </section>
  );
}
