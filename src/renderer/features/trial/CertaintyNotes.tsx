// Which label a percentage of a trial is about, and how to read it.
import type { Timeline } from '../../../core/figures/timeline.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { WordNote } from '../../ui/WordNote.tsx';

export const tie = 'With two labels, 50% is a tie: both are equally likely, and only the ruling itself decides.';

/** ` in TENANT`: the label of two whose belief is drawn; nothing where each number has its own label. */
export const InLabel = ({ of: { ends } }: { of: Timeline }) =>
  ends === null ? null : (
    <>
      {' in '}
      <Isolated text={ends.right} />
    </>
  );

/** What the numbers next to the speeches are, against the one of the ruling. */
export function BeliefNote({ timeline: { ends, role } }: { timeline: Timeline }) {
  const whose = /\d$/.test(role ?? '') ? ' Of several, it is the one that stated most beliefs; of equals the last.' : '';
  const largest = `“moved most” marks the largest change of the trial.${whose}`;
  return (
    <WordNote
      term="belief"
      more={
        ends === null ? (
          `Each number is about the label next to it. ${largest}`
        ) : (
          <>
            The number next to a speech is always the belief in <Isolated text={ends.right} />; the rest up to 100% is the belief
            in <Isolated text={ends.left} />. The number of a ruling is about the label that it names. {tie} {largest}
          </>
        )
      }
    />
  );
}

/** What the percentage of a ruling is about. */
export function ConfidenceNote({ line }: { line: TrialLine }) {
  const { prediction, truth, decided_by: by } = line;
  if (typeof prediction !== 'string') return <WordNote term="confidence" />;
  const [words, label] =
    by === undefined
      ? ['“Correct” and “wrong”', 'label that the data set has for this case']
      : ['“Agrees” and “differs”', labelNoun(line)];
  return (
    <WordNote
      term="confidence"
      more={
        <>
          Here it is about <Isolated text={prediction} />, the label of the ruling. {tie}
          {truth === null ? '' : ` ${words} compare the ruling with the ${label}.`}
        </>
      }
    />
  );
}
