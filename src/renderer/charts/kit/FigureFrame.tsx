import { lazy, Suspense, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import styles from './Figure.module.css';
import { FigureMenu } from './FigureMenu.tsx';
import { FigureTableView } from './FigureTableView.tsx';
import type { Figure, FigureFinding, FigureSources, TrialsBehind } from './figure.ts';
import { isAbsent } from './figure.ts';

const Chart = lazy(() => import('./Chart.tsx'));

const usualHeight = 300;

interface Properties {
  readonly experiment: string;
  readonly figure: Figure<unknown>;
  /** Null while they are read. */
  readonly sources: FigureSources | null;
  /** What went wrong with reading them; null where nothing did. */
  readonly error: unknown;
  /** A part of the trials is chosen: nothing is found then, only looked at. */
  readonly isPart: boolean;
  /** The run goes on: what is drawn is of the trials that have ended so far. */
  readonly soFar: boolean;
  onTrials(behind: TrialsBehind, figure: Figure<unknown>): void;
  /** Whether the dashboard can be narrowed to such trials. */
  narrows(behind: TrialsBehind): boolean;
  onNarrow(behind: TrialsBehind): void;
  /** A name of the legend was pressed with a modifier key. */
  onLegend(name: string): void;
}

type Made = { readonly data: unknown } | { readonly absent: string } | { readonly error: unknown } | null;

function made(figure: Figure<unknown>, sources: FigureSources | null): Made {
  if (sources === null) return null;
  try {
    const data = figure.data(sources);
    return isAbsent(data) ? data : { data };
  } catch (error) {
    return { error };
  }
}

function Head({
  id,
  title,
  paper,
  finding,
  soFar,
}: {
  id: string;
  title: string;
  paper: string | null;
  finding: FigureFinding | null;
  soFar: boolean;
}) {
  return (
    <div className={styles.words}>
      <h3 id={id}>
        <HiddenText text={finding?.sentence ?? title} />
      </h3>
      <p className={styles.title}>
        {finding === null ? null : title}
        {paper === null ? null : `${finding === null ? '' : ' · '}as in the paper on ${paper}`}
        {soFar ? ' · so far' : null}
      </p>
    </div>
  );
}

function Body({
  figure,
  data,
  error,
  absent,
  ...rest
}: Pick<Properties, 'experiment' | 'figure' | 'narrows' | 'onNarrow' | 'onTrials' | 'onLegend' | 'isPart' | 'soFar'> & {
  data: unknown;
  error: unknown;
  absent: string | null;
  id: string;
  standin: boolean;
}) {
  const { id, standin, experiment, narrows, onNarrow, onTrials, onLegend, isPart, soFar } = rest;
  const [asTable, setAsTable] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const hasData = data !== null && absent === null && error === null;
  const finding = hasData && !isPart && !soFar ? (figure.finding?.(data) ?? null) : null;
  const height = hasData ? (figure.height?.(data) ?? usualHeight) : usualHeight;
  const caption = hasData ? figure.caption(data) : '';
  const onMark = (behind: TrialsBehind, narrow: boolean) =>
    narrow && narrows(behind) ? onNarrow(behind) : onTrials(behind, figure);
  return (
    <>
      <div className={styles.head}>
        <Head id={id} title={figure.title} paper={figure.paper} finding={finding} soFar={soFar && hasData} />
        {hasData ? (
          <div className={styles.actions}>
            <Button
              size="small"
              onPress={() => setAsTable(!asTable)}
              aria-label={`${asTable ? 'Chart' : 'Table'}: ${figure.title}`}
            >
              {asTable ? 'Chart' : 'Table'}
            </Button>
            <FigureMenu
              experiment={experiment}
              figure={figure}
              data={data}
              title={finding?.sentence ?? figure.title}
              caption={isPart ? `A part of the trials. ${caption}` : caption}
              standin={standin}
              height={height}
              width={() => place.current?.clientWidth ?? null}
            />
          </div>
        ) : null}
      </div>
      {error === null ? null : <FailureNotice error={error} />}
      {absent === null ? null : <p className={styles.absent}>{absent}</p>}
      {!hasData && error === null && absent === null ? <p className={styles.waiting}>Reading the record…</p> : null}
      {hasData ? (
        <div ref={place}>
          {asTable ? (
            <FigureTableView figure={figure} data={data} label={`${figure.title}: numbers`} onMark={onMark} narrows={narrows} />
          ) : (
            <Suspense fallback={<p className={styles.waiting}>Drawing…</p>}>
              <Chart
                figure={figure}
                data={data}
                height={height}
                label={`${figure.title}. ${caption} The table has the numbers.`}
                onMark={onMark}
                onLegend={onLegend}
              />
            </Suspense>
          )}
        </div>
      ) : null}
      {hasData ? (
        <p className={styles.caption}>
          <HiddenText text={caption} />
        </p>
      ) : null}
      {finding === null ? null : (
        <Fold title="How this was found" level={4}>
          <p className={styles.rule}>{finding.rule}</p>
        </Fold>
      )}
    </>
  );
}

/** One figure with its heading, its caption, its numbers, and the ways from it: to its trials and to files. */
export function FigureFrame({ figure, sources, error, ...rest }: Properties) {
  const id = useId();
  const result = useMemo(() => made(figure, sources), [figure, sources]);
  const failed = error ?? (result !== null && 'error' in result ? result.error : null);
  return (
    <section className={styles.frame} aria-labelledby={id} data-figure={figure.id}>
      <Body
        {...rest}
        id={id}
        figure={figure}
        standin={sources?.report.standin ?? false}
        data={result !== null && 'data' in result ? result.data : null}
        absent={result !== null && 'absent' in result ? result.absent : null}
        error={failed}
      />
    </section>
  );
}
