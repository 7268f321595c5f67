import { useMutation } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { fresh, useApi, useRead } from '../../api/ApiContext.tsx';
import { showGivenRecord } from '../../api/givenRecord.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';

/** Copies of records from elsewhere that the user has made, to go on with; nothing where there is none. */
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
