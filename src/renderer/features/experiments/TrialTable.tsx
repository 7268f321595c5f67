import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { certaintyInList } from '../../../core/figures/certainty.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { pointsOf } from '../../../core/figures/shares.ts';
import type { TrialQuery } from '../../../shared/api/experiments.ts';
import { labelNoun, rightness } from '../../../shared/decidedBy.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { useRows } from '../../ui/useRows.ts';
import { type Walk, walkList } from '../trial/walkedList.ts';
import { ArmName } from './ArmNames.tsx';
import { trialsKey, useDamage } from './experimentQueries.ts';
import styles from './TrialTable.module.css';

/** Trials read in one request. */
export const pageSize = 100;
const rowHeight = 38;

interface Properties {
  readonly experiment: string;
  /** Who decided what the labels of the data set are; undefined: they are the truth. */
  readonly decidedBy: string | undefined;
  readonly query: Omit<TrialQuery, 'experiment' | 'offset' | 'limit'>;
  readonly total: number;
  /** What the list is called where its trials are walked, and its address. */
  readonly walk: Pick<Walk, 'name' | 'from'>;
  readonly manyArms: boolean;
  /** The data set's columns of groups; none: it names no groups. */
  readonly groupColumns: readonly { readonly column: string; readonly title: string }[];
  /** No trial took calls or time. */
  readonly allImported: boolean;
}

/** Whether what was answered before the deliberation is another answer than the verdict. */
const isChanged = ({ first_answer: first = null, prediction }: TrialLine) =>
  first !== null && prediction !== null && !isSameSet([first].flat(), [prediction].flat());

