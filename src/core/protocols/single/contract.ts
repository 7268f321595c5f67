import type { PaperContractEntry } from '../protocol.ts';

/** What `single` and `vote` have in common. */
export const baselineContract: readonly PaperContractEntry[] = [
  {
    subject: 'shots',
    paper: '0, 1 and 2 examples in tables 3 to 5 (appendix B)',
    gap: 'appendix B speaks of 1 to 3 examples, its tables have 0 to 2; whether an example is one case or one of each label is not said',
    decision: '0, 1 or 2 of each label, as the precedents of `courtroom` are (table 9 shows one of each label)',
  },
  {
    subject: 'examples',
    paper: 'the retriever finds similar cases for the judges (section 3.4)',
    gap: 'where the examples of the baselines come from, and whether a reason stands beside them, is not said',
    decision:
      'the same nearest training cases as in `courtroom`, with their labels and without reasons, which the paper shows to judges alone',
  },
  {
    subject: 'temperature',
    paper: '0.5 for every role (section 4.1.3)',
    gap: 'of the baselines nothing is said',
    decision: '0.5',
  },
  {
    subject: 'answer',
    paper: 'a label',
    gap: 'no confidence is asked for',
    decision: 'reason, label and certainty, as the judges of `courtroom` answer, so that the structure alone differs',
  },
];

export const contract: readonly PaperContractEntry[] = [
  ...baselineContract,
  {
    subject: 'baseline of the gain',
    paper: 'gains are relative to the single model with one example (figure 6)',
    gap: null,
    decision: '`preset: paper` has `shots` 1; the default is 0, which needs no training cases',
  },
];
