// Requests about trials, and the streams of one that is running and of all that are.
import { isUnderWay } from '../../../../shared/api/engine.ts';
import { answerModeration } from '../../lab/moderation.ts';
import { liveSource } from '../liveSource.ts';
import { answeredBy, os } from '../os.ts';
import { follow } from '../streams.ts';
import { trialSource } from '../trialSource.ts';
import { startAgain } from './runs.ts';

export const trials = {
  read: os.trials.read.handler(async ({ context: { queries, knownFaults }, input, signal }) => {
    const view = await queries.run('trial', input, signal);
    knownFaults.trial('trial', view.line.experiment, input.trial, view.damage);
    return view;
  }),
  call: os.trials.call.handler(answeredBy('call')),
  check: os.trials.check.handler(async ({ context: { queries, knownFaults }, input, signal }) => {
    const check = await queries.run('trialCheck', input, signal);
    const { experiment } = await queries.run('trialLine', input, signal);
    const { chain, replay, problem } = check;
    knownFaults.trial('trial-check', experiment, input.trial, chain === 'intact' ? null : (problem ?? 'it fails its check'));
    // A trial that could not be replayed says nothing of what a replay found before, and the replay of a broken chain nothing of the trial.
    if (chain === 'intact' && (replay === 'identical' || replay === 'different'))
      knownFaults.trial('replay', experiment, input.trial, replay === 'identical' ? null : (problem ?? 'its replay differs'));
    return check;
  }),
  moderate: os.trials.moderate.handler(async ({ context: service, input: { trial, moderation } }) => {
    const { experiment } = await service.queries.run('trialLine', { trial });
    await service.store.write((store) => answerModeration(store, experiment, trial, moderation));
    service.changes.trial(experiment, trial, 'events');
    // A run under way takes the trial up when it gets to it.
    if (!isUnderWay(service.runs.of(experiment))) await startAgain(service, experiment, { retry: [] });
    return {};
  }),
  watch: os.trials.watch.handler(async ({ context: service, input: { trial, after }, signal }) => {
    // Throws not-found.
    await service.queries.run('trialLine', { trial }, signal);
    return follow(trialSource(service, trial, after), signal);
  }),
};

export const live = {
  watch: os.live.watch.handler(async ({ context: service, input: { experiment }, signal }) => {
    // Throws not-found.
    if (experiment !== null) await service.queries.run('runOrder', { experiment }, signal);
    return follow(liveSource(service, experiment), signal);
  }),
};
