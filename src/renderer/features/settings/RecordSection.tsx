import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';
import { forRecord } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Section.tsx';
import { CheckOutcome } from '../recordCheck/CheckOutcome.tsx';

/** Checks everything that is on the record: that no word was changed, taken away or put in since it was written. */
export function RecordSection() {
  const api = useApi();
  const { task, start, cancel } = useTask((signal) => api.record.check({}, { signal }));
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (history.state !== forRecord) return;
    // The screen first gives the focus to its heading.
    const frame = requestAnimationFrame(() => {
      button.current?.closest('section')?.scrollIntoView();
      button.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
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
          <Button ref={button} size="small" onPress={() => start()}>
            <ShieldCheck size={13} aria-hidden="true" />
            {task.state === 'done' ? 'Check it again' : 'Check the record'}
          </Button>
        )
      }
    >
      <CheckOutcome task={task} />
    </Section>
  );
}
