// How we read the Courtroom-LLM paper where it leaves something open.
import { knowledgeEntry } from '../knowledge.ts';
import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'topK',
    paper: 'data sets of two to six labels (table 1)',
    gap: 'does not say what judges get to see with many',
    decision:
      'with more than 12 labels, precedents of the two in dispute alone, unless `precedents` says otherwise, and answers that rank the `topK` likeliest labels in place of a number for each',
  },
  {
    subject: 'hearing',
    paper: 'the clerk proposes the most likely label A1 and an alternative A2, zero-shot (section 3.1, appendix A.1)',
    gap: 'does not say what happens if it names one label twice',
    decision:
      'with two labels A2 is the other one; with more the clerk names both, and if A2 repeats A1, the next likely label of the distribution replaces it, which is recorded',
  },
  {
    subject: 'sides',
    paper: 'A1 and A2 go to prosecutor and attorney at random (section 3.2)',
    gap: 'in section 3 and in tables 7, 9 and 11 the prosecutor defends the classification of the hearing',
    decision: '`random` by the seed of the trial; `fixed` gives A1 to the prosecutor',
  },
  {
    subject: 'argumentWords',
    paper: 'the length of arguments is limited (section 3.5)',
    gap: 'no number; the arguments of tables 7, 9 and 11 have 20 to 50 words',
    decision:
      '150, which the prompt states to both sides; the schema allows 7 characters per word; a longer argument is cut after a sentence, and the record says so',
  },
  {
    subject: 'argumentOrder',
    paper: 'prosecutor, then attorney (tables 7, 9, 11)',
    gap: null,
    decision: '`prosecutor-first`, or `random` by the seed; the order is on the record',
  },
  {
    subject: 'shots',
    paper: '0, 1 and 2 in tables 3 to 5; one did best (section 4.2)',
    gap: 'appendix B has 1 to 3; it does not say whether one precedent is one case or one of each label',
    decision: '1 of each label (tables 7 and 9 show one of each)',
  },
  {
    subject: 'precedents',
    paper: 'table 9 shows precedents of all three labels',
    gap: 'table 11 shows only those of A1 and A2, of six labels',
    decision: '`all`; `contested` for A1 and A2 only; in the order of the labels, so that the order does not reveal A1',
  },
  {
    subject: 'retriever',
    paper: "cosine similarity of spaCy's small English vectors over the data set (sections 3.4, 4.1.3)",
    gap: 'does not say which split is searched',
    decision:
      'cosine over the training split, of the vectors of the embedding model that plays `retriever`, or of TF-IDF weights without one, which the record says; never the case on trial or one with the same text; `random` draws by the seed',
  },
  {
    subject: 'reasons',
    paper: 'each precedent has a reason why its label fits (tables 7, 9, 11)',
    gap: 'does not say who writes it, and when',
    decision: 'the model that plays the clerk, once for each training case',
  },
  {
    subject: 'judges',
    paper: '1, 3 and 5 (appendix B); the worked examples have 5',
    gap: null,
    decision: '3 by default, 5 in the preset of the paper',
  },
  {
    subject: 'deliberation',
    paper: 'parallel: majority vote; sequential: each judge considers those before it (section 3.3)',
    gap: 'does not say whose label is the verdict of sequential judges, or what breaks a tie',
    decision:
      "sequential: the last judge's label (as in tables 8, 10 and 12); the higher sum of confidences breaks a tie, then the label named first",
  },
  {
    subject: 'weights',
    paper: 'parallel judges vote, each vote counting the same (section 3.3)',
    gap: 'leaves the abilities of judges to later work (limitations)',
    decision:
      'equal by default; with `weights` parallel judges count as they deserve: see *Majority vote*, and `assize weights`, which learns them on the validation split',
  },
  {
    subject: 'judgesSee',
    paper: 'a sequential judge considers "the previous Judge-LLM", and the process is "cumulative" (section 3.3)',
    gap: 'the first can mean the one judge before it, the second all of them',
    decision: '`all`; `previous` shows only the opinion of the judge just before',
  },
  {
    subject: 'judgeOrder',
    paper: 'leaves order and ability of the judges to later work (limitations)',
    gap: 'one model plays all judges',
    decision:
      '`seats`: in the order of their seats; `shuffled`: by the seed of the trial; `strength`: by their `weights`, the strongest last, since the last one decides (equally strong ones as they are seated)',
  },
  {
    subject: 'labels of the judges',
    paper: 'judges choose among the candidate labels (table 11)',
    gap: 'section 3.1 calls the main trial a binary choice',
    decision: 'any label; the record flags one that nobody argued for',
  },
  {
    subject: 'ambiguity',
    paper: 'a case is ambiguous where the top label of the hearing varies over five attempts (section 4.2.3)',
    gap: 'does not say whether the hearing of the trial is one of the five',
    decision:
      'five fresh hearings in addition to that of the trial, once per case, clerk and prompt; off by default, 5 in the preset of the paper',
  },
  {
    subject: 'belief',
    paper: 'only labels',
    gap: 'no confidence',
    decision:
      "parallel: shares of the votes; sequential, or with one judge: the last judge's own belief; the mean of all judges' beliefs is recorded too. Reasons come before labels",
  },
  {
    subject: 'forfeit',
    paper: 'does not mention failed answers',
    gap: 'does not say what happens to such a trial',
    decision:
      'a failed argument, precedent, reason or judge is left out and the trial is marked incomplete; without a hearing or without any judge it fails',
  },
  { subject: 'temperature', paper: '0.5 for every role (section 4.1.3)', gap: null, decision: '0.5' },
  knowledgeEntry('nothing is forbidden; the arguments explain by what is usual in life (table 11)'),
];
