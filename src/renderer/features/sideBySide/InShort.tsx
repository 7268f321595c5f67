import { Button as AriaButton } from 'react-aria-components';
import { Link } from 'wouter';
import type { ComparedFact } from '../../../core/cases/comparedFacts.ts';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { timesOf, triesText } from '../../../core/telling/findingTexts.ts';
import { speechNamer } from '../../../core/telling/unheard.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { toTrial } from '../../app/routes.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { CaseName, FactValue, HiddenText, Isolated, IsolatedSet, Listed, Paragraph } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import {
  type Comparison,
  firstDifference,
  firstOtherAnswers,
  firstOtherBelief,
  firstOtherNotes,
  hasBeliefs,
  type Item,
  isHeardAlone,
  rulingsIn,
  titleOf,
} from './comparing.ts';
import { columnTitle, factsOfTwo, inCommon, oneTruthText } from './inCommon.ts';

interface Pair {
  readonly pair: readonly [TrialView, TrialView];
}

interface Compared {
  readonly comparison: Comparison;
  readonly isOver: readonly [boolean, boolean];
  readonly onGo: (row: number) => void;
}

const Way = ({ title, onPress }: { title: string; onPress: () => void }) => (
  <AriaButton className="as-link" onPress={onPress}>
    <HiddenText text={title} />
  </AriaButton>
);

/** Whether a belief or an answer comes behind the words of a row. */
const whenIn = (item: Item) => (item.kind === 'turn' && item.form !== 'ruling' && item.form !== 'silent' ? 'after' : 'in');

function WhereBelieved({ comparison: { by, rows }, isOver, onGo }: Compared) {
  if (by !== 'name' || !hasBeliefs(rows)) return null;
  const at = firstOtherBelief(rows);
  const item = rows[at]?.a ?? null;
  if (item === null) return <p>{isOver.every(Boolean) ? 'All beliefs are the same.' : 'No beliefs differ so far.'}</p>;
  return (
    <p>
      Their beliefs first differ {whenIn(item)} <Way title={titleOf(item)} onPress={() => onGo(at)} />.
    </p>
  );
}

function WhereAnswered({ comparison: { by, rows }, onGo, pair: [a, b] }: Compared & Pair) {
  const found = by === 'name' ? firstOtherAnswers(rows) : [];
  return found.map(({ of, at, item, role, answers }) => (
    <p key={of}>
      The {role.startsWith('voter') ? 'voters' : 'judges'}’ {of} first part {whenIn(item)}{' '}
      <Way title={titleOf(item)} onPress={() => onGo(at)} />: <IsolatedSet of={answers[0]} /> in{' '}
      <Isolated text={columnTitle(a, b)} />, <IsolatedSet of={answers[1]} /> in <Isolated text={columnTitle(b, a)} />.
    </p>
  ));
}

/** Where the words of two trials first differ, or why that cannot be said. */
function Where({ comparison: { by, rows }, isOver, onGo }: Compared) {
  const at = by === 'name' ? firstDifference(rows, isOver) : rulingsIn(rows);
  const row = rows[at];
  const way = (title: string) => <Way title={title} onPress={() => onGo(at)} />;
  if (by === 'name') {
    if (row === undefined) {
      const noted = firstOtherNotes(rows);
      const heard = isOver.every(Boolean) ? 'No words that were said aloud differ' : 'No words differ so far';
      return noted < 0 ? (
        `${heard}.`
      ) : (
        <>
          {heard}; the private notes first differ in <Way title={titleOf(rows[noted]?.a ?? null)} onPress={() => onGo(noted)} />.
        </>
      );
    }
    return (
      <>
        {isHeardAlone(row) ? 'They first differ in what the court heard: ' : 'What was said aloud first differs in '}
        {way(titleOf(row.a ?? row.b))}
        {row.a === null || row.b === null ? ', which only one of them has' : ''}.
      </>
    );
  }
  const why =
    by === 'protocols'
      ? 'The two protocols hear different speakers in different phases'
      : 'Few of the speeches have a counterpart in the other trial';
  return (
    <>
      {why}, so each trial is below in its own order
      {row === undefined ? '.' : <>; only {way('the rulings')} are matched with each other.</>}
    </>
  );
}

