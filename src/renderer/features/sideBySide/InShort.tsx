import { Button as AriaButton } from 'react-aria-components';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { type Comparison, firstDifference, firstOtherBelief, hasBeliefs, isHeardAlone, rulingsIn, titleOf } from './comparing.ts';
import { inCommon, oneTruthText } from './inCommon.ts';

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

function WhereBelieved({ comparison: { by, rows }, isOver, onGo }: Compared) {
  if (by !== 'name' || !hasBeliefs(rows)) return null;
  const at = firstOtherBelief(rows);
  const item = rows[at]?.a ?? null;
  if (item === null) return <p>{isOver.every(Boolean) ? 'All beliefs are the same.' : 'No beliefs differ so far.'}</p>;
  return (
    <p>
      Their beliefs first differ {item.kind === 'turn' && item.form !== 'ruling' && item.form !== 'silent' ? 'after' : 'in'}{' '}
      <Way title={titleOf(item)} onPress={() => onGo(at)} />.
    </p>
  );
}

/** Where the words of two trials first differ, or why that cannot be said. */
function Where({ comparison: { by, rows }, isOver, onGo }: Compared) {
  const at = by === 'name' ? firstDifference(rows, isOver) : rulingsIn(rows);
  const row = rows[at];
  const way = (title: string) => <Way title={title} onPress={() => onGo(at)} />;
  if (by === 'name') {
    if (row === undefined) return isOver.every(Boolean) ? 'All words are the same.' : 'No words differ so far.';
    return (
      <>
        {isHeardAlone(row) ? 'They first differ in what the court heard: ' : 'Their words first differ in '}
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

/** What two trials have in common, in what they differ, and where their beliefs and words first do. */
export function InShort({ pair: [a, b], ...rest }: { pair: Parameters<typeof inCommon> } & Compared) {
  const { same, different } = inCommon(a, b);
  return (
    <section className="stack gap-4 max-w-80ch wrap-anywhere" aria-label="In short">
      <Paragraph dir="auto" text={same} />
      <Paragraph dir="auto" text={different} />
      <Paragraph dir="auto" text={oneTruthText(a.line, b.line)} />
      <p className="muted">Options of the models, and how beliefs are read, are not compared.</p>
      <WhereBelieved {...rest} />
      <p>
        <Where {...rest} />
      </p>
    </section>
  );
}
