import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { z } from 'zod';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { isUnderWay } from '../../../shared/api/engine.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { isImported } from '../../../shared/imported.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { toTrialAt } from '../../app/routes.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { saveSessionState, useSessionState } from '../../ui/sessionState.ts';
import { remedyFor } from '../experiments/outcomes.ts';
import { CheckLink, MachineText } from '../recordCheck/KnownFaults.tsx';
import styles from './Trial.module.css';

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

export const faultOfText = ({ gone }: { readonly gone: boolean }) => (gone ? 'damaged' : 'changed after it was written');

/** What has a place in the transcript. */
const shown: ReadonlySet<string> = new Set<TrialView['entries'][number]['kind']>(['utterance', 'belief', 'ruling']);

/** Says that the record of a trial fails its check, which texts that concerns, what it means and what to do. */
export function TrialDamage({ view }: { view: TrialView }) {
  const { line, entries, damage, damage_means: means, unread, faulty_texts: faulty } = view;
  const isMissing = unread > 0 || faulty.some(({ gone }) => gone);
  const places = new Set(entries.filter(({ kind }) => shown.has(kind)).map(({ seq }) => seq));
  return (
    <Notice tone="bad">
      <p>
        <strong>The record of this trial fails its check. Do not rely on what it says.</strong>
        {isMissing ? ' What cannot be read is missing here.' : ''}
      </p>
      {faulty.length === 0 ? null : (
        <ul>
          {faulty.map((fault) => (
            <li key={`${fault.seq} ${fault.field}`}>
              {places.has(fault.seq) ? (
                <Link href={toTrialAt(line.trial, fault.seq, '')}>
                  <Isolated text={capitalized(fault.what)} />
                </Link>
              ) : (
                <Isolated text={capitalized(fault.what)} />
              )}
              : {faultOfText(fault)}
            </li>
          ))}
        </ul>
      )}
      {means === null ? null : <p>{means}</p>}
      <p>
        <CheckLink /> looks at all of it. Then put back an earlier copy of the store, from before the change.
      </p>
      <MachineText text={damage ?? ''} />
    </Notice>
  );
}

const key = 'trial/first';

export const hintAt = (trial: string): void => saveSessionState(key, trial);

/** What there is to see in a trial, for people who open their first one. */
export function FirstHints({ trial }: { trial: string }) {
  const [first, setFirst] = useSessionState(key, z.string().nullable(), () => null);
  if (first !== trial) return null;
  return (
    <div className="off-paper">
      <Notice>
        <ul className={`stack gap-4 text-13 ${styles.hints}`}>
          <li>
            <b>Who speaks:</b> each side has its own colour, and each speech names its speaker. The judge rules at the end.
          </li>
          <li>
            <b>The curve:</b> the judge’s belief after each speech, drawn towards the answer that it finds more likely.
          </li>
          <li>
            <b>What was asked:</b> “call” next to a speech opens what the model read and wrote. <kbd>?</kbd> lists all keys.
          </li>
        </ul>
        <Button size="small" onPress={() => setFirst(null)}>
          Dismiss
        </Button>
      </Notice>
    </div>
  );
}
