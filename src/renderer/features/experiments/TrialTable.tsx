import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { certaintyInList } from '../../../core/figures/certainty.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { pointsOf } from '../../../core/figures/shares.ts';
import type { TrialQuery } from '../../../shared/api/experiments.ts';
import type { Change } from '../../../shared/changes.ts';
import { labelNoun, rightness } from '../../../shared/decidedBy.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { useRows } from '../../ui/useRows.ts';
import { type Walk, walkList } from '../trial/walkedList.ts';
import { ArmName } from './ArmNames.tsx';
import { trialsKey, useDamage } from './experimentQueries.ts';
import { changeOutside, type GroupColumn, groupsOf } from './groupColumns.ts';
import styles from './TrialTable.module.css';

/** Trials read in one request. */
export const pageSize = 100;
const rowHeight = 38;

interface Properties {
  readonly experiment: string;
  /** Who decided what the labels of the data set are; undefined: they are the truth. */
  readonly decidedBy: string | undefined;
  readonly isHidden: boolean;
  readonly query: Omit<TrialQuery, 'experiment' | 'offset' | 'limit'>;
  readonly total: number;
  /** What the list is called where its trials are walked, and its address. */
  readonly walk: Pick<Walk, 'name' | 'from'>;
  readonly manyArms: boolean;
  readonly groupColumns: readonly GroupColumn[];
  /** What is changed in an arm, by its name. */
  readonly changes: ReadonlyMap<string, Change | null>;
  /** No trial took calls or time. */
  readonly allImported: boolean;
}

const isChanged = ({ first_answer: first = null, prediction }: TrialLine) =>
  first !== null && prediction !== null && !isSameSet([first].flat(), [prediction].flat());

function Verdict({ line }: { line: TrialLine }) {
  const { status, outcome, prediction } = line;
  if (status !== 'done') return status === 'running' ? 'begun' : 'queued';
  if (outcome !== 'decided') return outcomeText(outcome ?? '');
  return (
    <span className={styles.sure}>
      <span className="cut">
        <Isolated text={predictionText(prediction) ?? 'decided, without a label'} />
      </span>{' '}
      <span className="no-shrink">{certaintyInList(line)}</span>
    </span>
  );
}

function truthMark(line: TrialLine): { text: string; tone: string | undefined } {
  const { correct, truth, deliberation, decided_by: by } = line;
  const label = predictionText(truth);
  if (truth === null) return { text: `${labelNoun(line)} unknown`, tone: 'muted' };
  if (by !== undefined) {
    const isNew = deliberation === 'corrected' || deliberation === 'degraded';
    const found = correct === null ? labelNoun(line) : `${isNew ? 'now ' : ''}${rightness(line)}`;
    return { text: correct === true ? found : `${found}: ${label}`, tone: correct === null ? 'muted' : undefined };
  }
  if (correct === null) return { text: `truth ${label}`, tone: 'muted' };
  return correct
    ? { text: deliberation === 'corrected' ? '✓ corrected' : '✓ correct', tone: 'text-good' }
    : { text: `✗ ${deliberation === 'degraded' ? 'made wrong' : 'wrong'}, truth ${label}`, tone: 'text-bad' };
}

interface Row {
  readonly index: number;
  /** Absent until its page is read. */
  readonly line: TrialLine | undefined;
  readonly replicates: number;
  /** How far the judge's belief moved, 0-1; absent where that is not known or not what the list is ordered by. */
  readonly movement: number | undefined;
}

const Clamped = ({ children }: { children: ReactNode }) => (
  <span className={`clamp-2 text-13 wrap-anywhere ${styles.clamped}`}>{children}</span>
);

function verdictLook({ line }: Row): string | undefined {
  if (line?.status === 'done' && line.outcome !== 'decided') return 'text-bad';
  return line?.status === 'running' ? styles.live : 'cut';
}

