import { knowledgeEntry } from '../knowledge.ts';
import { tieEntry } from '../labelBelief.ts';
import type { PaperContractEntry } from '../protocol.ts';

/** What `single` and `vote` have in common. */
export const baselineContract: readonly PaperContractEntry[] = [
  {
    subject: 'shots',
    paper: '0, 1 and 2 examples in tables 3 to 5 (appendix B)',
    gap: 'appendix B has 1 to 3 examples, its tables have 0 to 2; it does not say whether an example is one case or one of each label',
    decision: '0, 1 or 2 of each label, like the precedents of `courtroom` (table 9 shows one of each label)',
  },
  {
    subject: 'examples',
    paper: 'the retriever finds similar cases for the judges (section 3.4)',
    gap: 'does not say where the examples of the baselines come from, or whether they include a reason',
    decision:
      'the same nearest training cases as in `courtroom`, with their labels and without reasons, which the paper shows only to judges',
  },
  {
    subject: 'temperature',
    paper: '0.5 for every role (section 4.1.3)',
    gap: 'does not mention the baselines',
    decision: '0.5',
  },
  {
    subject: 'answer',
    paper: 'a label',
    gap: 'no confidence',
    decision: 'reason, label and certainty, as the judges of `courtroom` answer, so that only the structure differs',
  },
  knowledgeEntry('nothing is forbidden (appendix B)'),
];

export const contract: readonly PaperContractEntry[] = [
  ...baselineContract,
  tieEntry,
  {
    subject: 'baseline of the gain',
    paper: 'gains are relative to the single model with one example (figure 6)',
    gap: null,
    decision: 'the preset of the paper has `shots` 1; the default is 0, which needs no training cases',
  },
];
