import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { speechNames } from '../../../core/figures/speakers.ts';
import { swapTitles } from '../../../core/figures/swapText.ts';
import { stabilityText } from '../../../core/telling/changeTables.ts';
import { sameMethodText, timesOf } from '../../../core/telling/findingTexts.ts';
import { trialChangeText } from '../../../core/telling/unheard.ts';
import { visibleText } from '../../../core/text/visible.ts';
import { heardAmong } from '../../../core/trajectory/trajectory.ts';
import { isUnderWay } from '../../../shared/api/engine.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import { tookCase } from '../../../shared/erasure.ts';
import { isImported } from '../../../shared/imported.ts';
import { partsOfTrial } from '../../../shared/reportParts.ts';
import { count } from '../../../shared/sizes.ts';
import { replicateText, type TrialLine, unchangedAmong } from '../../../shared/trialLine.ts';
import { useEngineStatus, useTrialWaits, useWritable } from '../../app/engineStatus.ts';
import { toExperiment, toReview, toTrial } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { WritingButton } from '../../app/Writing.tsx';
import { HiddenText, Isolated, IsolatedSet, Listed } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { EraseButton } from '../erasing/EraseButton.tsx';
import { runText } from '../experiments/outcomes.ts';
import { useStatistics } from '../experiments/useStatistics.ts';
import { VaryDialog } from '../experiments/VaryDialog.tsx';
import { ReportMenu, useReport } from '../report/useReport.tsx';
import { askForReview } from '../review/reviewSession.ts';
import { CheckButton } from './CheckButton.tsx';
import styles from './Trial.module.css';
import type { TrialState } from './trialState.ts';
import { elapsed, verdictOf } from './words.ts';

/** What is exchanged in a trial, and the way to the trials that differ from it in that alone. */
export function MatchedTrials({ state: { line, entries }, others: all }: { state: TrialState } & Pick<TrialView, 'others'>) {
  const others = all.filter(({ replicate }) => replicate === line.replicate);
  const usual = unchangedAmong(others, line);
  const { swap, change } = line;
  const what = swap === null ? change && trialChangeText(change, entries) : swapTitles[swap];
  if (what !== undefined)
    return (
      <Pill tone="judge">
        {swap === null ? 'changed:' : <ArrowLeftRight size={13} aria-hidden="true" />} <HiddenText text={what} />
        {swap === null && change?.applies === false ? ' (this case stays as it is)' : null}
        {usual === undefined ? null : (
          <>
            {' · '}
            <Link href={toTrial(usual.trial)}>the unchanged trial</Link>
          </>
        )}
      </Pill>
    );
  const matched = others.filter(({ base_arm, swap }) => base_arm === line.arm && swap !== null);
  if (matched.length === 0) return null;
  return (
    <Pill>
      <ArrowLeftRight size={13} aria-hidden="true" />{' '}
      <Listed of={matched} between=" · ">
        {({ trial, swap }) => <Link href={toTrial(trial)}>{swap === null ? '' : swapTitles[swap]}</Link>}
      </Listed>
    </Pill>
  );
}

export function SameMethod({ line, view: { others, replicates, labels } }: { line: TrialLine; view: TrialView }) {
  const same = others.filter(({ arm }) => arm === line.arm);
  const runs = [line, ...same];
  const text = sameMethodText(runs, timesOf(runs, replicates), labels);
  if (text === null) return null;
  return (
    <span className="text-13">
      <HiddenText text={text} /> The other{same.length === 1 ? '' : 's'}:{' '}
      {same.map(({ trial, replicate }, place) => (
        <span key={trial}>
          {place === 0 ? '' : ', '}
          <Link href={toTrial(trial)}>replicate {replicate + 1}</Link>
        </span>
      ))}
      .
    </span>
  );
}

/** The verdict in one line: what is too long of the label is cut, what it is sure of and whether it is right are not. */
export function VerdictPill({ line, cast }: { line: TrialLine; cast: TrialView['cast'] }) {
  const { tone, before, label, after } = verdictOf(line);
  const waits = useTrialWaits(line.experiment, cast) && line.status === 'running';
  const [sure = '', ...rest] = after.split(' · ');
  return (
    <Pill tone={tone}>
      <span className={`cut ${label === null ? '' : styles.word}`}>{waits ? runText('waiting') : before}</span>
      {label === null ? null : (
        <b className="cut" title={visibleText(label)}>
          <IsolatedSet of={line.prediction} />
        </b>
      )}
      {sure === '' ? null : <span className="no-shrink">{sure.trim()}</span>}
      {rest.length === 0 ? null : <span className={`no-shrink ${styles.rest}`}>{`· ${rest.join(' · ')}`}</span>}
      {line.correct === false || (line.status === 'done' && line.outcome !== 'decided' && line.truth !== null) ? (
        <span className={`cut ${styles.truth}`}>
          {`· ${line.decided_by === undefined ? 'data set' : labelNoun(line)}: `}
          <IsolatedSet of={line.truth} />
        </span>
      ) : null}
    </Pill>
  );
}

