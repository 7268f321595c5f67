import { percent } from '../../../core/figures/shares.ts';
import { sureFrom } from '../../../core/trajectory/queues.ts';
import { countsOfCases, isCaseQueue, type QueueCounts, type TrialQueue } from '../../../shared/api/experiments.ts';
import { quantity } from '../../ui/quantity.ts';

interface QueueText {
  readonly title: string;
  readonly rule: string;
}

const queueTexts: Readonly<Record<TrialQueue, QueueText>> = {
  'wrong-and-sure': {
    title: 'Wrong and sure',
    rule: `The verdict is wrong, with a stated confidence of at least ${percent(sureFrom)}.`,
  },
  'against-own-percentage': {
    title: 'Against its own percentage',
    rule: 'The verdict is not the label that has the highest percentage in the same answer.',
  },
  corrected: { title: 'Corrected by deliberation', rule: 'The first answer was wrong, the verdict is right.' },
  'made-wrong': { title: 'Made wrong by deliberation', rule: 'The first answer was right, the verdict is wrong.' },
  'changed-late': {
    title: 'Changed late',
    rule: 'Of at least three answers of the role that gave the verdict, the last change came in the last third.',
  },
  'judges-disagree': { title: 'Judges disagree', rule: 'The judges or voters did not all give the same answer.' },
  'repeats-differ': {
    title: 'Repeats differ',
    rule: 'Another trial of the case by the same arm ended in another way: with another verdict, or without one.',
  },
  failed: { title: 'No verdict', rule: 'The trial ended undecided, or failed.' },
  'label-in-doubt': {
    title: 'Wrong each time, label in doubt',
    rule: 'At least three verdicts on the case agree on the same other answer, and none on the label in the data.',
  },
  'people-disagree': {
    title: 'People disagree with the court',
    rule: 'A reviewer gave another answer than the verdict. Each trial shows the answers and their reasons.',
  },
  'outside-facts': {
    title: 'From outside the facts, as a speaker says',
    rule: 'A speaker says that its speech takes something from outside the facts. No one has checked whether the other speeches do. Single answers, which are no speeches, are not counted.',
  },
  'not-in-facts': {
    title: 'Not found in the facts, as Assize checks',
    rule: 'In a trial with speeches, one of them or the ruling has a number or a quote that Assize does not find among the facts. Some marks are wrong: the top of each trial says how often.',
  },
};

const decisionTexts = (by: string): Partial<Record<TrialQueue, QueueText>> => ({
  'wrong-and-sure': {
    title: `Differs from ${by}, and sure`,
    rule: `The verdict differs from the decision of ${by}, with a stated confidence of at least ${percent(sureFrom)}.`,
  },
  corrected: {
    title: `Brought to agree with ${by}`,
    rule: `The first answer differed from the decision of ${by}, the verdict agrees with it.`,
  },
  'made-wrong': {
    title: `Brought to differ from ${by}`,
    rule: `The first answer agreed with the decision of ${by}, the verdict differs from it.`,
  },
  'label-in-doubt': {
    title: `Other answer than ${by} in every try of every method`,
    rule: `Trials of cases on which at least three verdicts agree on the same other answer, and none on the decision of ${by}. This does not show that ${by} was wrong.`,
  },
});

/** What a queue is called and holds. @param by who decided what the data set's labels are; absent: they are the truth */
export const queueText = (queue: TrialQueue, by?: string): QueueText =>
  (by === undefined ? undefined : decisionTexts(by)[queue]) ?? queueTexts[queue];

/** How many trials are in a queue; where the rule is about cases, of how many cases they are. */
export const countedText = (queue: TrialQueue, counts: QueueCounts): string =>
  isCaseQueue(queue)
    ? `${quantity(counts[queue], 'trial')} of ${quantity(counts[countsOfCases[queue]], 'case')}`
    : counts[queue].toLocaleString('en');

/** Where verdicts are that cannot be sure, since they count with the lower percentage. */
export const elsewhereText = (against: number): string =>
  against === 0
    ? ''
    : ` ${against.toLocaleString('en')} ${against === 1 ? 'verdict goes' : 'verdicts go'} against ${against === 1 ? 'its' : 'their'} own percentage and so ${against === 1 ? 'counts' : 'count'} as unsure: see “${queueTexts['against-own-percentage'].title}”.`;
