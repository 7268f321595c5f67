import type { PaperContractEntry } from '../protocol.ts';

const debateFeedback = 'Debate-Feedback';

/** Where the papers had to be read: StandardLLM, and the baselines of table 3 of Debate-Feedback. */
export const standardContract: readonly PaperContractEntry[] = [
  {
    subject: 'question',
    paper:
      'system1 asks whether the factors indicate high risk, cot and cot-nshot ask about re-arrest within 3 years (appendix A)',
    gap: 'three styles, two questions',
    decision: "all three ask the data set's question",
  },
  {
    subject: 'shots',
    paper: 'n = 30 labelled examples (section 3)',
    gap: 'how they are drawn is not stated',
    decision: 'drawn once per arm from the training split by the experiment seed, at the base rate of the labels',
  },
  {
    subject: 'factors',
    paper: 'cot weighs each factor: low, medium or high, with a reason (appendix A)',
    gap: 'how long such an answer may get is not stated; small models run into their limit',
    decision:
      'at most 6, by the names of the facts; `preset: paper` has `factors` 0: each fact of a table row. A factor that is named twice counts once, and the answer is flagged',
  },
  { subject: 'temperature', paper: '0.0 (section 3)', gap: null, decision: '0' },
  {
    subject: 'split',
    paper: '60/20/20 test/train/validation, 150 of the 847 test cases (section 3)',
    gap: null,
    decision: 'set by the experiment: dataset.split and dataset.sample',
  },
  {
    subject: 'few-shot',
    paper: `${debateFeedback}, table 3: a baseline by that name (section 4.1)`,
    gap: 'neither the prompt nor the number of examples is stated',
    decision: '`shots` labelled examples, drawn as for cot-nshot, and the answer at once',
  },
  {
    subject: 'cot-4-step',
    paper: `${debateFeedback}, table 3: "CoT (4-steps)" (section 4.1 cites chain of thought)`,
    gap: 'what the four steps are is not stated',
    decision:
      'one call with four steps before the answer: what the question demands, the facts that bear on it, their weighing, the outcome',
  },
  {
    subject: 'reflexion',
    paper: `${debateFeedback}, table 3: a baseline by that name (section 4.1 cites Reflexion)`,
    gap: 'the number of rounds and what the reflection is told are not stated; the cited work reflects on failures that are reported to it',
    decision:
      'three calls: answer, critique of the answer by the same model, final answer; nothing tells the model whether it was right, and the first answer is on the record. Utterances and own notes are seen in this style alone: all others have one call',
  },
  {
    subject: 'several labels',
    paper: `${debateFeedback}, section 4.2: article prediction, a multi-label task`,
    gap: 'how labels are asked for, and what a belief is then, is not stated',
    decision:
      'the set of labels that apply, which may be empty, and for each label by itself how likely it is to apply; right is the exact set',
  },
];
