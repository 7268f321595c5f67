import type { TrialFrame } from '../../../../shared/api/trials.ts';
import { os } from '../os.ts';
import type { Service, TrialTokens } from '../service.ts';
import type { StreamSource } from '../streams.ts';

type TrialBody = TrialFrame['body'];

/** Events of a trial after a place, then what comes, with its line and the answer that is being written. */
function trialSource({ changes, queries }: Service, trial: string, from: number): StreamSource<TrialBody> {
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
    async take(replaceable) {
      const bodies: TrialBody[] = [];
      if (grown) {
        grown = false;
        const { lastSeq, entries } = await queries.run('trialEntries', { trial, after });
        after = lastSeq;
        if (entries.length > 0) bodies.push({ kind: 'entries', lastSeq, entries });
      }
      if (lineChanged) {
        lineChanged = false;
        bodies.push({ kind: 'line', line: await queries.run('trialLine', { trial }) });
      }
      if (replaceable && tokens !== null) {
        bodies.push({ kind: 'tokens', ...tokens });
        tokens = null;
      }
      return bodies;
    },
    gap() {
      grown = true;
      lineChanged = true;
      return { kind: 'gap', after };
    },
  };
}

export const trials = {
  read: os.trials.read.handler(({ context: { service }, input }) => service.queries.run('trial', input)),
  call: os.trials.call.handler(({ context: { service }, input }) => service.queries.run('call', input)),
  check: os.trials.check.handler(({ context: { service }, input, signal }) => service.queries.run('trialCheck', input, signal)),
  watch: os.trials.watch.handler(async ({ context: { service, streams }, input: { trial, after }, signal }) => {
    // Throws not-found.
    await service.queries.run('trialLine', { trial }, signal);
    return streams.open(trialSource(service, trial, after), signal);
  }),
};
