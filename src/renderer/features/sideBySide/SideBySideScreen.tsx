import { useQueries } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { certaintyOf } from '../../../core/figures/certainty.ts';
import { percent } from '../../../core/figures/shares.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { minuteOf } from '../../../shared/checkpoints.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { experimentsCrumb, toExperiment, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated, IsolatedSet, Paragraph } from '../../ui/HiddenText.tsx';
import { DemoBanner, FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { printScreen } from '../../ui/useMedia.ts';
import { titleOf } from '../experiments/shownExperiments.ts';
import { NeighbourButtons } from '../trial/NeighbourButtons.tsx';
import { type Drawing, DrawingContext } from '../trial/telling/drawing.ts';
import { openingState } from '../trial/trialState.ts';
import { useCourt } from '../trial/useCourt.ts';
import { verdictOf } from '../trial/words.ts';
import { compared } from './comparing.ts';
import { InShort } from './InShort.tsx';
import { columnTitle, differingFacts, originalFirst } from './inCommon.ts';
import { Matched, Placed } from './Rows.tsx';
import styles from './SideBySide.module.css';

/** What both labels of two got, after a ruling of one of them; null where its own percentage says all. */
function sharesText({ belief, belief_source: source }: TrialLine): string | null {
  const shares = Object.entries(belief ?? {});
  if (shares.length !== 2) return null;
  return `${certaintyOf(source).belief}: ${shares.map(([label, share]) => `${percent(share)} ${label}`).join(', ')}`;
}

function Head({ view, other }: { view: TrialView; other: TrialView }) {
  const { line } = view;
  const { before, label, after, tone } = verdictOf(line);
  return (
    <div className="stack gap-4 content-start min-w-0">
      <h2 className="title-16 wrap-anywhere">
        <Link href={toTrial(line.trial)}>
          <Isolated text={columnTitle(view, other)} />
        </Link>
      </h2>
      <p className="wrap-anywhere">
        {label === null ? (
          before
        ) : (
          <>
            Ruling: <IsolatedSet of={line.prediction} />
          </>
        )}
        <span className={tone === 'good' ? 'text-good' : tone === 'bad' ? 'text-bad' : undefined}>{after}</span>
      </p>
      {line.truth === null ? null : (
        <p className="wrap-anywhere">
          <Isolated text={capitalized(labelNoun(line))} />: <IsolatedSet of={line.truth} />
        </p>
      )}
      <Paragraph className="quiet wrap-anywhere" text={sharesText(line)} />
      <p className="on-paper wrap-anywhere">
        Trial <code>{line.trial}</code> of <Isolated text={line.experiment} />
        {view.opened === null ? '' : `, opened ${minuteOf(view.opened)}`}
        {line.head_hash === null ? '' : ', head hash '}
        <code>{line.head_hash}</code>
      </p>
    </div>
  );
}

const nothing: readonly never[] = [];

/** Folds in the rows of both trials, and no calls: these are on each trial's own screen. */
function useOwnDrawing(): Drawing {
  return useState(
    (): Drawing => ({
      ...{
        facts: nothing,
        cast: nothing,
        faulty: [],
        writing: nothing,
        found: nothing,
        here: null,
        allOpen: false,
        memory: new Map(),
      },
      ...{ unfounded: () => nothing, callsOf: () => nothing, onInspect: () => undefined },
    }),
  )[0];
}

function Both({ pair }: { pair: readonly [TrialView, TrialView] }) {
  const [a, b] = pair;
  const states = useMemo(() => [openingState(a), openingState(b)] as const, [a, b]);
  const courts = [useCourt(a, states[0]), useCourt(b, states[1])] as const;
  const drawing = useOwnDrawing();
  const list = useRef<HTMLOListElement>(null);
  const heads = useRef<HTMLDivElement>(null);
  const facts = differingFacts(a, b);
  const isRetrial = facts !== null || (a.line.case === b.line.case && b.line.change !== undefined);
  const sides = [
    { trial: a.line.trial, court: courts[0], isOver: a.line.status === 'done' },
    { trial: b.line.trial, court: courts[1], isOver: b.line.status === 'done' },
  ] as const;
  const [one, other] = courts;
  const comparison = useMemo(() => compared(one, other, [a.line, b.line]), [one, other, a.line, b.line]);
  const Shown = comparison.by === 'name' ? Matched : Placed;
  const goTo = (row: number) => {
    const item = list.current?.children[row];
    if (!(item instanceof HTMLElement)) return;
    // The heads stay in view, and would cover its name.
    item.style.scrollMarginBlockStart = `${heads.current?.offsetHeight ?? 0}px`;
    item.scrollIntoView({ block: 'start' });
    item.focus({ preventScroll: true });
  };
  return (
    <div className="stack gap-14">
      {a.line.standin || b.line.standin ? <DemoBanner /> : null}
      <InShort pair={[a, b]} comparison={comparison} isOver={[sides[0].isOver, sides[1].isOver]} onGo={goTo} />
      {facts === null ? null : (
        <Notice tone="warn">
          <HiddenText text={facts} />
        </Notice>
      )}
      <div ref={heads} className={`whole-on-paper ${styles.heads}`}>
        <Head view={a} other={b} />
        <Head view={b} other={a} />
      </div>
      <p className="quiet">
        {comparison.isReordered
          ? 'The second trial heard its speeches in another order; here each is next to the same speech of the first. '
          : ''}
        {comparison.by === 'name' ? 'Words that the other trial does not have in the same speech are marked. ' : ''}
        Plans and notes of who spoke are on each trial's own screen.
      </p>
      {isRetrial ? (
        <p className="quiet">
          One pair of trials can differ by chance alone.
          {b.others.some(({ change }) => change?.kind === 'seed') ? (
            <>
              {' '}
              <Link href={toExperiment(b.line.experiment)}>The trials that were repeated with other seeds alone</Link> show how
              often.
            </>
          ) : null}
        </p>
      ) : null}
      <DrawingContext value={drawing}>
        <ol ref={list} className="stack gap-16" aria-label="Utterances side by side">
          {comparison.rows.map((row) => (
            <li key={`${row.a?.id} ${row.b?.id}`} className={styles.row} tabIndex={-1}>
              <Shown row={row} sides={sides} />
            </li>
          ))}
        </ol>
      </DrawingContext>
    </div>
  );
}

function titleOfBoth(a: TrialView | undefined, b = a): string {
  if (a === undefined || b === undefined) return 'Two trials';
  if (a.title !== null || b.title !== null) return 'Two trials, side by side';
  const [one, other] = [a.line.case, b.line.case];
  return one === other ? `Case ${one}, side by side` : `Cases ${one} and ${other}, side by side`;
}

/** Two trials, utterance by utterance. Its address names both, so that it can be kept. */
export default function SideBySideScreen({ trial, other }: { trial: string; other: string }) {
  const api = useApi();
  const titles = useSettings().data?.experiments ?? [];
  const [a, b] = useQueries({
    queries: [trial, other].map((each) => ({
      queryKey: ['trials', 'read', each],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.trials.read({ trial: each }, { signal }),
      refetchOnMount: 'always' as const,
      gcTime: 0,
    })),
  });
  const failed = [a, b].find((reading) => reading?.isError);
  const line = a?.data?.line;
  return (
    <Screen
      crumbs={[
        experimentsCrumb,
        ...(line === undefined ? [] : [{ label: titleOf(titles, line.experiment), to: toExperiment(line.experiment) }]),
      ]}
      title={titleOfBoth(a?.data, b?.data)}
      subtitle={a?.data === undefined ? undefined : <HiddenText text={a.data.question} />}
      actions={
        <>
          <Button icon={Printer} size="small" onPress={() => void printScreen()}>
            Print or save as PDF
          </Button>
          <NeighbourButtons line={null} />
        </>
      }
    >
      {failed === undefined ? null : <FailureNotice error={failed.error} onRetry={failed.refetch} />}
      {a?.data === undefined || b?.data === undefined ? (
        failed === undefined ? (
          <p className="quiet">Reading the record…</p>
        ) : null
      ) : (
        <Both pair={originalFirst(a.data, b.data)} />
      )}
    </Screen>
  );
}
