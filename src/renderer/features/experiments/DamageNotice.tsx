import { Link } from 'wouter';
import { toTrial } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { CheckLink, FaultyTrials, MachineText } from '../recordCheck/KnownFaults.tsx';
import { faultSentence, knownSentence, trialsByExperiment, useKnownRecord } from '../recordCheck/knownRecord.ts';
import { useDamage } from './experimentQueries.ts';

/** Says above everything else that the record of an experiment fails its check, and where. */
export function DamageNotice({ experiment }: { experiment: string }) {
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
        <p>
          <CheckLink /> checks all of it.
        </p>
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
      <p>
        First fault: {isTrial ? <Link href={toTrial(trial)}>trial {trial}</Link> : <Isolated text={trial ?? kind} />}.{' '}
        <CheckLink /> checks all of it.
      </p>
      <MachineText text={`${seq === null ? '' : `event ${seq}, `}${kind}: ${problem}`} />
    </Notice>
  );
}
