import { Button as AriaButton } from 'react-aria-components';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { type Comparison, firstDifference, isHeardAlone, rulingsIn, titleOf } from './comparing.ts';
import { inCommon } from './inCommon.ts';

/** Where the words of two trials first differ, or why that cannot be said. */
function Where({
  comparison: { by, rows },
  isOver,
  onGo,
}: {
  comparison: Comparison;
  isOver: readonly [boolean, boolean];
  onGo: (row: number) => void;
}) {
  const at = by === 'name' ? firstDifference(rows, isOver) : rulingsIn(rows);
  const row = rows[at];
  const way = (title: string) => (
    <AriaButton className="as-link" onPress={() => onGo(at)}>
      <HiddenText text={title} />
    </AriaButton>
  );
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
      ? 'The two protocols hear other speakers in other phases'
      : 'Few of the speeches have a counterpart in the other trial';
  return (
    <>
      {why}, so each trial is below in its own order
      {row === undefined ? '.' : <>; only {way('the rulings')} are side by side.</>}
    </>
  );
}

/** What two trials have in common, in what they differ, and where their words first do. */
export function InShort({ pair: [a, b], ...rest }: { pair: Parameters<typeof inCommon> } & Parameters<typeof Where>[0]) {
  const { same, different } = inCommon(a, b);
  return (
    <section className="stack gap-4 max-w-80ch wrap-anywhere" aria-label="In short">
      {[same, different].map((sentence) =>
        sentence === null ? null : (
          <p key={sentence} dir="auto">
            <HiddenText text={sentence} />
          </p>
        ),
      )}
      <p className="muted">Options of the models, and how beliefs are read, are not compared.</p>
      <p>
        <Where {...rest} />
      </p>
    </section>
  );
}