export function TrialTable({
  experiment,
  decidedBy,
  isHidden,
  query,
  total,
  walk,
  manyArms,
  groupColumns,
  changes,
  allImported,
}: Properties) {
  const api = useApi();
  const inView = useRows({ total, rowHeight, pageSize });
  const read = useQueries({
    queries: inView.pages.map((page) => ({
      queryKey: [...trialsKey(experiment), query, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.experiments.trials({ experiment, ...query, offset: page * pageSize, limit: pageSize }, { signal }),
      placeholderData: keepPreviousData,
    })),
  });
  const damaged = new Set(useDamage(experiment).data?.first.map(({ trial }) => trial));
  const rows = inView.items.map(({ index }): Row => {
    const page = read[Math.floor(index / pageSize) - inView.firstPage]?.data;
    const line = page?.lines[index % pageSize];
    return { index, line, replicates: page?.replicates ?? 1, movement: line && page?.movements?.[line.trial] };
  });
  const failed = read.find(({ isError }) => isError);

  const column = (title: string, track: string, cell: (line: TrialLine, row: Row) => ReactNode): Column<Row> => ({
    title,
    track,
    cell: (row) => (row.line === undefined ? null : cell(row.line, row)),
  });
  const work = (title: string, track: string, amount: (line: TrialLine) => ReactNode): Column<Row> => ({
    ...column(title, track, (line) => (line.status === 'done' ? amount(line) : '…')),
    isNumber: true,
    yields: true,
  });
  const columns: Column<Row>[] = [
    {
      title: 'case',
      track: 'minmax(90px, 1.2fr)',
      cell: ({ index, line, replicates }) => {
        if (line === undefined) return <span className="muted">Reading…</span>;
        const numbered = replicateText(line, replicates);
        return (
          <span className={`clamp-2 wrap-anywhere ${styles.clamped}`}>
            <Link
              href={toTrial(line.trial)}
              data-index={index}
              onClick={() => walkList({ ...walk, list: { experiment, ...query } })}
            >
              <Isolated text={line.case} />
            </Link>
            {numbered === null ? null : <span className="muted"> {numbered}</span>}
            {line.attempt === 1 ? null : <span className="muted"> attempt {line.attempt}</span>}
          </span>
        );
      },
    },
    ...(manyArms
      ? [
          column('arm', 'minmax(110px, 1.3fr)', (line) => {
            const changed = changeOutside(line, groupColumns, changes.get(line.arm) ?? null);
            if (changed === null)
              return (
                <Clamped>
                  <ArmName arm={line.arm} />
                </Clamped>
              );
            return (
              <span className="text-13">
                <span className="block cut">
                  <ArmName arm={line.arm} />
                </span>
                <span className="block cut muted" title={changed}>
                  <Isolated text={changed} />
                </span>
              </span>
            );
          }),
        ]
      : []),
    ...(groupColumns.length > 0
      ? [
          {
            ...column('group', 'minmax(90px, 1.3fr)', (line) => {
              const groups = groupsOf(line, groupColumns);
              return (
                <span title={groupColumns.map(({ title }, place) => `${title}: ${groups[place]}`).join('; ')}>
                  <Clamped>
                    <Isolated text={groups.join(', ')} />
                  </Clamped>
                </span>
              );
            }),
            id: 'group',
            title: <Isolated text={groupColumns.map(({ title }) => title).join(', ')} />,
            look: 'wrap-anywhere',
          },
        ]
      : []),
    {
      ...column('verdict', 'minmax(190px, 2.2fr)', (line, { movement }) => (
        <>
          {damaged.has(line.trial) ? <strong className="text-bad">fails its check: </strong> : null}
          <Verdict line={line} />
          {line.incomplete ? <span className="muted"> incomplete</span> : null}
          {line.inconsistent ? <span className="muted"> inconsistent</span> : null}
          {movement === undefined && !isChanged(line) ? null : (
            <span className={`muted cut ${styles.second}`}>
              {isChanged(line) ? (
                <>
                  first <Isolated text={predictionText(line.first_answer ?? null) ?? ''} />
                </>
              ) : null}{' '}
              {movement === undefined ? '' : `moved ${pointsOf(movement)}`}
            </span>
          )}
        </>
      )),
      look: verdictLook,
    },
    ...(isHidden
      ? []
      : [
          {
            ...column(
              decidedBy === undefined ? 'right or wrong' : labelNoun({ decided_by: decidedBy }),
              'minmax(150px, 1.5fr)',
              (line) => (
                <Clamped>
                  <Isolated text={truthMark(line).text} />
                </Clamped>
              ),
            ),
            look: ({ line }: Row) => line && truthMark(line).tone,
          },
        ]),
    ...(allImported
      ? []
      : [work('calls', '66px', ({ calls }) => calls), work('time', '84px', (line) => `${(line.wall_ms / 1000).toFixed(1)} s`)]),
  ];
  return (
    <>
      {failed === undefined ? null : <FailureNotice error={failed.error} />}
      <DataTable label="Trials" inView={inView} columns={columns} rows={rows} keyOf={({ index }) => index} />
    </>
  );
}
