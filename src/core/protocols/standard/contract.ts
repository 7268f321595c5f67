// How we read the papers where they leave StandardLLM and the baselines open.
import { knowledgeEntry } from '../knowledge.ts';
import { tieEntry } from '../labelBelief.ts';
import type { PaperContractEntry } from '../protocol.ts';

const debateFeedback = 'Debate-Feedback';

/** How we read the papers: StandardLLM, and the baselines of table 3 of Debate-Feedback. */
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
    gap: 'does not say how they are drawn',
    decision: 'drawn once per arm from the training split by the experiment seed, at the base rate of the labels',
  },
  {
    subject: 'factors',
    paper: 'cot weighs each factor: low, medium or high, with a reason (appendix A)',
    gap: 'gives no length limit for such an answer; small models reach theirs',
    decision:
      'at most 6, by the names of the facts; the preset of the paper has `factors` 0: each fact of a table row. A factor that is named twice counts once, and the answer is flagged',
  },
  { subject: 'temperature', paper: '0.0 (section 3)', gap: null, decision: '0' },
  {
    subject: 'split',
    paper: '60/20/20 test/train/validation, 150 of the 847 test cases (section 3)',
    gap: null,
    decision: 'set by the experiment: dataset.split and dataset.sample',
  },
  {
    subject: 'narrative',
    paper: 'appendix A.1 describes a case as prose in whole sentences; section 3 turns each column into "feature is value"',
    gap: 'the two differ, and the prose needs words for every column',
    decision: '"feature is value", with the names of the columns, for every data set',
  },
  {
    subject: 'few-shot',
    paper: `${debateFeedback}, table 3: a baseline by that name (section 4.1)`,
    gap: 'gives neither the prompt nor the number of examples',
    decision: '`shots` labelled examples, drawn as for cot-nshot, and the answer at once',
  },
  {
    subject: 'cot-4-step',
    paper: `${debateFeedback}, table 3: "CoT (4-steps)" (section 4.1 cites chain of thought)`,
    gap: 'does not name the four steps',
    decision:
      'one call with four steps before the answer: what the question requires, the relevant facts, their weighing, the outcome',
  },
  {
    subject: 'reflexion',
    paper: `${debateFeedback}, table 3: a baseline by that name (section 4.1 cites Reflexion)`,
    gap: 'does not give the number of rounds or the input of the reflection; the cited work reflects on failures that are reported to it',
    decision:
      'three calls: answer, critique of the answer by the same model, final answer; the model does not learn whether it was right, and the first answer is on the record. Only this style shows utterances and own notes, because all others make one call',
  },
  {
    subject: 'several labels',
    paper: `${debateFeedback}, section 4.2: article prediction, a multi-label task`,
    gap: 'does not say how to ask for the labels, or what a belief then is',
    decision:
      'the set of labels that apply, which may be empty, and for each label separately how likely it applies; right means the exact set',
  },
  tieEntry,
  knowledgeEntry('the prompt speaks of statistical and judicial knowledge (appendix A)'),
];
