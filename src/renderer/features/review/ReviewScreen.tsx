import { useCallback, useEffect, useState } from 'react';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { isImported } from '../../../shared/imported.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { experimentsCrumb, toExperiment, toTrial } from '../../app/routes.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { experimentKey } from '../experiments/experimentQueries.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { AdjudicationSection } from './AdjudicationSection.tsx';
import { AgreementSection } from './AgreementSection.tsx';
import styles from './Review.module.css';
import { ReviewDesk } from './ReviewDesk.tsx';
import { useReviewerName, useReviewSettings, useSeenTrials, withTrial } from './reviewSession.ts';
import { SignOffSection } from './SignOffSection.tsx';

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

/** One case after the other for a person to review, and the result of all reviews. */
export default function ReviewScreen({ experiment }: { experiment: string }) {
  const { data: view, error } = useRead(
    experimentKey(experiment),
    (api, given) => api.experiments.read({ experiment }, given),
    fresh,
  );
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
                You see the facts as the court read them, and say which label is right: one key for each answer. Your reviews
                become part of the record.
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
        <AgreementSection experiment={experiment} />
      </div>
    </Screen>
  );
}
