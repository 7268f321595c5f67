import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { List } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { titleIn } from '../../../core/cases/columnNames.ts';
import { isEverything } from '../../../core/figures/subset.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { type CaseRow, type CaseTable, type CaseTableQuery, caseOrders, mostFacts } from '../../../shared/api/caseTable.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { labelNoun, rightWords } from '../../../shared/decidedBy.ts';
import { fresh, useApi, useRead } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Isolated, IsolatedSet, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useRows } from '../../ui/useRows.ts';
import { listedLabels } from '../dashboard/conditions.ts';
import { walkPlaces } from '../trial/walkedList.ts';
import { ArmName, useArmNames } from './ArmNames.tsx';
import { CaseAnswers, rowHeights } from './CaseAnswers.tsx';
import styles from './Experiment.module.css';
import { casesKey } from './experimentQueries.ts';
import table from './TrialTable.module.css';
import { emptyText, type Filter, noFilter, noTrialText } from './trialFilter.ts';

const pageSize = 100;
const restMs = 250;

interface Properties {
  readonly view: ExperimentView;
  /** What the data set's columns are called; absent: as they are. */
  readonly titles: Readonly<Record<string, string>> | undefined;
  readonly subset: Subset;
  readonly filter: Filter;
  readonly isHidden: boolean;
  readonly underWay: boolean;
  onFilter(filter: Filter, replaces?: boolean): void;
  /** Address of the list. */
  readonly from: string;
}

const [any, none] = ['any', 'none'];
/** Choices of a fact that are no value. */
const notShown = 'not shown';
const valueId = (value: string | null) => (value === null ? any : `value ${value}`);

/** One field for each fact that is shown, and one that adds a column. */
function FactFields({ table, filter, onFilter }: Pick<Properties, 'filter' | 'onFilter'> & { table: CaseTable | undefined }) {
  const { facts } = filter;
  const columns = table?.columns ?? [];
  const titleOf = (column: string) => columns.find((each) => each.column === column)?.title ?? column;
  const left = columns.filter(({ column }) => facts.every((each) => each.column !== column));
  return (
    <>
      {facts.map(({ column, value }, place) => {
        const values = ['', ...new Set([...(value === null || value === '' ? [] : [value]), ...(table?.values[place] ?? [])])];
        return (
          <Select
            key={column}
            label={titleOf(column)}
            value={valueId(value)}
            choices={[
              { id: any, label: 'any value' },
              ...values.map((each) => ({ id: valueId(each), label: each === '' ? 'not stated' : each })),
              { id: notShown, label: 'take the column out' },
            ]}
            onChange={(id) => {
              const chosen = values.find((each) => valueId(each) === id) ?? null;
              onFilter({
                ...filter,
                facts: facts.flatMap((each) =>
                  each.column !== column ? [each] : id === notShown ? [] : [{ column, value: chosen }],
                ),
              });
            }}
          />
        );
      })}
      {left.length === 0 || facts.length === mostFacts ? null : (
        <Select
          label="Show a fact"
          placeholder="choose…"
          value={null}
          choices={left.map(({ column, title }) => ({ id: column, label: title }))}
          onChange={(column) => onFilter({ ...filter, facts: [...facts, { column, value: null }] })}
        />
      )}
    </>
  );
}

const idOf = (label: string | null | undefined) => (label === undefined ? any : label === null ? none : `label ${label}`);

