import { useMutation } from '@tanstack/react-query';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { isUnderWay } from '../../../shared/api/engine.ts';
import { isImported } from '../../../shared/imported.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { remedyFor } from '../experiments/outcomes.ts';

function FurtherAttempt({ line: { experiment, trial, outcome } }: { line: TrialLine }) {
  const api = useApi();
  const retry = useMutation({ mutationFn: () => api.runs.resume({ experiment, trial }) });
  const isRunning = useEngineStatus()?.runs.some((run) => run.experiment === experiment && isUnderWay(run)) ?? false;
  const isWritable = useWritable();
  return (
    <>
      <Notice tone="warn">
        <p>
          <strong>No verdict: {outcomeText(outcome ?? '')}.</strong>{' '}
          {isWritable ? (
            <>
              {remedyFor(outcome ?? '') ?? ''}{' '}
              {isRunning
                ? 'The experiment is running. When it has ended, you can try this trial again here.'
                : 'You can try it once more. The old attempt stays on the record, and no other trial runs.'}
            </>
          ) : null}
        </p>
        {isRunning || !isWritable ? null : (
          <p>
            <WritingButton size="small" isDisabled={retry.isPending} onPress={() => retry.mutate()}>
              Try this trial again
            </WritingButton>
          </p>
        )}
      </Notice>
      <FailureNotice error={retry.error} />
    </>
  );
}

/** What to do about a trial that lacks its verdict or a turn. */
export function NextStep({ line }: { line: TrialLine }) {
  const { status, outcome, incomplete, swap, change } = line;
  const isWritable = useWritable();
  if (status !== 'done' || outcome === null || isImported(line)) return null;
  if (outcome !== 'decided') return <FurtherAttempt line={line} />;
  if (!incomplete) return null;
  const isOwn = swap === null && change === undefined;
  return (
    <Notice tone="warn">
      A turn was forfeited: its answer could not be used, and the trial continued without it. The verdict counts, and is marked
      incomplete.{' '}
      {!isOwn
        ? 'Compare it with the unchanged trial with care.'
        : isWritable
          ? '“Try again…” tries the case again with other seeds.'
          : null}
    </Notice>
  );
}
