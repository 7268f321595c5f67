import { outcomeSchema } from '../../../../shared/domain.ts';
import { badInput } from '../../../../shared/errors.ts';
import { os } from '../os.ts';

const outcomes = new Set<string>(outcomeSchema.options);

export const runs = {
  resume: os.runs.resume.handler(async ({ context: { service }, input: { experiment, retry } }) => {
    const unknown = retry.find((outcome) => !outcomes.has(outcome) || outcome === 'decided');
    if (unknown !== undefined) {
      throw badInput(`${JSON.stringify(unknown)} is no outcome that can be tried again`, { field: 'retry' });
    }
    const outcomesToRetry = retry.map((outcome) => outcomeSchema.parse(outcome));
    if (service.runs.of(experiment)?.state === 'paused') {
      service.runs.resume(experiment, outcomesToRetry);
      return {};
    }
    const order = await service.queries.run('runOrder', { experiment });
    const { concurrency } = service.settings.read();
    service.runs.start(experiment, {
      ...(order ?? { backend: 'ollama' as const, concurrency }),
      retry: outcomesToRetry,
    });
    return {};
  }),
  pause: os.runs.pause.handler(({ context: { service }, input: { experiment } }) => {
    service.runs.pause(experiment);
    return {};
  }),
  stop: os.runs.stop.handler(async ({ context: { service }, input: { experiment } }) => {
    await service.runs.stop(experiment);
    return {};
  }),
};