function Verdict({ line }: { line: TrialLine }) {
  const { status, outcome, prediction } = line;
  if (status !== 'done') return status === 'running' ? 'begun' : 'queued';
  if (outcome !== 'decided') return outcomeText(outcome ?? '');
  return (
    <>
      <Isolated text={predictionText(prediction) ?? 'decided, without a label'} /> {certaintyInList(line)}
      {isChanged(line) ? (
        <span className="muted">
          {' '}
          first <Isolated text={predictionText(line.first_answer ?? null) ?? ''} />
        </span>
      ) : null}
    </>
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

interface RowProperties extends Pick<Properties, 'manyArms' | 'groupColumns' | 'allImported'> {
  readonly line: TrialLine;
  readonly replicates: number;
  /** How far the judge's belief moved, 0-1; absent where that is not known or not what the list is ordered by. */
  readonly movement: number | undefined;
  readonly index: number;
  readonly isDamaged: boolean;
  readonly onOpen: () => void;
}

function Row({ line, replicates, movement, manyArms, groupColumns, allImported, index, isDamaged, onOpen }: RowProperties) {
  const { text, tone } = truthMark(line);
  const numbered = replicateText(line, replicates);
  const failed = line.status === 'done' && line.outcome !== 'decided';
  // An erased case has none.
  const groupIn = (column: string) => line.groups[column] || '–';
  return (
    <>
      <td className={`cut ${styles.case}`}>
        <Link href={toTrial(line.trial)} data-index={index} onClick={onOpen}>
          <Isolated text={line.case} />
        </Link>
        {numbered === null ? null : <span className="muted"> {numbered}</span>}
        {line.attempt === 1 ? null : <span className="muted"> attempt {line.attempt}</span>}
      </td>
      {manyArms ? (
        <td>
          <span className={`clamp-2 text-13 wrap-anywhere ${styles.clamped}`}>
            <ArmName arm={line.arm} />
          </span>
        </td>
      ) : null}
      {groupColumns.length === 0 ? null : (
        <td title={groupColumns.map(({ column, title }) => `${title}: ${groupIn(column)}`).join('; ')}>
          <span className={`clamp-2 text-13 wrap-anywhere ${styles.clamped}`}>
            <Isolated text={groupColumns.map(({ column }) => groupIn(column)).join(', ')} />
          </span>
        </td>
      )}
      <td className={failed ? 'text-bad' : line.status === 'running' ? styles.live : 'cut'}>
        {isDamaged ? <strong className="text-bad">fails its check: </strong> : null}
        <Verdict line={line} />
        {line.incomplete ? <span className="muted"> incomplete</span> : null}
        {line.inconsistent ? <span className="muted"> inconsistent</span> : null}
        {movement === undefined ? null : <span className={`muted ${styles.moved}`}> moved {pointsOf(movement)}</span>}
      </td>
      <td className={tone}>
        <span className={`clamp-2 text-13 wrap-anywhere ${styles.clamped}`}>
          <Isolated text={text} />
        </span>
      </td>
      {allImported ? null : (
        <>
          <td className={styles.number}>{line.status === 'done' ? line.calls : '…'}</td>
          <td className={styles.number}>{line.status === 'done' ? `${(line.wall_ms / 1000).toFixed(1)} s` : '…'}</td>
        </>
      )}
    </>
  );
}

/** Only trials in view are in the page. */
export function TrialTable({ experiment, decidedBy, query, total, walk, manyArms, groupColumns, allImported }: Properties) {
  const api = useApi();
  const { frame, items, height, firstPage, pages, onKeyDown } = useRows({ total, rowHeight, pageSize });
  const read = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...trialsKey(experiment), query, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.experiments.trials({ experiment, ...query, offset: page * pageSize, limit: pageSize }, { signal }),
      placeholderData: keepPreviousData,
    })),
  });
  const damaged = new Set(useDamage(experiment).data?.first.map(({ trial }) => trial));
  const pageOf = (index: number) => read[Math.floor(index / pageSize) - firstPage]?.data;
  const lineAt = (index: number) => pageOf(index)?.lines[index % pageSize];
  const failed = read.find(({ isError }) => isError);

  const grouped = groupColumns.length > 0;
  const columns = [
    'case',
    ...(manyArms ? ['arm'] : []),
    ...(grouped ? ['group'] : []),
    'verdict',
    decidedBy === undefined ? 'right or wrong' : labelNoun({ decided_by: decidedBy }),
    ...(allImported ? [] : ['calls', 'time']),
  ];
  return (
    <>
      {failed === undefined ? null : <FailureNotice error={failed.error} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links inside */}
      <div
        ref={frame}
        className={`card ${styles.frame} ${manyArms ? styles.withArm : ''} ${grouped ? styles.withGroup : ''} ${allImported ? styles.imported : ''}`}
        onKeyDown={onKeyDown}
      >
        <table className={styles.table} aria-rowcount={total + 1}>
          <caption className="visually-hidden">Trials</caption>
          <thead className={styles.head}>
            <tr className={`stack gap-12 ${styles.row}`} aria-rowindex={1}>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={
                    column === 'calls' || column === 'time' ? styles.number : column === 'group' ? 'wrap-anywhere' : undefined
                  }
                >
                  {column === 'group' ? <Isolated text={groupColumns.map(({ title }) => title).join(', ')} /> : column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="block relative" style={{ height }}>
            {items.map(({ index, start }) => {
              const line = lineAt(index);
              return (
                <tr
                  key={index}
                  aria-rowindex={index + 2}
                  className={`stack gap-12 ${styles.row} ${styles.item}`}
                  style={{ transform: `translateY(${start}px)`, height: rowHeight }}
                >
                  {line === undefined ? (
                    <td className="muted">Reading…</td>
                  ) : (
                    <Row
                      line={line}
                      replicates={pageOf(index)?.replicates ?? 1}
                      movement={pageOf(index)?.movements?.[line.trial]}
                      manyArms={manyArms}
                      groupColumns={groupColumns}
                      allImported={allImported}
                      index={index}
                      isDamaged={damaged.has(line.trial)}
                      onOpen={() => walkList({ ...walk, list: { experiment, ...query } })}
                    />
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
