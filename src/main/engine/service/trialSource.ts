import type { TrialFrame } from '../../../shared/api/trials.ts';
import type { TrialTokens } from './changes.ts';
import type { Service } from './service.ts';
import type { StreamSource } from './streams.ts';

/** Events of a trial after a place, then what comes, with its line and the answer that is being written. */
export function trialSource(
  { changes, queries }: Pick<Service, 'changes' | 'queries'>,
  trial: string,
  from: number,
): StreamSource<TrialFrame> {
  let after = from;
  let grown = true;
  let lineChanged = true;
  let tokens: TrialTokens | null = null;
  return {
    listen: (tell) =>
      changes.onTrial(trial, (what) => {
        if (typeof what === 'object') tokens = what;
        else {
          // What was being written is in the chain now, or was given up.
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
