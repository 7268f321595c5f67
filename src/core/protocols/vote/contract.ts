import type { PaperContractEntry } from '../protocol.ts';
import { baselineContract } from '../single/contract.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'voters',
    paper: 'N independent models and a majority vote (appendix B); lists of five answers (tables 8, 10, 12)',
    gap: 'N is not stated for tables 3 to 5',
    decision: '5, as in the worked examples',
  },
  {
    subject: 'tie',
    paper: 'majority vote',
    gap: 'what holds on a tie is not stated',
    decision: 'the higher sum of stated confidences, then the label that was named first',
  },
  ...baselineContract,
];
