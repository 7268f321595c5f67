import { Link } from 'wouter';
import { routes, toTrial } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { useDamage } from './experimentQueries.ts';

/** Says above everything else that the record of an experiment fails its check, and where. */
export function DamageNotice({ experiment }: { experiment: string }) {
  const { damaged = 0, first: [fault] = [] } = useDamage(experiment).data ?? {};
  if (fault === undefined) return null;
  const { trial, seq, kind, problem } = fault;
  const isTrial = trial !== null && /^[0-9a-f]{16}$/.test(trial);
  return (
    <Notice tone="bad">
      <p>
        <strong>The record is damaged or was changed.</strong> {quantity(damaged, 'part')} of it{' '}
        {damaged === 1 ? 'fails' : 'fail'} the check: nothing on this screen can be relied on.
      </p>
      <p>
        First fault: {isTrial ? <Link href={toTrial(trial)}>trial {trial}</Link> : <Isolated text={trial ?? kind} />}
        {seq === null ? '' : `, event ${seq}`}, {kind}: <Isolated text={problem} />.{' '}
        <Link href={routes.settings}>Check the record</Link> checks all of it.
      </p>
    </Notice>
  );
}
