import type { PlanReport } from '../../../shared/outputs.ts';
import { byteRange, duration } from '../../../shared/sizes.ts';
import { Button } from '../../ui/Button.tsx';
import { PlanAt, type Planned } from '../../ui/PlanAt.tsx';
import { quantity, quantityRange } from '../../ui/quantity.ts';
import styles from './NewExperiment.module.css';

/** How long it takes, as far as models were measured. */
function timeText({ hours: { min, max }, timing }: PlanReport): string {
  if (timing.unmeasured.length > 0) return 'time not measured';
  const [least, most] = [duration(min * 3600), duration(max * 3600)];
  return least === most ? `about ${least}` : `${least} to ${most}`;
}

export const openTrials = ({ arms }: Pick<PlanReport, 'arms'>): number =>
  arms.reduce((total, { remaining }) => total + remaining, 0);

/** The same in words; of an experiment that grows, also those that are done. */
export function trialsText({ arms, done }: Pick<PlanReport, 'arms' | 'done'>): string {
  const open = openTrials({ arms });
  return done === 0 ? quantity(open, 'trial') : `${quantity(open, 'new trial')} (${done.toLocaleString('en-GB')} done)`;
}

/** At the window's lower edge: what the experiment costs, and the button that starts it. */
export function StartBar({
  plan,
  counting,
  waitsFor,
  isStarting,
  start,
  onStart,
}: {
  plan: PlanReport | undefined;
  counting: boolean;
  /** What has to be done before it can start; null: nothing. */
  waitsFor: string | null;
  isStarting: boolean;
  start: string;
  /** With when a planned start is. Null while it cannot start. */
  onStart: ((planned: Planned | null) => void) | null;
}) {
  const costs =
    plan === undefined
      ? []
      : [
          trialsText(plan),
          quantityRange(plan.calls, 'call'),
          timeText(plan),
          `${byteRange({ min: plan.disk_bytes, max: plan.disk_bytes_most })} of disk`,
        ];
  return (
    <section className={`row justify-between ${styles.startBar}`} aria-label="Start" data-floats>
      <p className="text-16">
        {waitsFor ?? costs.join(' · ')}
        {waitsFor === null && counting ? <span className="quiet"> Counting…</span> : null}
      </p>
      <div className="row gap-8">
        <PlanAt isDisabled={onStart === null || isStarting} onPlan={(planned) => onStart?.(planned)} />
        <Button look="primary" isDisabled={onStart === null || isStarting} onPress={() => onStart?.(null)}>
          {isStarting ? 'Starting…' : start}
        </Button>
      </div>
    </section>
  );
}
