// How we read the papers where they leave the plain vote open.
import type { PaperContractEntry } from '../protocol.ts';
import { baselineContract } from '../single/contract.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'voters',
    paper: 'N independent models and a majority vote (appendix B); lists of five answers (tables 8, 10, 12)',
    gap: 'does not give N for tables 3 to 5',
    decision: '5, as in the worked examples',
  },
  {
    subject: 'tie',
    paper: 'majority vote',
    gap: 'does not say what breaks a tie',
    decision: 'the higher sum of stated confidences, then the label named first',
  },
  {
    subject: 'weights',
    paper: 'majority vote (appendix B)',
    gap: 'leaves judges of different ability to later work (limitations)',
    decision:
      'equal by default; with `weights` the label with the largest sum of weights is the verdict, and belief and confidence are shares of the weights. `assize weights` learns them on the validation split: the log-odds of being right, corrected for the number of labels, at least 0',
  },
  ...baselineContract,
];
