import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { certaintyInList } from '../../../core/figures/certainty.ts';
import {
  type ComparedCase,
  type FlippedPairs as Flipped,
  type FlippedQuery,
  mostCompared,
} from '../../../shared/api/compared.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { toBeside, toTrial } from '../../app/routes.ts';
import { HiddenText, Isolated, IsolatedSet, Paragraph } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { Unread } from '../../ui/Notice.tsx';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { mostlyText, rightCounts } from '../compare/compareText.ts';
import { walkPlaces } from '../trial/walkedList.ts';
import styles from './Experiment.module.css';
import { comparedKey, flippedKey } from './experimentQueries.ts';

interface Read<Data> {
  /** Words until it is read. */
  readonly reading: string;
  readonly found: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

const ReadPart = <Data,>({ reading, found, children }: Read<Data>) =>
  found.data === undefined ? <Unread of={found} words={reading} /> : children(found.data);

function ReadDialog<Data>({ title, onClose, reading, found, children }: Read<Data> & { title: string; onClose: () => void }) {
  return (
    <ModalDialog title={title} onClose={onClose} cancel="Close">
      <ReadPart {...{ reading, found, children }} />
    </ModalDialog>
  );
}

/** What the trials of such a list are called where they are walked. */
const differing = 'trials that differ';

/** A baseline has none. */
export const trialsOf = (verdicts: ComparedCase['a']): string[] => verdicts.flatMap(({ trial }) => trial ?? []);

function Trials({ name, trials, onOpen }: { name: string; trials: readonly string[]; onOpen: () => void }) {
  return trials.map((trial, index) => (
    <Link key={trial} href={toTrial(trial)} onClick={onOpen}>
      <Isolated text={name} />
      {trials.length === 1 ? null : ` ${index + 1}`}
    </Link>
  ));
}

export const besideOf = ({ beside }: ComparedCase): string[] => (beside === null ? [] : [toBeside(...beside)]);

function Cases({ title, cases, of, pair }: { title: string; cases: readonly ComparedCase[]; of: number; pair: Comparison }) {
  const walk = (placesOf: (each: ComparedCase) => string[]) => walkPlaces(differing, cases.flatMap(placesOf));
  return (
    <section aria-label={title}>
      <h3 className="text-14 font-600">
        <HiddenText text={title} /> <span className="quiet">{quantity(of, 'case')}</span>
      </h3>
      {cases.length === 0 ? <p className="quiet">None.</p> : null}
      <ul className={styles.cases}>
        {cases.map((each) => (
          <li key={each.case}>
            <span>
              <Isolated text={each.case} /> <span className="quiet">{rightCounts(each)}</span>
            </span>
            <span className="flex flex-wrap gap-4-16">
              <Trials name={pair.a} trials={trialsOf(each.a)} onOpen={() => walk(({ a }) => trialsOf(a).map(toTrial))} />
              <Trials name={pair.b} trials={trialsOf(each.b)} onOpen={() => walk(({ b }) => trialsOf(b).map(toTrial))} />
              {besideOf(each).map((to) => (
                <Link key={to} href={to} onClick={() => walk(besideOf)}>
                  side by side
                </Link>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {cases.length < of ? <p className="quiet">The first {quantityOf(cases.length, of, 'case')} are listed.</p> : null}
    </section>
  );
}

/** The cases on which one of a pair is right more often than the other, each with its trials. */
export function DifferingCases({
  experiment,
  comparison,
  is,
  onClose,
}: {
  experiment: string;
  comparison: Comparison;
  is: string;
  onClose: () => void;
}) {
  const { a, b, baseline } = comparison;
  const found = useRead(
    [...comparedKey(experiment), 'differing', a, b],
    (api, given) =>
      api.experiments.compared(
        { experiment, a, b, baseline, standings: ['a_only', 'b_only'], resampled: false, facts: false, limit: mostCompared },
        given,
      ),
    fresh,
  );
  return (
    <ReadDialog title={`Where ${a} and ${b} differ`} reading="Reading the cases…" found={found} onClose={onClose}>
      {({ cases, counts, ...of }) => (
        <div className={`stack ${styles.differing}`}>
          <Paragraph className="quiet" text={mostlyText(comparison, of)} />
          {(['a_only', 'b_only'] as const).map((side) => (
            <Cases
              key={side}
              title={`${side === 'a_only' ? a : b} ${is} more often`}
              cases={cases.filter(({ standing }) => standing === side)}
              of={counts[side]}
              pair={comparison}
            />
          ))}
        </div>
      )}
    </ReadDialog>
  );
}

type FlippedPair = Flipped['pairs'][number];

function Verdict({ what, of, right, onOpen }: { what: string; of: FlippedPair['base']; right: string; onOpen: () => void }) {
  const link = (
    <Link href={toTrial(of.trial)} onClick={onOpen}>
      {what}: {of.prediction === null ? 'no verdict' : <IsolatedSet of={of.prediction} />}
      {of.confidence === null ? '' : ` ${certaintyInList(of)}`}
    </Link>
  );
  return (
    <span>
      {link}
      {of.correct === true ? <span className="quiet"> {right}</span> : null}
    </span>
  );
}

interface OfPairs {
  readonly query: FlippedQuery;
  /** What the two trials of a pair are called. */
  readonly names: { readonly base: string; readonly swapped: string };
}

const usePairs = (query: FlippedQuery) =>
  useRead(flippedKey(query), (api, given) => api.experiments.flipped(query, given), fresh);

const besideIn = ({ base, swapped }: FlippedPair) => toBeside(base.trial, swapped.trial);

function Pairs({ of: { total, replicates, pairs, ...of }, names }: { of: Flipped; names: OfPairs['names'] }) {
  const walk = (placeOf: (pair: FlippedPair) => string) => walkPlaces(differing, pairs.map(placeOf));
  return (
    <>
      {total === 0 ? <p className="quiet">None.</p> : null}
      <ul className={styles.cases}>
        {pairs.map((pair) => (
          <li key={JSON.stringify([pair.case, pair.replicate])}>
            <span>
              <Isolated text={pair.case} />
              {replicates === 1 ? null : <span className="quiet"> {replicateText(pair, replicates)}</span>}
            </span>
            <span className="flex flex-wrap gap-4-16">
              {(['base', 'swapped'] as const).map((side) => (
                <Verdict
                  key={side}
                  what={names[side]}
                  of={pair[side]}
                  right={rightWords(of).right}
                  onOpen={() => walk((each) => toTrial(each[side].trial))}
                />
              ))}
              <Link href={besideIn(pair)} onClick={() => walk(besideIn)}>
                side by side
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {pairs.length < total ? <p className="quiet">The first {quantityOf(pairs.length, total, 'pair')} are listed.</p> : null}
    </>
  );
}

const readingTrials = 'Reading the trials…';

export function AllPairs({ query, names }: OfPairs) {
  return (
    <ReadPart reading={readingTrials} found={usePairs(query)}>
      {(found) => <Pairs of={found} names={names} />}
    </ReadPart>
  );
}

export function FlippedPairs({ query, title, names, onClose }: OfPairs & { title: string; onClose: () => void }) {
  return (
    <ReadDialog title={title} reading={readingTrials} found={usePairs(query)} onClose={onClose}>
      {(found) => <Pairs of={found} names={names} />}
    </ReadDialog>
  );
}
