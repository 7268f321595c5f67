import { useState } from 'react';
import { changedText } from '../../../core/telling/reviewTables.ts';
import type { SignOff } from '../../../shared/reviews.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Review.module.css';
import { useSign, useSignOffs } from './reviewQueries.ts';

function Signed({ signOff }: { signOff: SignOff }) {
  const changed = changedText(signOff);
  return (
    <li className={`stack gap-4 wrap-anywhere ${styles.newest}`}>
      <span className="row gap-8">
        <b>
          <Isolated text={signOff.reviewer} />
        </b>
        <span className="quiet">
          {minuteText(signOff.at)} · {quantity(signOff.trials, 'ended trial')}
        </span>
        <Pill tone={changed === null ? 'good' : 'warn'}>{changed === null ? 'nothing has changed since' : changed}</Pill>
      </span>
      <Outside as="p" text={signOff.reason ?? 'The reason was erased.'} />
      <code className="quiet">{signOff.hash}</code>
    </li>
  );
}

/** Who signed the experiment, whether it has changed since, and a form to sign it or to take a sign-off back. */
export function SignOffSection({ experiment, reviewer }: { experiment: string; reviewer: string }) {
  const [reason, setReason] = useState('');
  const { data: page, error, refetch } = useSignOffs(experiment);
  const signed = page?.sign_offs ?? [];
  const sign = useSign();
  const isWritable = useWritable();
  const own = signed.findLast((each) => each.reviewer === reviewer);
  const put = (state: string, replaces: number | null) =>
    sign.mutate({ experiment, reviewer, reason, state, replaces }, { onSuccess: () => setReason('') });
  const isReady = reviewer !== '' && reason.trim() !== '' && !sign.isPending;
  return (
    <Section
      title="Sign-off"
      lead={
        isWritable
          ? 'Your name under this experiment as it is now: every trial that has ended, and all that people said. It stays on the record.'
          : 'Who put a name under this experiment: every trial that had ended, and all that people had said.'
      }
    >
      <FailureNotice error={error} onRetry={refetch} />
      {signed.length === 0 ? null : (
        <ul className="stack gap-8" aria-label="Sign-offs">
          {signed.map((each) => (
            <Signed key={each.seq} signOff={each} />
          ))}
        </ul>
      )}
      {!isWritable ? (
        page !== undefined && signed.length === 0 ? (
          <p>Nobody has signed it off.</p>
        ) : null
      ) : (
        <>
          <TextField
            label="What you sign, or why you take it back"
            description={reviewer === '' ? 'Enter your name above first.' : 'It is kept with your name.'}
            value={reason}
            maxLength={4000}
            onChange={setReason}
          />
          <FailureNotice error={sign.error} />
          {page === undefined ? null : (
            <p className="quiet">
              A sign-off now covers {quantity(page.trials, 'ended trial')}. It is refused if the record is no longer as it is
              shown here.
            </p>
          )}
          <div className="row gap-8">
            <WritingButton isDisabled={!isReady || page === undefined} onPress={() => put(page?.state ?? '', null)}>
              Sign off
            </WritingButton>
            {own === undefined ? null : (
              <WritingButton look="quiet" isDisabled={!isReady} onPress={() => put('', own.seq)}>
                Take back your sign-off
              </WritingButton>
            )}
          </div>
        </>
      )}
    </Section>
  );
}
