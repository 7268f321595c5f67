import { Link2, TriangleAlert } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { TrialCheck } from '../../../shared/api/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toneLook } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { CheckLink, MachineText } from '../recordCheck/KnownFaults.tsx';
import { faultSentence } from '../recordCheck/knownRecord.ts';
import styles from './Trial.module.css';

const replayText: Readonly<Record<TrialCheck['replay'], string>> = {
  identical: 'verdict re-derived',
  different: 'verdict does NOT follow from the answers',
  'not-replayable': 'verdict not derived again',
  unfinished: 'no verdict yet to derive again',
  erased: 'verdict not derived again: texts were erased',
};

/** `warn`: nothing is wrong, and not everything could be checked. */
function toneOf({ chain, replay }: TrialCheck): 'good' | 'warn' | 'bad' {
  if (chain === 'tampered' || replay === 'different') return 'bad';
  return replay === 'identical' ? 'good' : 'warn';
}

function wordsOf({ chain, replay, problem }: TrialCheck): string {
  if (chain === 'tampered') return `This trial ${faultSentence(problem ?? '')}`;
  return `Chain intact${replay === 'unfinished' ? ' so far' : ''}, ${replayText[replay]}`;
}

/** What a result means and what to do, where not all is well and the screen does not say it; nothing else. */
function Meaning({ check: { chain, replay, problem }, isDamaged }: { check: TrialCheck; isDamaged: boolean }) {
  if (chain === 'tampered' || replay === 'different')
    return chain === 'tampered' && isDamaged ? null : (
      <Notice tone="bad">
        {chain === 'tampered' ? (
          <p>
            What the record says of this trial is not what was written, so do not rely on it. <CheckLink /> looks at all trials
            and says what this means. Then put back an earlier copy of the store.
          </p>
        ) : (
          <p>
            Nothing was changed since its hash was made, but the recorded answers do not lead to this verdict. Do not rely on it,
            and ask who made this record.
          </p>
        )}
        <MachineText text={problem ?? ''} />
      </Notice>
    );
  if (replay === 'not-replayable')
    return (
      <Notice tone="warn">
        Whether the verdict follows from the answers was not checked: <HiddenText text={problem ?? ''} />. Check the trial with
        the version of Assize that tried it.
      </Notice>
    );
  return null;
}

/** The check of a trial, which only a person starts. Its result lasts while the screen uses it, as the button comes and goes. */
export const useTrialCheck = ({ trial, attempt, head_hash: head }: TrialLine) =>
  useRead(['trial-check', trial, attempt, head], (api, given) => api.trials.check({ trial }, given), {
    enabled: false,
    retry: false,
    gcTime: 0,
  });

/** Asks the engine to recompute every hash and the verdict. @param isDamaged the screen already says so, and what to do */
export function CheckButton({ line, isDamaged }: { line: TrialLine; isDamaged: boolean }) {
  const check = useTrialCheck(line);
  const { data } = check;
  const tone = data === undefined ? null : toneOf(data);
  const look = tone === null ? 'off-paper' : `${styles.checked} ${toneLook[tone]}`;
  const words = check.isFetching
    ? 'Checking…'
    : check.isError
      ? `Not checked: ${failureOf(check.error).message}`
      : data === undefined
        ? 'Check the record'
        : wordsOf(data);
  return (
    <>
      <span role="status">
        <AriaButton
          className={`chip flex items-center gap-6 text-13 ${look}`}
          onPress={() => void check.refetch()}
          isDisabled={check.isFetching}
        >
          {tone === 'bad' ? <TriangleAlert size={14} aria-hidden="true" /> : <Link2 size={14} aria-hidden="true" />}
          {words}
          {data === undefined ? null : <small>{quantity(data.events, 'event')}</small>}
        </AriaButton>
      </span>
      {data === undefined ? null : (
        <div className={styles.meaning}>
          <Meaning check={data} isDamaged={isDamaged} />
        </div>
      )}
    </>
  );
}
