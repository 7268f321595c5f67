import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'turns',
    paper: 'three turns by each side, six utterances (section 3)',
    gap: 'the same section leaves out prosecutor closings, which would make five',
    decision: 'three turns a side: opening, rebuttal, closing',
  },
  {
    subject: 'beliefUpdates',
    paper: 'the judge updates its belief after each of the six utterances; 7 calls in total (section 3)',
    gap: '7 calls leave none for the updates; with them there are 13',
    decision: '`live` (13 calls) is what the text describes and the default; `retrospective` has the count of the paper',
  },
  {
    subject: 'priorBelief',
    paper: 'the transcript of appendix B prints a prior of the judge beside the first speech',
    gap: 'section 3 does not mention a call before the first speech',
    decision: 'off by default; one more call when on; without it the first change is not shown',
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
    gap: 'cases with more labels do not occur',
    decision: 'two labels, or the two named in `contested`',
  },
  {
    subject: 'forfeit',
    paper: 'simulations did not always complete all six turns (section 4.1)',
    gap: 'what happens to a trial with a missing turn is not stated',
    decision: 'the turn is forfeited, the trial goes on and is marked incomplete; without a ruling it has a failure outcome',
  },
  {
    subject: 'order of fields',
    paper: 'the judge notes prediction, confidence, reasoning and critique of both sides (section 3)',
    gap: 'the order in which a model writes them is not stated',
    decision: 'reasons first in the updates; in the ruling opinion, verdict, confidence as section 3 has them',
  },
  {
    subject: 'confusion counts',
    paper: 'table 3: TP + FN = 71 of 100',
    gap: 'with 28% of the cases positive, NO must be the positive class of that table',
    decision: "counts name the positive label, which is the data set's",
  },
];
