import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { isImported } from '../../../shared/imported.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { toBeside } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { trialsKey } from '../experiments/experimentQueries.ts';
import { verdictOf } from './words.ts';

/** Trials of one case that are offered; those of a case come before those whose id holds its id. */
const mostOffered = 500;

function SameCase({ line: { case: id, trial }, experiment }: { line: TrialLine; experiment: string }) {
  const api = useApi();
  const reading = useQuery({
    queryKey: [...trialsKey(experiment), 'of the case', id],
    queryFn: ({ signal }) =>
      api.experiments.trials({ experiment, search: id.slice(0, 200), order: 'case', limit: mostOffered }, { signal }),
    refetchOnMount: 'always',
  });
  if (reading.data === undefined) {
    return reading.isError ? <FailureNotice error={reading.error} /> : <p className="quiet">Reading the trials…</p>;
  }
  const same = reading.data.lines.filter((line) => line.case === id && line.trial !== trial && !isImported(line));
  const names = shownArmNames(same.map(({ arm }) => arm));
  if (same.length === 0) return <p className="quiet">This experiment has begun no other trial of this case.</p>;
  return (
    <ul className="stack gap-6" aria-label="Trials of this case">
      {same.map((line) => {
        const { before, label, after } = verdictOf(line);
        return (
          <li key={line.trial} className="row justify-between gap-12">
            <Link href={toBeside(trial, line.trial)} className="min-w-0 wrap-anywhere">
              <Isolated text={names.get(line.arm) ?? line.arm} />
              {line.replicate > 0 ? ` · replicate ${line.replicate + 1}` : ''}
            </Link>
            <span className="quiet">
              {label === null ? before : <Isolated text={label} />}
              {after}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Any trial, of this experiment or another one. */
function AnyTrial({ trial }: { trial: string }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const compare = (event: FormEvent) => {
    event.preventDefault();
    const other = /(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/.exec(typed)?.[0];
    if (other === undefined)
      setError('A trial’s id has 16 letters a to f and digits, as exports and addresses of trials have it.');
    else if (other === trial) setError('This is the trial itself.');
    else navigate(toBeside(trial, other));
  };
  return (
    <form className="stack gap-8 content-start" onSubmit={compare}>
      <TextField label="Id or address of any other trial" value={typed} onChange={setTyped} error={error} look="mono" />
      <div>
        <Button type="submit">Compare</Button>
      </div>
    </form>
  );
}

/**
 * Puts another trial beside this one: a replicate, one of another arm, one with changes, or any.
 * @param again the experiment in which it was tried again with changes; null where it was not
 */
export function CompareButton({ line, again }: { line: TrialLine; again: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  if (line.status === 'queued' || isImported(line)) return null;
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Compare with…</Button>
      <ModalDialog
        title="Compare with"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        actions={<Button onPress={() => setIsOpen(false)}>Close</Button>}
      >
        <SameCase line={line} experiment={line.experiment} />
        {again === null ? null : (
          <>
            <h3>With changes</h3>
            <SameCase line={line} experiment={again} />
          </>
        )}
        <AnyTrial trial={line.trial} />
      </ModalDialog>
    </>
  );
}
