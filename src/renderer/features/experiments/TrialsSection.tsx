import { keepPreviousData } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { type ExperimentView, trialOrders, truthQueues } from '../../../shared/api/experiments.ts';
import { labelNoun, rightness, rightWords } from '../../../shared/decidedBy.ts';
import { outcomes } from '../../../shared/domain.ts';
import { isImported } from '../../../shared/imported.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { toExperiment } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { Isolated, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { firstAnswers, listedLabels } from '../dashboard/conditions.ts';
import { ArmSentence } from './ArmNames.tsx';
import styles from './Experiment.module.css';
import { trialsKey } from './experimentQueries.ts';
import { groupColumnsOf } from './groupColumns.ts';
import { queueText } from './queueTexts.ts';
import { SavedViews } from './SavedViews.tsx';
import { TrialQueues } from './TrialQueues.tsx';
import { pageSize, TrialTable } from './TrialTable.tsx';
import { any, emptyText, type Filter, noFilter, noLabel, queryOf, queryWithin } from './trialFilter.ts';

const restMs = 250;
const begun = 'begun, not ended';

const orders = {
  newest: 'the newest first',
  case: 'by case',
  outcome: 'by outcome',
  confidence: 'by confidence, the surest first',
  movement: 'largest change from first to last belief',
} as const;

