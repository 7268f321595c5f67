import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { TrialView } from '../../../shared/api/trials.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { Pill } from '../../ui/Pill.tsx';

/** How many people judged a trial; a press shows what each answered. */
export function JudgedPill({ judged, answers }: Pick<TrialView, 'judged' | 'answers'>) {
  const [isOpen, setIsOpen] = useState(false);
  if (judged === null) return null;
  const close = () => setIsOpen(false);
  return (
    <Pill>
      <AriaButton className="as-link" onPress={() => setIsOpen(true)}>
        <HiddenText text={judged} />
      </AriaButton>
      <ModalDialog title="What people said" isOpen={isOpen} onClose={close} actions={<Button onPress={close}>Close</Button>}>
        <DataTable
          label="What people answered"
          rows={answers.map((each, index) => ({ ...each, index }))}
          keyOf={({ index }) => index}
          columns={[
            { title: 'who', cell: ({ who }) => <Isolated text={who} /> },
            { title: 'answer', cell: ({ answer }) => <Isolated text={answer} /> },
            { title: 'before the verdict was known', cell: ({ blind }) => (blind ? 'yes' : 'no') },
            { title: 'reason', cell: ({ reason }) => <Outside as="span" text={reason} /> },
          ]}
        />
      </ModalDialog>
    </Pill>
  );
}