/** Facts that differ; further ones scroll. */
const mostInView = 12;

/** The facts of two cases: in a table those that differ, and in a line those that do not. */
function Facts({ pair: [a, b] }: Pair) {
  const facts = factsOfTwo(a, b);
  if (facts === null) return null;
  const column = (id: string, value: (fact: ComparedFact) => string | null) => ({
    ...{ id, name: `Case ${id}`, title: <CaseName title={null} case={id} /> },
    cell: (fact: ComparedFact) => <FactValue of={value(fact)} />,
  });
  return (
    <>
      {facts.apart.length === 0 ? null : (
        <DataTable
          label="Facts that differ"
          isLong={facts.apart.length > mostInView}
          rows={facts.apart}
          keyOf={({ title }) => title}
          columns={[
            { title: 'fact that differs', cell: ({ title }) => <Isolated text={title} /> },
            column(a.line.case, ({ one }) => one),
            column(b.line.case, ({ other }) => other),
          ]}
        />
      )}
      {facts.same.length === 0 ? null : (
        <p>
          The same in both:{' '}
          <Listed of={facts.same} between=" · ">
            {({ title, one }) => (
              <>
                <Isolated text={title} />: <FactValue of={one} />
              </>
            )}
          </Listed>
        </p>
      )}
    </>
  );
}

/** Arms that are named; of more there is their number. */
const mostArms = 6;

/** How every trial of the case ended, arm by arm, with the ways to the others. */
function CaseTrials({ view: { line, title, labels, entries, others, replicates } }: { view: TrialView }) {
  if (others.length === 0 || labels.length === 0) return null;
  const arms = [...Map.groupBy([line, ...others], ({ arm }) => arm)];
  const names = shownArmNames(
    arms.map(([arm]) => arm),
    speechNamer(entries),
  );
  const waysTo = (runs: readonly TrialLine[]) => {
    const trials = runs.filter((run) => run !== line);
    const times = timesOf(runs, replicates);
    const isOwn = trials.length < runs.length;
    return (
      <>
        {isOwn ? ` (the other${trials.length === 1 ? '' : 's'}: ` : ' ('}
        <Listed of={trials}>{(of) => <Link href={toTrial(of.trial)}>{replicateText(of, times) ?? 'its trial'}</Link>}</Listed>)
      </>
    );
  };
  const more = arms.length - mostArms;
  return (
    <p>
      <CaseName title={title} case={line.case} /> was tried{' '}
      <Listed of={arms.slice(0, mostArms)} between="; ">
        {([arm, runs]) => (
          <>
            by <Isolated text={names.get(arm) ?? arm} /> <HiddenText text={triesText(runs, timesOf(runs, replicates))} />
            {runs.length === 1 && runs[0] === line ? null : waysTo(runs)}
          </>
        )}
      </Listed>
      {more > 0 ? `; and by ${quantity(more, 'more arm')}` : ''}.
    </p>
  );
}

/** What two trials have in common, in what they differ, and where their beliefs and words first do. */
export function InShort({ pair: [a, b], ...rest }: Pair & Compared) {
  const { same, different } = inCommon(a, b);
  return (
    <section className="stack gap-4 max-w-80ch wrap-anywhere" aria-label="In short">
      <Paragraph dir="auto" text={same} />
      <Paragraph dir="auto" text={different} />
      <Facts pair={[a, b]} />
      <CaseTrials view={a} />
      {b.line.case === a.line.case && b.line.experiment === a.line.experiment ? null : <CaseTrials view={b} />}
      <Paragraph dir="auto" text={oneTruthText(a.line, b.line)} />
      <p className="muted">Options of the models, and how beliefs are read, are not compared.</p>
      <WhereBelieved {...rest} />
      <WhereAnswered {...rest} pair={[a, b]} />
      <p>
        <Where {...rest} />
      </p>
    </section>
  );
}