export function TrialsSection({
  view,
  whole,
  underWay,
  within,
  filter: asked,
  isHidden,
  onFilter,
  state,
  mark,
}: {
  view: ExperimentView;
  /** Statistics of all trials; undefined until they are counted. */
  whole: StatsReport | undefined;
  underWay: boolean;
  /** Conditions that the dashboard's filter or a mark of a figure make. */
  within: Parameters<typeof queryWithin>[1];
  /** What else the list is filtered and ordered by. */
  filter: Filter;
  isHidden: boolean;
  /** @param replaces whether the address of before is not worth going back to */
  onFilter(filter: Filter, replaces: boolean): void;
  /** All of that as the address has it. */
  state: string;
  /** The mark of a figure whose trials these are, and the way back to it. */
  mark: { readonly words: string; readonly back: string; counted(listed: number): string | null; clear(): void } | null;
}) {
  const experiment = view.summary.name;
  const { label } = view.definition.dataset;
  const decidedBy = label?.decidedBy;
  const arms = view.arms.map(({ name }) => name);
  // None of an import took calls or time, and all of it have the same moment.
  const allImported = view.arms.every(isImported);
  const labels = listedLabels(view);
  const firstAnswerNotes = new Set(view.arms.flatMap(({ first_answer }) => first_answer ?? []));
  const withCourse = firstAnswers(view).length > 0 || whole?.arms.some((arm) => arm.truth_by_step !== undefined) === true;
  // An address can ask for the wrong ones, whose number is a result.
  const filter: Filter = isHidden
    ? { ...asked, correct: any, queue: asked.queue !== any && truthQueues.has(asked.queue) ? any : asked.queue }
    : asked;
  const filters = useRef<HTMLDivElement>(null);
  const ways = useRef<HTMLSpanElement>(null);
  const marked = mark?.words ?? null;
  // Who came by a mark of a figure has lost it, and with it the focus.
  useEffect(() => {
    if (marked !== null) ways.current?.querySelector('a')?.focus();
  }, [marked]);
  useShortcuts([{ keys: ['/'], does: 'Search the trials', run: () => filters.current?.querySelector('input')?.focus() }]);
  const [typed, setTyped] = useState(filter.search);
  const search = useDebounced(typed, restMs).trim();
  const latest = useRef({ filter, onFilter });
  latest.current = { filter, onFilter };
  const addressed = useRef(filter.search);
  useEffect(() => {
    // Another address was opened: a view, or the one of before.
    if (filter.search !== addressed.current) setTyped(filter.search);
    addressed.current = filter.search;
  }, [filter.search]);
  useEffect(() => {
    if (search === latest.current.filter.search) return;
    addressed.current = search;
    latest.current.onFilter({ ...latest.current.filter, search }, true);
  }, [search]);
  const offered = trialOrders.filter((id) => (id === 'newest' ? !allImported : id !== 'movement' || withCourse));
  const order = offered.find((id) => id === filter.order) ?? offered[0] ?? 'case';
  const own = queryOf({ ...filter, order });
  const query = queryWithin(own, within);
  const { queue } = query;
  const change = (part: Partial<Filter>) => onFilter({ ...filter, ...part }, false);
  const at = bindFields(filter, change);
  const page = useRead(
    [...trialsKey(experiment), query, 0],
    (api, given) => api.experiments.trials({ experiment, ...query, offset: 0, limit: pageSize }, given),
    { placeholderData: keepPreviousData, ...fresh },
  );
  const total = page.data?.total;
  const filtered = Object.keys(query).length > 1;
  const ownFilter = Object.keys(own).length > 1;
  const conditions = [
    ...(queue === undefined ? [] : [`worth reading first: ${queueText(queue, decidedBy).title}`]),
    ...(filter.search === '' ? [] : [`case: id holds “${filter.search}”`]),
    ...(filter.outcome === any ? [] : [`outcome: ${filter.outcome === 'running' ? begun : outcomeText(filter.outcome)}`]),
    ...(filter.correct === any
      ? []
      : [
          `against the ${labelNoun({ decided_by: decidedBy })}: ${rightness({ correct: filter.correct === 'correct', decided_by: decidedBy })}`,
        ]),
    ...(filter.verdict === noLabel ? [] : [`verdict: ${filter.verdict}`]),
    `order: ${orders[order]}`,
  ];
  const counted = ownFilter || total === undefined ? null : (mark?.counted(total) ?? null);
  return (
    <Section
      title="Trials"
      lead={
        <span role="status">
          {total === undefined || page.isPlaceholderData
            ? 'Reading the trials…'
            : `${quantity(total, 'trial')} ${filtered ? `${total === 1 ? 'fits' : 'fit'} ${ownFilter ? 'the choices below' : 'the filter'}` : total === 1 ? 'has begun' : 'have begun'}`}
        </span>
      }
      actions={
        mark === null ? (
          <Button
            size="small"
            icon={Table2}
            onPress={() => onFilter({ ...noFilter, search: filter.search, rows: 'cases' }, false)}
          >
            One row a case, with facts and answers
          </Button>
        ) : undefined
      }
    >
      {mark === null ? null : (
        <Notice>
          <span>
            Trials of <ArmSentence text={mark.words} />
            {counted === null ? null : `. ${counted}`}
          </span>
          <span className="row gap-8" ref={ways}>
            <Link href={mark.back}>Back to the figure</Link>
            <Button size="small" onPress={mark.clear}>
              Show all
            </Button>
          </span>
        </Notice>
      )}
      {isHidden ? (
        <p className="quiet">
          Which verdicts <Isolated text={rightWords({ decided_by: decidedBy }).are} /> is hidden as long as results are.
        </p>
      ) : null}
      <TrialQueues
        experiment={experiment}
        decidedBy={decidedBy}
        isHidden={isHidden}
        isListed={page.isFetched}
        chosen={filter.queue}
        onChoose={(queue) =>
          change({
            queue,
            order: queue === 'wrong-and-sure' ? 'confidence' : filter.queue === 'wrong-and-sure' ? noFilter.order : filter.order,
          })
        }
      />
      <SavedViews experiment={experiment} state={state} />
      <div className={`off-paper flex flex-wrap gap-10 items-end ${styles.filters}`} ref={filters}>
        <TextField label="Case" placeholder="id holds…" value={typed} onChange={setTyped} maxLength={200} />
        <Select
          label="Outcome"
          {...at('outcome')}
          choices={[
            { id: any, label: 'any' },
            ...(allImported ? [] : [{ id: 'running' as const, label: begun }]),
            ...(allImported ? (['decided', 'undecided'] as const) : outcomes).map((outcome) => ({
              id: outcome,
              label: outcomeText(outcome),
            })),
          ]}
        />
        {isHidden ? null : (
          <Select
            label={`Compared with the ${labelNoun({ decided_by: decidedBy })}`}
            {...at('correct')}
            choices={[
              { id: any, label: 'any' },
              { id: 'correct', label: rightness({ correct: true, decided_by: decidedBy }) },
              { id: 'wrong', label: rightness({ correct: false, decided_by: decidedBy }) },
            ]}
          />
        )}
        {labels.length > 1 ? (
          <Select
            label="Verdict"
            {...at('verdict')}
            choices={[{ id: noLabel, label: 'any' }, ...labels.map((label) => ({ id: label, label }))]}
          />
        ) : null}
        <Select label="Order" {...at('order')} value={order} choices={offered.map((id) => ({ id, label: orders[id] }))} />
        {ownFilter ? <Button onPress={() => onFilter({ ...noFilter, order: filter.order }, false)}>Clear</Button> : null}
      </div>
      <Paragraph className="on-paper quiet wrap-anywhere" text={capitalized(conditions.join('; '))} />
      {within.subset?.first === undefined && queue !== 'corrected' && queue !== 'made-wrong'
        ? null
        : [...firstAnswerNotes].map((note) => (
            <p key={note} className="quiet">
              {note}
            </p>
          ))}
      <FailureNotice error={page.error} onRetry={page.refetch} />
      {total === 0 ? <p className="quiet">{emptyText('trial', filtered, underWay)}</p> : null}
      {total === undefined || total === 0 ? null : (
        <TrialTable
          key={JSON.stringify(query)}
          experiment={experiment}
          decidedBy={decidedBy}
          isHidden={isHidden}
          query={query}
          total={total}
          walk={{
            name:
              queue !== undefined
                ? `in “${queueText(queue, decidedBy).title}”`
                : mark === null
                  ? 'in the list'
                  : 'behind the figure',
            from: `${toExperiment(experiment)}${state === '' ? '' : `/trials/${state}`}`,
          }}
          manyArms={arms.length > 1}
          groupColumns={groupColumnsOf(view, whole?.column_titles)}
          changes={new Map(view.arms.map(({ name, change }) => [name, change]))}
          allImported={allImported}
        />
      )}
    </Section>
  );
}
