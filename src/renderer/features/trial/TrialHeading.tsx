import { Link } from 'wouter';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { unheardText } from '../../../core/telling/unheard.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { experimentsCrumb, toReview } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { DemoBanner, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { LongHeading } from '../../ui/Screen.tsx';
import { ErasedNotice } from '../erasing/ErasedNotice.tsx';
import { titleOf } from '../experiments/shownExperiments.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { askForReview } from '../review/reviewSession.ts';
import { CompareButton } from './CompareButton.tsx';
import { NextStep } from './NextStep.tsx';
import { TrialDamage } from './TrialDamage.tsx';
import { MatchedTrials, RetrialButton, ReviewButton, Stability, TrialActions, TrialPills } from './TrialHeader.tsx';
import type { TrialState } from './trialState.ts';
import { toWalkedList } from './walkedList.ts';

/** What reports and the command line call a trial. */
const TrialId = ({ id }: { id: string }) => (
  <span className="row gap-6 quiet">
    Trial <code className="mono-12-5">{id}</code>
    <CopyButton text={id} name="Copy the id of this trial">
      Copy
    </CopyButton>
  </span>
);

/** What a trial is about and what can be done with it; scrolls away with what was said. */
export function TrialHeading({
  view,
  state,
  isPartial,
  invented,
  onCalls,
}: {
  view: TrialView;
  state: TrialState;
  /** It is being played, and how it went is still to come. */
  isPartial: boolean;
  /** The demo model speaks. */
  invented: boolean;
  onCalls: () => void;
}) {
  const settings = useSettings();
  const { line } = state;
  const unheard = unheardText(line.change, state.entries);
  const title = titleOf(settings.data?.experiments ?? [], line.experiment);
  const ofArm = {
    label: [title, view.title === null ? (shownArmNames([line.arm]).get(line.arm) ?? line.arm) : protocolTitle(line.protocol)],
    to: toWalkedList(line.experiment),
  };
  return (
    <LongHeading crumbs={[experimentsCrumb, ofArm]} question={view.question} beside={<TrialId id={line.trial} />}>
      {isPartial ? null : (
        <div className="row gap-8">
          <TrialPills line={line} view={view} onCalls={onCalls} />
          <MatchedTrials state={state} others={view.others} />
          {view.again === null ? null : <Stability experiment={view.again} />}
          {view.judged === null ? null : (
            <Pill>
              <Link href={toReview(line.experiment)} onClick={() => askForReview(line.experiment, line.arm, line.trial)}>
                <HiddenText text={view.judged} />
              </Link>
            </Pill>
          )}
          <RetrialButton view={view} state={state} />
          <CompareButton line={line} view={view} />
          {view.erased === null ? <ReviewButton line={line} /> : null}
          <TrialActions line={line} />
        </div>
      )}
      {view.damage === null ? null : <TrialDamage view={view} />}
      {invented ? <DemoBanner /> : null}
      <ErasedNotice erased={view.erased} of="trial" />
      {isPartial || view.erased !== null ? null : <NextStep line={line} />}
      {unheard === null ? null : (
        <Notice>
          <HiddenText text={unheard} />
        </Notice>
      )}
    </LongHeading>
  );
}
