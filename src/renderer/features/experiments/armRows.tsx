import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { drawnBaseline } from '../../../core/baselines/baseline.ts';
import { failedText } from '../../../core/figures/outcomeText.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { oneAnswer } from '../../../core/statistics/measures/finding.ts';
import { derivedText, undecidedText } from '../../../core/statistics/measures/shownAgreement.ts';
import type { Run } from '../../../shared/api/engine.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { demoMark } from '../../../shared/demoModel.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { count, duration, roughly } from '../../../shared/sizes.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { changedText } from '../protocols/words.ts';
import { ArmName } from './ArmNames.tsx';
import styles from './Experiment.module.css';
import { OutcomeBar, toFailed } from './OutcomeBar.tsx';
import { countsOf } from './outcomes.ts';

/** A row: an arm, or a baseline or derived arm, which is among the arms and differs by a word, its place and its background. */
export interface ArmRow {
  readonly id: string;
  readonly name: ReactNode;
  readonly look?: string | undefined;
  readonly isAside: boolean;
  readonly decided: ReactNode;
  readonly tokens: ReactNode;
  readonly figures: (Pick<ArmStatistics, 'measures'> & Pick<Partial<ArmStatistics>, 'truth_by_step'>) | undefined;
}

export const Note = ({ children }: { children: ReactNode }) => <span className="quiet block text-12-5 font-400">{children}</span>;

/** Protocol and models under a name that somebody chose; a name that the program made says them itself. */
function castText({ protocol, models, prompts }: ExperimentView['arms'][number]): string {
  const byModel = [...Map.groupBy(Object.entries(models), ([, model]) => model)];
  const rolesOf = (roles: readonly (readonly [role: string, model: string])[]) =>
    byModel.length === 1 ? '' : ` (${roles.map(([role]) => speakerName(role).toLowerCase()).join(', ')})`;
  const cast = byModel.map(([model, roles]) => `${model}${rolesOf(roles)}`).join(' + ');
  const parts = [protocol, cast, prompts === null ? '' : `prompts ${prompts.name}`];
  return parts.filter((part) => part !== '').join(' · ');
}

/** How quick the trials of an arm are, and how much time its rest takes. */
const paceTexts = ({ per_minute: rate, seconds_left: left }: Run['arms'][number]): string[] => [
  ...(rate === null ? [] : [`${roughly(60 * rate)} trials an hour`]),
  ...(left === null || left === 0 ? [] : [`about ${duration(left)} more`]),
];

/** @param params what the experiment sets of its protocol @param live how quick it is, while a run of the experiment is under way */
export function armRow(
  arm: ExperimentView['arms'][number],
  params: Readonly<Record<string, unknown>>,
  figures: ArmStatistics | undefined,
  shown: string,
  { experiment, live }: { readonly experiment: string; readonly live: Run['arms'][number] | undefined },
): ArmRow {
  const { decided, failed, failures } = countsOf(arm);
  const undecided = failures.filter(({ outcome }) => outcome === 'undecided');
  const ended = failedText(failures);
  const tokens =
    figures === undefined || figures.n === 0 ? null : (figures.prompt_tokens + figures.completion_tokens) / figures.n;
  const cases = figures?.cases;
  const changed = changedText(arm.protocol, params);
  const cast = `${shown === arm.name ? castText(arm) : ''}${demoMark(figures?.standin)}`.trim();
  return {
    id: arm.name,
    name: (
      <>
        <ArmName arm={arm.name} />
        {cast === '' ? null : (
          <Note>
            <Isolated text={cast} />
          </Note>
        )}
        {changed.length === 0 ? null : (
          <Note>
            <Isolated text={changed.join('; ')} />
          </Note>
        )}
        {arm.can_be_right === undefined ? null : (
          <Note>
            could be right on {arm.can_be_right.cases} of {arm.can_be_right.of} cases: it can only give some of the labels
          </Note>
        )}
      </>
    ),
    look: arm.swap === null ? undefined : styles.exchanged,
    isAside: false,
    decided: (
      <>
        {count(decided)}
        <span className="quiet">
          /{count(arm.done)}
          {arm.done === arm.planned ? null : ` of ${count(arm.planned)} planned`}
        </span>
        {cases === undefined || cases.done === cases.of ? null : (
          <Note>
            {cases.done} of {cases.of} cases
          </Note>
        )}
        {failed === 0 ? null : (
          <>
            <OutcomeBar decided={decided} failed={failed} planned={arm.planned} />
            {ended === null ? null : (
              <span className="text-bad block text-12-5 font-400">
                <Link href={toFailed(experiment, failures, { arms: [arm.name] })}>{ended}</Link>
              </span>
            )}
            {undecided.map(({ trials }) => (
              <Note key="undecided">{count(trials)} undecided</Note>
            ))}
          </>
        )}
        {live === undefined ? null : paceTexts(live).map((text) => <Note key={text}>{text}</Note>)}
      </>
    ),
    tokens:
      tokens === null ? (
        <span className="quiet">{figures === undefined ? '…' : 'none yet'}</span>
      ) : (
        <>
          {Math.round(tokens).toLocaleString('en-GB')}
          {live === undefined || figures === undefined ? null : (
            <Note>
              {quantity(figures.calls, 'call')}, {duration(figures.model_ms / 1000)} of the models
            </Note>
          )}
        </>
      ),
    figures,
  };
}

export function baselineRow(figures: StatsReport['baselines'][number]): ArmRow {
  const { trained_on, columns } = figures.about;
  const always = oneAnswer(figures);
  return {
    id: `baseline ${figures.arm}`,
    name: (
      <>
        {figures.arm} <Pill>baseline</Pill>
        <Note>
          {always === null ? null : (
            <>
              always <Isolated text={always} />;{' '}
            </>
          )}
          learned from {quantity(trained_on, 'case')}
          {columns.length === 0 ? ', their labels alone' : `, ${quantity(columns.length, 'column')}`}
          {figures.arm === drawnBaseline ? '; drawn by lot, so not ranked' : ''}
        </Note>
      </>
    ),
    look: styles.baselineName,
    isAside: true,
    decided: (
      <>
        {figures.decided}
        <span className="quiet">/{figures.n}</span>
      </>
    ),
    tokens: <span className="quiet">no calls</span>,
    figures,
  };
}

export function derivedRow(derived: NonNullable<StatsReport['derived']>[number]): ArmRow {
  const undecided = derived.n - derived.decided;
  return {
    id: `derived ${derived.method}`,
    name: (
      <>
        {derivedText[derived.method]} <Pill>derived</Pill>
        <Note>of {derived.arms.length} arms; no trial ran</Note>
      </>
    ),
    look: styles.baselineName,
    isAside: true,
    decided: (
      <>
        {derived.decided}
        <span className="quiet">/{derived.n}</span>
        {undecided === 0 ? null : (
          <Note>
            <HiddenText text={undecidedText(derived)} />
          </Note>
        )}
      </>
    ),
    tokens: <span className="quiet">no calls</span>,
    figures: derived,
  };
}
