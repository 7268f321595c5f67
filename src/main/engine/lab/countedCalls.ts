// Makes the calls of a run's trials so that each is counted, and seen by who follows it.
import type { CallReport, PreparedCall } from '../../../core/record/effects.ts';
import type { PlannedTrial } from './frozen.ts';
import type { CallPerformer, CallWatch, Report } from './performer.ts';
import type { progressMeter } from './progressMeter.ts';
import type { Hold } from './seenServers.ts';

export interface CallListener {
  /** Whether the call is at its server: it may have to wait for its turn first, and again after an outage. */
  underWay?(is: boolean): void;
  /** Called with the text of the answer so far, as often as it grows. */
  text(soFar: string): void;
  end(): void;
}

interface CountedCallsOptions {
  readonly meter: Pick<ReturnType<typeof progressMeter>, 'call'>;
  readonly performer: CallPerformer;
  readonly hold: Hold | undefined;
  readonly onCall: ((call: PreparedCall, trial: PlannedTrial | null) => CallListener) | undefined;
  /** Name of the server at an address that was asked for a backend. */
  readonly serverOf: (backend: string, url: unknown) => string;
  /** Called with each report before it is counted. */
  readonly onReport: (call: PreparedCall, report: CallReport, trial: PlannedTrial | null) => void;
}

/** `perform` makes a call of a trial, `shared` those that several trials share. */
export function countedCalls({ meter, performer, hold, onCall, serverOf, onReport }: CountedCallsOptions) {
  const counted = async <T extends { readonly promptTokens: number; readonly completionTokens?: number }>(
    { backend, model }: { readonly backend: string; readonly model: string },
    trial: PlannedTrial | null,
    make: (underWay: (is: boolean) => void) => Promise<Report<T>>,
  ): Promise<Report<T>> => {
    const counting = async () => {
      const call = meter.call(trial?.id ?? null, model);
      try {
        const report = await make(call.underWay);
        call.answered(report.wallMs / 1000, serverOf(backend, report.sentTo.url), report.result?.completionTokens ?? 0);
        return report;
      } finally {
        call.end();
      }
    };
    return hold === undefined ? counting() : hold.call(counting);
  };
  const perform = (call: PreparedCall, trial: PlannedTrial | null): Promise<CallReport> =>
    counted({ backend: call.backend, model: call.request.model }, trial, async (underWay) => {
      const listener = onCall?.(call, trial);
      const watch: CallWatch = {
        ...(listener === undefined ? {} : { text: (soFar) => listener.text(soFar) }),
        underWay(is) {
          underWay(is);
          listener?.underWay?.(is);
        },
      };
      try {
        const report = await performer.perform(call, watch, trial ?? undefined);
        onReport(call, report, trial);
        return report;
      } finally {
        listener?.end();
      }
    });
  const shared: CallPerformer = {
    perform: (call) => perform(call, null),
    embed: (backend, request) => counted({ backend, model: request.model }, null, () => performer.embed(backend, request)),
  };
  return { perform, shared };
}
