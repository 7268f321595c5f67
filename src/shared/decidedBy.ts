// What a data set's labels are to a reader: the truth, or what somebody decided.
import type { TrialLine } from './trialLine.ts';

type Labelled = Pick<TrialLine, 'decided_by'>;
type Judged = Pick<TrialLine, 'correct' | 'decided_by'>;

/** `truth`, or `decision of the bank`; `decision` of one without a name. */
export const labelNoun = ({ decided_by: by }: Labelled): string =>
  by === undefined ? 'truth' : `decision${by === '' ? '' : ` of ${by}`}`;

/** `correct` or `agrees with the bank`; empty where there is nothing to compare. @param words for a truth */
export function rightness({ correct, decided_by: by }: Judged, words: readonly [string, string] = ['correct', 'wrong']): string {
  if (correct === null) return '';
  if (by === undefined) return correct ? words[0] : words[1];
  return `${correct ? 'agrees with' : 'differs from'} ${by}`;
}

/** `The verdict is wrong.`, `The verdict differs from the bank.` */
export const rightnessText = (line: Judged): string =>
  `The verdict ${line.decided_by === undefined ? 'is ' : ''}${rightness(line)}.`;

/** A verdict that differs from somebody's decision is not bad by that. */
export const rightnessTone = ({ correct, decided_by: by }: Judged): 'good' | 'bad' | null =>
  correct === null || by !== undefined ? null : correct ? 'good' : 'bad';

/** What a report says of the label where it says what it cannot show. */
export const labelLimit = ({ decided_by: by }: Labelled): string =>
  by === undefined
    ? 'The truth is the label of the data set, with its errors.'
    : `The label of the data set is the decision of ${by}. Whether that decision is right is not known.`;

/** How to say that verdicts are right, or that they agree with what somebody decided. */
export const rightWords = ({ decided_by: by }: Labelled) =>
  by === undefined
    ? {
        ...{ accuracy: 'accuracy', is: 'is right', are: 'are right', was: 'was right', were: 'were right', be: 'be right' },
        ...{ right: 'right', wrong: 'not right', not: 'not correct', alone: 'right alone', oftener: 'right more often' },
      }
    : {
        ...{ accuracy: `agreement with ${by}`, is: `agrees with ${by}`, are: `agree with ${by}` },
        ...{ was: `agreed with ${by}`, were: `agreed with ${by}`, be: `agree with ${by}` },
        ...{
          right: 'agrees',
          wrong: 'does not agree',
          not: 'no agreement',
          alone: `alone agrees with ${by}`,
          oftener: `agrees with ${by} more often`,
        },
      };

const upper = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Words on the truth, for labels that somebody decided: `Agreement with the bank by model size`. @param text ours only */
export function retitled(text: string, of: Labelled): string {
  if (of.decided_by === undefined) return text;
  const words = rightWords(of);
  const instead: Readonly<Record<string, string>> = {
    ...{ 'being right': words.accuracy, 'how often it was right': words.accuracy, accuracy: words.accuracy },
    ...{ 'is right': words.is, 'are right': words.are, 'was right': words.was, 'were right': words.were, 'be right': words.be },
    ...{ 'how often wrong': `how often not in ${words.accuracy}`, 'not correct': words.not },
    ...{ 'true label': 'decided label', truth: 'decision', right: 'agreeing', wrong: 'differing' },
  };
  // In one pass, so that a name that was put in stays as it is. The first that fits is the longest.
  return text.replace(
    /being right|how often it was right|accuracy|\b(?:is|are|was|were|be) right\b|how often wrong|not correct|true label|\b(?:truth|right|wrong)\b/gi,
    (found) => {
      const put = instead[found.toLowerCase()] ?? found;
      return /^\p{Lu}/u.test(found) ? upper(put) : put;
    },
  );
}

/** After the meaning of a word that is of a truth. */
export const decidedLabels = (by: string): string =>
  `Here ${by} decided the labels: “true” and “right” mean as ${by} decided, which can be wrong.`;

/** Whether any trial has a label of the data set to be compared with. */
export const hasTruths = ({
  arms,
}: {
  readonly arms: readonly { readonly n: number; readonly without_truth: number }[];
}): boolean => arms.some(({ n, without_truth: without }) => n > without);

/** What an accuracy counts. @param by who decided what the labels are */
export const accuracyNote = (by: string | undefined): string =>
  by === undefined
    ? 'Right means: as the data set’s own label, which can be wrong; the record does not say who decided it.'
    : `Accuracy here counts agreement with the decisions of ${by}, which may be wrong themselves.`;
