import { Link } from 'wouter';
import { forRecord, routes, toTrial } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { FaultyTrials } from '../recordCheck/KnownFaults.tsx';
import { faultSentence, trialsByExperiment, useKnownRecord } from '../recordCheck/knownRecord.ts';
import { useDamage } from './experimentQueries.ts';

const CheckLink = () => (
  <Link href={routes.settings} state={forRecord}>
    Check the record
  </Link>
);

/** Says above everything else that the record of an experiment fails its check, and where. */
export function DamageNotice({ experiment }: { experiment: string }) {
  const { damaged = 0, first: [fault] = [] } = useDamage(experiment).data ?? {};
  const known = useKnownRecord()?.faults.filter((each) => each.experiment === experiment) ?? [];
  const [found] = known;
  const trials = trialsByExperiment(known).get(experiment) ?? [];
  if (fault === undefined && found === undefined) return null;
  if (fault === undefined)
    return (
      <Notice tone="bad">
        <p>
          <strong>The record {faultSentence(found?.problem ?? '')}.</strong> <Isolated text={found?.problem ?? ''} />.
        </p>
        {trials.length === 0 ? null : (
          <p>
            Concerned: <FaultyTrials trials={trials} />. What these trials show cannot be relied on.
          </p>
        )}
        <p>
          <CheckLink /> checks all of it.
        </p>
      </Notice>
    );
  const { trial, seq, kind, problem } = fault;
  const isTrial = trial !== null && /^[0-9a-f]{16}$/.test(trial);
  return (
    <Notice tone="bad">
      <p>
        <strong>The record {faultSentence(problem)}.</strong> {quantity(damaged, 'part')} of it {damaged === 1 ? 'fails' : 'fail'}{' '}
        the check: nothing on this screen can be relied on.
      </p>
      <p>
        First fault: {isTrial ? <Link href={toTrial(trial)}>trial {trial}</Link> : <Isolated text={trial ?? kind} />}
        {seq === null ? '' : `, event ${seq}`}, {kind}: <Isolated text={problem} />. <CheckLink /> checks all of it.
      </p>
    </Notice>
  );
}
