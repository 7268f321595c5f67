import { FileInput, UserCheck } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { howDrawn } from '../../../core/cases/sample.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { count } from '../../../shared/sizes.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { experimentsCrumb, toImportPredictions, toReview, toTrial, toUndrawn } from '../../app/routes.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { LongHeading } from '../../ui/Screen.tsx';
import { toFiltered } from '../dashboard/filter.ts';
import { LeftOut } from '../datasets/Facts.tsx';
import { type Erasable, EraseButton } from '../erasing/EraseButton.tsx';
import { ReportMenu, useReport } from '../report/useReport.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { FailureTally } from './OutcomeBar.tsx';
import { progressOf } from './outcomes.ts';
import { noFilter } from './trialFilter.ts';

const erasableOf = ({ name: experiment, erased }: ExperimentView['summary']): Erasable[] =>
  everything(experiment).filter(
    ({ target: { kind } }) => erased?.scope !== 'data-set' && (erased?.scope !== 'experiment' || kind === 'data-set'),
  );

const everything = (experiment: string): Erasable[] => [
  {
    label: 'What was said in this experiment',
    note: 'and its cases, where no other experiment is about them',
    target: { kind: 'experiment', experiment },
  },
  {
    label: 'Its data set',
    note: 'the cases, and what all experiments said about them',
    target: { kind: 'data-set', experiment },
  },
];

export function ExperimentHeading({
  view: { summary, definition, dataset_cases: all, share_cases: share, adopted },
  title,
}: {
  view: ExperimentView;
  title: string;
}) {
  const { name: experiment } = summary;
  const [, navigate] = useLocation();
  const report = useReport(experiment, null);
  const isWritable = useWritable();
  const { decided, failed, failures, done, planned, imported } = progressOf(summary);
  // The filter below then has their number, on every part of the screen.
  const isEnded = decided + failed === planned && !summary.imported && summary.part === undefined;
  const undecided = failures.filter(({ outcome }) => outcome === 'undecided');
  const faults = failed - (undecided[0]?.trials ?? 0);
  const { dataset } = definition;
  const positive = (dataset.label?.multiple ?? null) === null ? (dataset.positive ?? null) : null;
  return (
    <LongHeading crumbs={[experimentsCrumb]} here={title} question={summary.question}>
      <div className="row gap-8">
        {title === experiment ? null : (
          <Pill>
            <HiddenText text={experiment} />
          </Pill>
        )}
        <Pill>
          {isEnded ? '' : `${done} · `}
          {count(decided)} decided
          {undecided.length === 0 ? null : (
            <Link
              href={toFiltered(experiment, {
                part: 'trials',
                subset: {},
                behind: null,
                list: { ...noFilter, outcome: 'undecided' },
              })}
            >
              <FailureTally failures={undecided} />
            </Link>
          )}
          {faults === 0 ? null : <span className="text-bad"> · {count(faults)} failed</span>}
          {imported}
        </Pill>
        {definition.replicates === 1 ? null : <Pill>each case tried {definition.replicates} times in each arm</Pill>}
        {summary.single || summary.cases >= all ? null : (
          <Pill>
            {count(summary.cases)} of {quantity(all, 'case')} were drawn for this experiment,{' '}
            <HiddenText text={howDrawn(dataset, definition.seed, summary.cases >= share)} /> ·{' '}
            <Link href={toUndrawn(experiment)}>the others</Link>
          </Pill>
        )}
        {dataset.exclude.length === 0 ? null : (
          <Pill>
            <LeftOut columns={dataset.exclude} />
          </Pill>
        )}
        {definition.retrial === undefined ? null : (
          <Pill>
            <Link href={toTrial(definition.retrial.trial)}>The trial that is tried again</Link>
          </Pill>
        )}
        {adopted === undefined ? null : (
          <Pill>
            {adopted.joined === true ? 'with trials joined' : 'copied'} from{' '}
            <Isolated text={[adopted, ...(adopted.others ?? [])].map(({ file }) => file).join(', ')} />
          </Pill>
        )}
        {isWritable && summary.erased === null ? (
          <WritingButton icon={FileInput} onPress={() => navigate(toImportPredictions(experiment))}>
            Import predictions…
          </WritingButton>
        ) : null}
        {isWritable ? (
          <WritingButton icon={UserCheck} onPress={() => navigate(toReview(experiment))}>
            Review…
          </WritingButton>
        ) : (
          <Button icon={UserCheck} onPress={() => navigate(toReview(experiment))}>
            Reviews
          </Button>
        )}
        <ReportMenu report={report} positive={positive} decidedBy={dataset.label?.decidedBy} />
        <ExportMenu experiment={experiment} />
        <EraseButton choices={erasableOf(summary)} />
      </div>
    </LongHeading>
  );
}
