// Requests about trials, and the stream of one that is running.
import type { TrialFrame } from '../../../../shared/api/trials.ts';
import { answerModeration } from '../../lab/moderation.ts';
import type { TrialTokens } from '../changes.ts';
import { answeredBy, os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, type StreamSource } from '../streams.ts';
import { startAgain } from './runs.ts';

/** Events of a trial after a place, then what comes, with its line and the answer that is being written. */
function trialSource({ changes, queries }: Service, trial: string, from: number): StreamSource<TrialFrame> {
  let after = from;
  let grown = true;
  let lineChanged = true;
  let tokens: TrialTokens | null = null;
  return {
    listen: (tell) =>
      changes.onTrial(trial, (what) => {
        if (typeof what === 'object') tokens = what;
        else {
          // What was being written stands in the chain now, or was given up.
          tokens = null;
          grown = true;
          lineChanged ||= what === 'line';
        }
        tell();
      }),
    async take() {
      const frames: TrialFrame[] = [];
      if (grown) {
        grown = false;
        const { lastSeq, entries } = await queries.run('trialEntries', { trial, after });
        after = lastSeq;
        if (entries.length > 0) frames.push({ kind: 'entries', lastSeq, entries });
      }
      if (lineChanged) {
        lineChanged = false;
        frames.push({ kind: 'line', line: await queries.run('trialLine', { trial }) });
      }
      if (tokens !== null) {
        frames.push({ kind: 'tokens', ...tokens });
        tokens = null;
      }
      return frames;
    },
  };
}

/** Runs that go on by themselves, or that their user holds. */
const underWay: ReadonlySet<string | undefined> = new Set(['running', 'waiting', 'paused', 'stopping']);

export const trials = {
  read: os.trials.read.handler(answeredBy('trial')),
  call: os.trials.call.handler(answeredBy('call')),
  check: os.trials.check.handler(answeredBy('trialCheck')),
  moderate: os.trials.moderate.handler(async ({ context: service, input: { trial, moderation } }) => {
    const { experiment } = await service.queries.run('trialLine', { trial });
    await service.store.write((store) => answerModeration(store, experiment, trial, moderation));
    service.changes.trial(experiment, trial, 'events');
    // A run under way takes the trial up when it gets to it.
    if (!underWay.has(service.runs.of(experiment)?.state)) await startAgain(service, experiment, []);
    return {};
  }),
  watch: os.trials.watch.handler(async ({ context: service, input: { trial, after }, signal }) => {
    // Throws not-found.
    await service.queries.run('trialLine', { trial }, signal);
    return follow(trialSource(service, trial, after), signal);
  }),
};
