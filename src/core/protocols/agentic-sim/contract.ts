// How we read the AgenticSimLaw paper where it leaves something open.
import { knowledgeEntry } from '../knowledge.ts';
import { tieEntry } from '../labelBelief.ts';
import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'turns',
    paper: 'three turns by each side, six utterances (section 3)',
    gap: 'the same section leaves out prosecutor closings, which would make five',
    decision: 'three turns per side: opening, rebuttal, closing',
  },
  {
    subject: 'beliefUpdates',
    paper: 'the judge updates its belief after each of the six utterances; 7 calls in total (section 3)',
    gap: '7 calls leave none for the updates; with them there are 13',
    decision: '`live` (13 calls) follows the text and is the default; `retrospective` has the number of calls in the paper',
  },
  {
    subject: 'priorBelief',
    paper: 'the transcript of appendix B prints a prior of the judge with the first speech',
    gap: 'section 3 does not mention a call before the first speech',
    decision: 'off by default; it costs one more call; without it the first change is not shown',
  },
  { subject: 'temperature', paper: '0.7 for the simulations (section 3)', gap: null, decision: '0.7' },
  {
    subject: 'sides',
    paper: 'the prosecution argues for re-arrest (figure 1, appendix B)',
    gap: null,
    decision: 'the prosecution argues for the positive label of the data set, the defense for the other',
  },
  {
    subject: 'labels',
    paper: 'YES and NO',
    gap: 'no cases with more labels',
    decision: 'two labels, or the two named in `contested`',
  },
  {
    subject: 'forfeit',
    paper: 'simulations did not always complete all six turns (section 4.1)',
    gap: 'does not say what happens to a trial with a missing turn',
    decision: 'the turn is forfeited; the trial continues and is marked incomplete; without a ruling it fails',
  },
  {
    subject: 'order of fields',
    paper: 'the judge notes prediction, confidence, reasoning and critique of both sides (section 3)',
    gap: 'does not say in which order a model writes them',
    decision: 'reasons first in the updates; in the ruling opinion, verdict, confidence, as in section 3',
  },
  {
    subject: 'confusion counts',
    paper: 'table 3: TP + FN = 71 of 100; gpt-4o-mini, system1: TP 29, TN 10, FP 19, FN 42, accuracy 0.48, precision 0.60',
    gap: 'with 28% of the cases positive, NO must be the positive class of that table. Its accuracy is (TP + FP) / 100, so that TN and FP changed places; its precision is TP / (TP + FP) as printed, and would be 0.74 after the exchange: both columns cannot hold',
    decision: "counts refer to the data set's positive label",
  },
  {
    subject: 'flips',
    paper: 'confidence and answer of the judge after each speech (figure 1, appendix B.2)',
    gap: 'does not say whether a flip is a change of the stated answer or of the likelier label: from "No, 40%" to "Yes, 65%" the likelier label was YES all along',
    decision: 'both are counted, each by its name: `answer_flips` and `flips`',
  },
  tieEntry,
  knowledgeEntry('the advocates cite research on recidivism (appendix B)'),
];