function Filters({
  view,
  subset,
  filter,
  isHidden,
  onFilter,
  table,
}: Pick<Properties, 'view' | 'subset' | 'filter' | 'isHidden' | 'onFilter'> & { table: CaseTable | undefined }) {
  const names = useArmNames();
  const labels = listedLabels(view);
  const [typed, setTyped] = useState(filter.search);
  const search = useDebounced(typed, restMs).trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the filter
  useEffect(() => {
    if (search !== filter.search) onFilter({ ...filter, search }, true);
  }, [search]);
  const answers = [null, ...labels];
  const choices = [
    { id: any, label: 'any answer' },
    ...answers.map((label) => ({ id: idOf(label), label: label ?? 'no verdict' })),
  ];
  const orders = {
    sample: 'as they were drawn',
    case: 'by case',
    label: `by ${labelNoun({ decided_by: view.definition.dataset.label?.decidedBy })}`,
    disagree: 'those first on which arms disagree',
  };
  return (
    <div className={`off-paper flex flex-wrap gap-10 items-end ${styles.filters}`}>
      <TextField label="Case" placeholder="id holds…" value={typed} onChange={setTyped} maxLength={200} />
      <Select
        label="The arms"
        value={filter.disagree ? 'disagree' : any}
        onChange={(id) => onFilter({ ...filter, disagree: id === 'disagree' })}
        choices={[
          { id: any, label: 'agree or disagree' },
          { id: 'disagree', label: 'disagree' },
        ]}
      />
      {view.arms
        .filter(({ name }) => subset.arms?.includes(name) ?? true)
        .map(({ name }) => (
          <Select
            key={name}
            label={names.get(name) ?? name}
            choices={choices}
            value={idOf(filter.answers.find(({ arm }) => arm === name)?.label)}
            onChange={(id) => {
              const rest = filter.answers.filter(({ arm }) => arm !== name);
              const label = answers.find((each) => idOf(each) === id);
              onFilter({ ...filter, answers: label === undefined ? rest : [...rest, { arm: name, label }] });
            }}
          />
        ))}
      <FactFields {...{ table, filter, onFilter }} />
      <Select
        label="Order"
        value={filter.caseOrder}
        onChange={(caseOrder) => onFilter({ ...filter, caseOrder })}
        choices={caseOrders.filter((id) => id !== 'label' || !isHidden).map((id) => ({ id, label: orders[id] }))}
      />
      {isEverything(subset) && view.dataset_cases > view.summary.cases ? (
        <Checkbox isSelected={filter.untried} onChange={(untried) => onFilter({ ...filter, untried })}>
          With cases that no arm tried
        </Checkbox>
      ) : null}
      {isFiltered(filter) ? (
        <Button
          onPress={() => {
            setTyped('');
            const facts = filter.facts.map(({ column }) => ({ column, value: null }));
            onFilter({ ...noFilter, rows: 'cases', caseOrder: filter.caseOrder, untried: filter.untried, facts });
          }}
        >
          Clear
        </Button>
      ) : null}
    </div>
  );
}

interface Row {
  readonly index: number;
  /** Absent until its page is read. */
  readonly row: CaseTable['rows'][number] | undefined;
}

type Query = Omit<CaseTableQuery, 'offset' | 'limit'>;

