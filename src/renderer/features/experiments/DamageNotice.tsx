import { Link } from 'wouter';
import { toTrial } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { CheckOutcome } from '../recordCheck/CheckOutcome.tsx';
import { FaultyTrials, LastCheck, MachineText } from '../recordCheck/KnownFaults.tsx';
import { faultSentence, knownSentence, trialsByExperiment, useKnownRecord, useRecordCheck } from '../recordCheck/knownRecord.ts';
import { CheckNow } from '../recordCheck/OpenRecord.tsx';
import { useDamage } from './experimentQueries.ts';

function WhatToDo({ check }: { check: ReturnType<typeof useRecordCheck> }) {
  const wasChecked = useKnownRecord()?.last != null;
  return (
    <>
      <p>Put back an earlier copy of the store, from before the change, and check it with a root that you know.</p>
      <div className="row gap-10">
        <LastCheck />
        <CheckNow check={check} isAgain={wasChecked} />
      </div>
    </>
  );
}

/** Says above everything else that the record of an experiment fails its check, and where. */
export function DamageNotice({ experiment }: { experiment: string }) {
  const check = useRecordCheck();
  return (
    <>
      <Damage experiment={experiment} check={check} />
      {check.task.state === 'idle' ? null : <CheckOutcome task={check.task} root={check.root} isOpen />}
    </>
  );
}

function Damage({ experiment, check }: { experiment: string; check: ReturnType<typeof useRecordCheck> }) {
  const { damaged = 0, first: [fault] = [] } = useDamage(experiment).data ?? {};
  const known = useKnownRecord()?.faults.filter((each) => each.experiment === experiment) ?? [];
  const [found] = known;
  const trials = trialsByExperiment(known).get(experiment) ?? [];
  if (fault === undefined) {
    if (found === undefined) return null;
    return (
      <Notice tone="bad">
        <p>
          <strong>The record {knownSentence(found)}.</strong>
        </p>
        {trials.length === 0 ? null : (
          <p>
            Concerned: <FaultyTrials trials={trials} />. What these trials show cannot be relied on.
          </p>
        )}
        <WhatToDo check={check} />
        <MachineText text={found.problem} />
      </Notice>
    );
  }
  const { trial, seq, kind, problem } = fault;
  const isTrial = trial !== null && /^[0-9a-f]{16}$/.test(trial);
  return (
    <Notice tone="bad">
      <p>
        <strong>The record {faultSentence(problem)}.</strong> {quantity(damaged, 'part')} of it {damaged === 1 ? 'fails' : 'fail'}{' '}
        the check: nothing on this screen can be relied on.
      </p>
      <p>First fault: {isTrial ? <Link href={toTrial(trial)}>trial {trial}</Link> : <Isolated text={trial ?? kind} />}.</p>
      <WhatToDo check={check} />
      <MachineText text={`${seq === null ? '' : `event ${seq}, `}${kind}: ${problem}`} />
    </Notice>
  );
}
