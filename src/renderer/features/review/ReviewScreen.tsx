import { useCallback, useEffect, useState } from 'react';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { changedText } from '../../../core/telling/reviewTables.ts';
import { isImported } from '../../../shared/imported.ts';
import type { SignOff } from '../../../shared/reviews.ts';
import { fresh } from '../../api/ApiContext.tsx';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { experimentsCrumb, toExperiment, toTrial } from '../../app/routes.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useExperiment } from '../experiments/experimentQueries.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { AdjudicationSection } from './AdjudicationSection.tsx';
import { AgreementSection } from './AgreementSection.tsx';
import styles from './Review.module.css';
import { ReviewDesk } from './ReviewDesk.tsx';
import { useSign, useSignOffs } from './reviewQueries.ts';
import { useReviewerName, useReviewSettings, useSeenTrials, withTrial } from './reviewSession.ts';

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

function SignOffSection({ experiment, reviewer }: { experiment: string; reviewer: string }) {
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

const orders = [
  { id: 'random', label: 'Random', note: 'for an honest estimate of agreement' },
  { id: 'doubtful', label: 'Least certain first', note: 'cases where the court was in doubt' },
  {
    id: 'label-in-doubt',
    label: 'Label in doubt first',
    note: 'cases where the court believes least in the label of the data set',
  },
] as const;

/** Why nothing can be reviewed here, and what to do for it. */
function ReviewElsewhere() {
  const isElsewhere = useEngineStatus()?.elsewhere !== null;
  return isElsewhere ? (
    <Notice>
      <span>
        <strong>To review, you need a copy of your own.</strong> Reviews become part of the record, and this one is only read.
        Press <em>Make a copy of your own…</em> at the top of this screen: the copy opens here. There, press <em>Review…</em> on
        the experiment.
      </span>
    </Notice>
  ) : null;
}

export default function ReviewScreen({ experiment }: { experiment: string }) {
  const { data: view, error } = useExperiment(experiment, fresh);
  const [settings, setSettings] = useReviewSettings(experiment);
  // For this visit alone.
  const [asked, setAsked] = useState(settings.asked);
  const [cameFrom] = useState(settings.asked);
  useEffect(() => setSettings((before) => ({ ...before, asked: null })), [setSettings]);
  const [name, setName] = useReviewerName(experiment);
  const [shownElsewhere, setShown] = useSeenTrials(experiment, '');
  const onShown = useCallback((trial: string) => setShown(withTrial(trial)), [setShown]);
  // The button of a choice would take the keys of the answers for the first letters of other choices.
  const [takesFocus, setTakesFocus] = useState(false);
  const change = (changed: Partial<typeof settings>, focuses = false) => {
    setTakesFocus(focuses);
    setAsked(null);
    setSettings({ ...settings, ...changed });
  };
  const reviewer = useDebounced(name.trim(), 400);
  const names = (view?.arms ?? []).map(({ name }) => name);
  const arm = settings.arm !== null && names.includes(settings.arm) ? settings.arm : (names[0] ?? null);
  const { order, blind } = settings;
  const reviewed = view?.arms.find((each) => each.name === arm);
  const comparedWith =
    reviewed === undefined
      ? 'the court'
      : isImported(reviewed)
        ? 'imported predictions'
        : `the court, here ${protocolTitle(reviewed.protocol)}`;
  const isOne = view?.summary.single === true;
  const isWritable = useWritable();
  return (
    <Screen
      crumbs={[
        experimentsCrumb,
        { label: experiment, to: toExperiment(experiment) },
        ...(cameFrom === null ? [] : [{ label: 'Back to the trial', to: toTrial(cameFrom) }]),
      ]}
      title={isWritable ? 'Review' : 'Reviews'}
      subtitle={`How people judge the cases, compared with ${comparedWith}`}
    >
      <div className={styles.parts}>
        <FailureNotice error={error} />
        {isWritable ? (
          <>
            <div className="fields">
              <TextField
                label="Your name"
                description="It appears with each of your reviews. Two people need two names."
                value={name}
                maxLength={120}
                onChange={setName}
              />
              {names.length < 2 ? null : (
                <Select
                  label="Arm"
                  value={arm}
                  choices={[...shownArmNames(names)].map(([id, label]) => ({ id, label }))}
                  onChange={(chosen) => change({ arm: chosen }, true)}
                />
              )}
              {isOne ? null : (
                <>
                  <Select
                    label="Order of the cases"
                    value={order}
                    choices={orders}
                    onChange={(chosen) => change({ order: chosen }, true)}
                  />
                  <Checkbox
                    isSelected={blind}
                    note="the verdict stays hidden until you have answered, unless you have seen it"
                    onChange={(chosen) => change({ blind: chosen })}
                  >
                    blind
                  </Checkbox>
                </>
              )}
            </div>
            {reviewer === '' || arm === null ? (
              <Empty title="Enter your name to begin">
                You see the facts as the court read them, and say which label you find right: one key for each answer. Your
                reviews become part of the record.
                {asked === null
                  ? ''
                  : ' If you have judged this trial already, the name that you did it under shows your answer.'}
              </Empty>
            ) : (
              <ReviewDesk
                key={`${reviewer} ${arm} ${order} ${blind} ${asked}`}
                query={{ experiment, reviewer, arm, order, blind, asked }}
                takesFocus={takesFocus}
                shownElsewhere={shownElsewhere}
                arms={names.length}
                imported={reviewed !== undefined && isImported(reviewed)}
              />
            )}
            <AdjudicationSection key={reviewer} experiment={experiment} reviewer={reviewer} onShown={onShown} />
          </>
        ) : (
          <ReviewElsewhere />
        )}
        <SignOffSection experiment={experiment} reviewer={reviewer} />
        <AgreementSection
          experiment={experiment}
          names={names}
          decidedBy={view?.definition.dataset.label?.decidedBy}
          onShown={onShown}
        />
      </div>
    </Screen>
  );
}
