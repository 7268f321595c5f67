import { Link } from 'wouter';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { toExperiment } from '../../app/routes.ts';
import { Notice } from '../../ui/Notice.tsx';

/** Why a trial that is not done does not go on. Nothing while it does. */
export function RunNotice({ line: { experiment, status } }: { line: TrialLine }) {
  const engine = useEngineStatus();
  if (status === 'done' || engine === null) return null;
  const run = engine.runs.find((each) => each.experiment === experiment);
  const there = <Link href={toExperiment(experiment)}>To the experiment</Link>;
  if (run === undefined || run.state === 'interrupted' || run.state === 'finished') {
    return (
      <Notice tone="warn">
        <span>Nothing runs this trial now. What is on record stays, and the experiment can be gone on with. {there}</span>
      </Notice>
    );
  }
  if (run.state === 'running') return null;
  const words = {
    waiting: `The run waits for ${run.waiting_for?.backend ?? 'its server'} and tries again by itself: ${run.waiting_for?.reason ?? 'no reason was given'}.`,
    paused: 'The run is paused. The answer under way is still taken.',
    stopping: 'The run is being stopped.',
    stopped: 'The run was stopped. What is on record stays, and the experiment can be gone on with.',
    failed: `The run ended: ${run.error?.message ?? 'no reason was given'}`,
  }[run.state];
  return (
    <Notice tone={run.state === 'failed' ? 'bad' : 'warn'}>
      <span>
        {words} {there}
      </span>
    </Notice>
  );
}
