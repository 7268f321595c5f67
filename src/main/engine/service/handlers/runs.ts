// Requests that resume, pause and stop a run.
import { type Outcome, outcomeSchema } from '../../../../shared/domain.ts';
import { badInput } from '../../../../shared/errors.ts';
import { os } from '../os.ts';
import { refuseTime } from '../plannedTime.ts';
import type { Service } from '../service.ts';

const outcomes = new Set<string>(outcomeSchema.options);

/** Starts a run of an experiment on the record, as it was last run. Throws where one is under way. */
export async function startAgain(
  service: Service,
  experiment: string,
  {
    retry,
    demo = false,
    ...how
  }: {
    readonly retry: readonly Outcome[];
    readonly demo?: boolean;
    readonly only?: string;
    readonly heldUntil?: string | null;
  },
): Promise<void> {
  const order = await service.queries.run('runOrder', { experiment });
  const { concurrency } = service.settings.read();
  service.runs.start(experiment, {
    ...(order ?? { backend: 'ollama' as const }),
    ...(demo ? { backend: 'standin' as const } : {}),
    // The setting of now, which holds for runs that start from now on.
    concurrency,
    retry,
    ...how,
  });
}

/** Tries one trial that ended without a verdict again, and no other. */
async function tryAgain(service: Service, experiment: string, trial: string): Promise<void> {
  const line = await service.queries.run('trialLine', { trial });
  if (line.experiment !== experiment || line.outcome === null || line.outcome === 'decided')
    throw badInput('this trial did not end without a verdict', { field: 'trial' });
  await startAgain(service, experiment, { retry: [line.outcome], only: trial });
}

export const runs = {
  resume: os.runs.resume.handler(async ({ context: service, input: { experiment, retry, trial, demo, until } }) => {
    if (until !== null && (trial !== null || (retry.length > 0 && service.runs.of(experiment)?.state === 'paused')))
      throw badInput('what is tried again begins at once; leave the time out', { field: 'until' });
    if (trial !== null) {
      await tryAgain(service, experiment, trial);
      return {};
    }
    const unknown = retry.find((outcome) => !outcomes.has(outcome) || outcome === 'decided');
    if (unknown !== undefined) {
      throw badInput(`${JSON.stringify(unknown)} is no outcome that can be tried again`, { field: 'retry' });
    }
    const outcomesToRetry = retry.map((outcome) => outcomeSchema.parse(outcome));
    if (service.runs.of(experiment)?.state === 'paused') {
      if (until === null) service.runs.resume(experiment, outcomesToRetry);
      else service.runs.pause(experiment, until);
      return {};
    }
    if (until !== null) refuseTime(until);
    await startAgain(service, experiment, { retry: outcomesToRetry, demo, heldUntil: until });
    return {};
  }),
  pause: os.runs.pause.handler(({ context: service, input: { experiment } }) => {
    service.runs.pause(experiment);
    return {};
  }),
  stop: os.runs.stop.handler(async ({ context: service, input: { experiment } }) => {
    await service.runs.stop(experiment);
    return {};
  }),
};