/** By itself, so that scrolling draws no filter again. */
function CasesTable({
  view,
  titles,
  isHidden,
  from,
  query,
  first: { total, arms, columns: known },
}: Pick<Properties, 'view' | 'titles' | 'isHidden' | 'from'> & { query: Query; first: CaseTable }) {
  const api = useApi();
  const { label } = view.definition.dataset;
  const groups = view.definition.dataset.groups.filter((group) => query.facts.every(({ column }) => column !== group));
  const lines = view.definition.replicates > 2 ? 3 : 2;
  const inView = useRows({ total, rowHeight: rowHeights[lines], pageSize });
  const read = useQueries({
    queries: inView.pages.map((page) => ({
      queryKey: [...casesKey(query.experiment), query, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.experiments.cases({ ...query, offset: page * pageSize, limit: pageSize }, { signal }),
      placeholderData: keepPreviousData,
    })),
  });
  const failed = read.find(({ isError }) => isError);
  const rows = inView.items.map(({ index }): Row => {
    return { index, row: read[Math.floor(index / pageSize) - inView.firstPage]?.data?.rows[index % pageSize] };
  });
  const open = (place: number) =>
    walkPlaces(
      'in the column',
      read.flatMap(
        ({ data }) => data?.rows.flatMap(({ cells }) => cells[place]?.slice(0, 1).map(({ trial }) => toTrial(trial)) ?? []) ?? [],
      ),
      from,
    );
  const firstOf = ({ cells }: CaseRow) => cells.findIndex((cell) => cell.length > 0);
  const column = (
    title: string,
    track: string,
    cell: (row: CaseTable['rows'][number], index: number) => ReactNode,
  ): Column<Row> => ({
    id: title,
    title: <Isolated text={title} />,
    track,
    cell: ({ row, index }) => (row === undefined ? null : cell(row, index)),
  });
  const columns: Column<Row>[] = [
    {
      title: 'case',
      track: 'minmax(90px, 1fr)',
      cell: ({ row }) => (row === undefined ? <span className="muted">Reading…</span> : <Isolated text={row.case} />),
    },
    ...(isHidden
      ? []
      : [column(labelNoun({ decided_by: label?.decidedBy }), 'minmax(100px, 1fr)', ({ truth }) => <IsolatedSet of={truth} />)]),
    ...(groups.length === 0
      ? []
      : [
          {
            ...column(groups.map((each) => titleIn(titles, each)).join(', '), 'minmax(140px, 1fr)', (row) => (
              <Isolated text={groups.map((each) => row.groups[each] || '–').join(', ')} />
            )),
            yields: true,
          },
        ]),
    ...query.facts.map((fact, place): Column<Row> => {
      const title = known.find((each) => each.column === fact.column)?.title ?? fact.column;
      return {
        ...column(title, 'minmax(100px, 1fr)', ({ facts }) => (
          <span className={`clamp-2 wrap-anywhere ${table.clamped}`}>
            <Isolated text={facts[place] ?? '–'} />
          </span>
        )),
        id: `fact ${fact.column}`,
        name: title,
      };
    }),
    ...arms.map(
      (arm, place): Column<Row> => ({
        ...column(arm, 'minmax(130px, 1.4fr)', (row, index) => (
          <CaseAnswers
            answers={row.cells[place] ?? []}
            truth={isHidden ? null : row.truth}
            right={rightWords({ decided_by: label?.decidedBy }).right}
            lines={lines}
            index={firstOf(row) === place ? index : undefined}
            onOpen={() => open(place)}
          />
        )),
        id: `arm ${arm}`,
        name: arm,
        title: <ArmName arm={arm} />,
      }),
    ),
  ];
  return (
    <>
      {failed === undefined ? null : <FailureNotice error={failed.error} onRetry={failed.refetch} />}
      <DataTable label="Cases" inView={inView} columns={columns} rows={rows} keyOf={({ index }) => index} />
    </>
  );
}

const isFiltered = ({ disagree, answers, search, facts }: Filter) =>
  disagree || answers.length > 0 || search !== '' || facts.some(({ value }) => value !== null);

/** What the labels of the listed cases are, and what each arm answered: results. */
function Counted({ counts, arms, noun }: { counts: NonNullable<CaseTable['counts']>; arms: CaseTable['arms']; noun: string }) {
  const names = useArmNames();
  const listed = (some: typeof counts.truth) => some.map(([answer, times]) => `${answer} ${times}`).join(', ') || 'none';
  const answered = counts.arms.map((some, place) => `${names.get(arms[place] ?? '') ?? arms[place]}: ${listed(some)}`);
  return (
    <Paragraph
      className="wrap-anywhere"
      text={`${capitalized(noun)}: ${listed(counts.truth)}. Answers of all their trials: ${answered.join('; ')}.`}
    />
  );
}

export function CasesSection({ view, titles, subset, filter, isHidden, underWay, onFilter, from }: Properties) {
  const experiment = view.summary.name;
  const { search, disagree, answers, facts, untried } = filter;
  // An address can ask for the order of the labels, which are a result.
  const order = isHidden && filter.caseOrder === 'label' ? 'sample' : filter.caseOrder;
  const query: Query = {
    experiment,
    subset,
    disagree,
    answers,
    facts,
    untried,
    order,
    ...(search === '' ? {} : { search }),
  };
  const first = useRead(
    [...casesKey(experiment), query, 0],
    (api, given) => api.experiments.cases({ ...query, offset: 0, limit: pageSize }, given),
    { placeholderData: keepPreviousData, ...fresh },
  );
  const total = first.data?.total;
  const isNarrowed = isFiltered(filter);
  return (
    <Section
      title="Cases"
      lead={
        <span role="status">
          {total === undefined || first.isPlaceholderData
            ? 'Reading the cases…'
            : `${isNarrowed ? `${quantityOf(total, first.data?.of ?? total, 'case')} ${total === 1 ? 'fits' : 'fit'} the filter` : quantity(total, 'case')}. Each answer opens its trial${view.definition.replicates > 1 ? '; × counts the trials of a case that gave it' : ''}. ${facts.length > 0 && view.arms.some((arm) => arm.change !== null) ? 'Facts are those of the data: an arm with a change may have read others. ' : ''}${noTrialText(subset)}`}
        </span>
      }
      actions={
        <Button size="small" icon={List} onPress={() => onFilter({ ...noFilter, search })}>
          One row a trial
        </Button>
      }
    >
      <Filters {...{ view, subset, isHidden, onFilter }} table={first.data} filter={{ ...filter, caseOrder: order }} />
      <FailureNotice error={first.error} onRetry={first.refetch} />
      {total === 0 ? <p className="quiet">{emptyText('case', isNarrowed || !isEverything(subset), underWay)}</p> : null}
      {first.data === undefined || total === 0 ? null : (
        <>
          {isNarrowed && !isHidden && !first.isPlaceholderData && first.data.counts !== null ? (
            <Counted
              counts={first.data.counts}
              arms={first.data.arms}
              noun={labelNoun({ decided_by: view.definition.dataset.label?.decidedBy })}
            />
          ) : null}
          <CasesTable key={JSON.stringify(query)} {...{ view, titles, isHidden, from, query }} first={first.data} />
        </>
      )}
    </Section>
  );
}