export function TrialPills({ line, view, onCalls }: { line: TrialLine; view: TrialView; onCalls: () => void }) {
  const numbered = replicateText(line, view.replicates);
  const started = line.status !== 'queued';
  return (
    <>
      {line.incomplete ? <Pill tone="warn">incomplete: a turn was forfeited</Pill> : null}
      {line.inconsistent ? <Pill tone="warn">belief and verdict disagree</Pill> : null}
      {line.attempt > 1 ? <Pill>attempt {line.attempt}</Pill> : null}
      {numbered === null ? null : <Pill>{numbered}</Pill>}
      {isImported(line) ? <Pill>imported</Pill> : null}
      {line.prompts === undefined ? null : (
        <Pill>
          prompts <Isolated text={line.prompts.name} /> · {line.prompts.hash.slice(0, 12)}
        </Pill>
      )}
      {started && !isImported(line) ? (
        <AriaButton className={'chip flex items-center gap-6 text-13'} onPress={onCalls}>
          {quantity(line.calls, 'call')}
          {line.attempts > line.calls ? ` in ${line.attempts} attempts` : ''} ·{' '}
          {count(line.prompt_tokens + line.completion_tokens)} tokens ·{' '}
          <time dateTime={`PT${line.wall_ms / 1000}S`}>{elapsed(line.wall_ms)}</time>
        </AriaButton>
      ) : null}
      {started ? <CheckButton key={line.head_hash ?? line.attempt} line={line} isDamaged={view.damage !== null} /> : null}
    </>
  );
}

export function TrialActions({ line, erased }: Pick<TrialView, 'line' | 'erased'>) {
  const report = useReport(line.experiment, line.trial);
  useShortcuts([
    { keys: ['r'], does: 'Save a report of this trial', run: () => (line.status === 'queued' ? undefined : report.make('html')) },
  ]);
  return (
    <>
      {line.status === 'queued' ? null : <ReportMenu report={report} look="primary" parts={partsOfTrial(line)} />}
      {line.status === 'queued' || tookCase(erased, line.case) ? null : (
        <EraseButton
          choices={[
            {
              label: `Case ${line.case}`,
              note: '',
              target: { kind: 'case', experiment: line.experiment, case: line.case },
            },
          ]}
        />
      )}
    </>
  );
}

/** What changes did to a trial, in a sentence, when all of them have been tried. */
function StabilityText({ experiment }: { experiment: string }) {
  const { report } = useStatistics(experiment, false);
  const text = stabilityText(report ?? {});
  return text === null ? null : (
    <>
      : <HiddenText text={text} />
    </>
  );
}

/** That a trial was tried again with changes, with the way there. */
export function Stability({ experiment }: { experiment: string }) {
  const isBeing = useEngineStatus()?.runs.some((run) => run.experiment === experiment && isUnderWay(run)) ?? false;
  return (
    <p className="text-13">
      <Link href={toExperiment(experiment)}>{isBeing ? 'Being tried again' : 'Tried again'}</Link>
      {isBeing ? null : <StabilityText experiment={experiment} />}
    </p>
  );
}

/** Puts the case before a reviewer, who answers it first and then continues in the order. */
export function ReviewButton({
  line: { experiment, arm, trial, outcome, prediction },
  view,
}: {
  line: TrialLine;
  view: TrialView;
}) {
  const [, navigate] = useLocation();
  const isWritable = useWritable();
  if (outcome !== 'decided' || typeof prediction !== 'string') return null;
  const review = () => {
    askForReview(experiment, arm, trial);
    navigate(toReview(experiment));
  };
  const first = view.others.find((each) => each.arm === arm && each.replicate === 0);
  return (
    <>
      {isWritable ? <WritingButton onPress={review}>Review this trial</WritingButton> : null}
      {view.first_judged === null || first === undefined ? null : (
        <span className="muted text-13">
          <HiddenText text={view.first_judged} /> <Link href={toTrial(first.trial)}>To replicate 1</Link>
        </span>
      )}
    </>
  );
}

/** A trial of an arm by itself that has ended; one with a change is tried again where its own is. */
const canBeVaried = ({ status, swap, change, protocol }: TrialLine) =>
  status === 'done' && swap === null && change === undefined && !isImported({ protocol });

export function RetrialButton({ view, state: { line, entries } }: { view: TrialView; state: TrialState }) {
  const [isOpen, setIsOpen] = useState(false);
  const isWritable = useWritable();
  const isOffered = isWritable && canBeVaried(line) && view.erased === null;
  useShortcuts(isOffered ? [{ keys: [], does: 'Try again…', run: () => setIsOpen(true) }] : []);
  if (!isOffered) return null;
  const speeches = speechNames(entries.filter((entry) => entry.kind === 'utterance'));
  const heard = heardAmong(entries.filter((entry) => entry.kind === 'utterance' || entry.kind === 'call'));
  return (
    <>
      <WritingButton onPress={() => setIsOpen(true)}>Try again…</WritingButton>
      {isOpen ? (
        <VaryDialog
          tried={{ experiment: line.experiment, of: { view: { ...view, line }, speeches, heard } }}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
