import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'hearing',
    paper: 'the clerk proposes the most likely label A1 and an alternative A2, zero-shot (section 3.1, appendix A.1)',
    gap: 'what holds where it names one label twice is not stated',
    decision:
      'with two labels A2 is the other one; with more both are asked for, and where A2 repeats A1 the next likely label of the distribution takes its place, which is recorded',
  },
  {
    subject: 'sides',
    paper: 'A1 and A2 go to prosecutor and attorney at random (section 3.2)',
    gap: 'section 3 says that the prosecutor defends the classification of the hearing, and tables 7, 9 and 11 have it so',
    decision: '`random` by the seed of the trial; `fixed` gives A1 to the prosecutor',
  },
  {
    subject: 'argumentWords',
    paper: 'the length of arguments is limited (section 3.5)',
    gap: 'no number; the arguments of tables 7, 9 and 11 have 20 to 50 words',
    decision:
      '150, told to both sides; the schema allows 7 characters for each word; an argument with more words is cut after a sentence, and the record says so',
  },
  {
    subject: 'argumentOrder',
    paper: 'prosecutor, then attorney (tables 7, 9, 11)',
    gap: null,
    decision: '`prosecutor-first`; `random` by the seed is offered, and the order is on the record',
  },
  {
    subject: 'shots',
    paper: '0, 1 and 2 in tables 3 to 5; one did best (section 4.2)',
    gap: 'appendix B speaks of 1 to 3; whether one precedent is one case or one of each label is not said',
    decision: '1 of each label (tables 7 and 9 show one of each)',
  },
  {
    subject: 'precedents',
    paper: 'table 9 shows precedents of all three labels',
    gap: 'table 11 shows those of A1 and A2 alone, of six labels',
    decision: '`all`; `contested` for A1 and A2 alone; in the order of the labels, so that nothing tells which is A1',
  },
  {
    subject: 'retriever',
    paper: "cosine similarity of spaCy's small English vectors over the data set (sections 3.4, 4.1.3)",
    gap: 'which split is searched is not stated',
    decision:
      'cosine over the training split, of the vectors of the embedding model that plays `retriever`; without one of TF-IDF weights, which the record says; never the case on trial or one with the same text; `random` draws by the seed',
  },
  {
    subject: 'reasons',
    paper: 'each precedent has a reason why its label fits (tables 7, 9, 11)',
    gap: 'who writes it, and when, is not stated',
    decision: 'the model that plays the clerk, once for each training case',
  },
  {
    subject: 'judges',
    paper: '1, 3 and 5 (appendix B); the worked examples have 5',
    gap: null,
    decision: '3 by default, 5 in `preset: paper`',
  },
  {
    subject: 'deliberation',
    paper: 'parallel: majority vote; sequential: each judge considers those before it (section 3.3)',
    gap: 'whose label is the verdict of sequential judges is not stated, nor what holds on a tie',
    decision:
      "sequential: the last judge's label (tables 8, 10 and 12 show it); a tie goes to the higher sum of confidences, then to the label that was named first",
  },
  {
    subject: 'labels of the judges',
    paper: 'judges choose among the candidate labels (table 11)',
    gap: 'section 3.1 calls the main trial a binary choice',
    decision: 'any label; one that nobody argued for is flagged in the record',
  },
  {
    subject: 'ambiguity',
    paper: 'a case is ambiguous where the top label of the hearing varies over five attempts (section 4.2.3)',
    gap: 'whether the hearing of the trial is one of the five is not stated',
    decision:
      'five fresh hearings beside that of the trial, once for a case, clerk and prompt; off by default, 5 in `preset: paper`',
  },
  {
    subject: 'belief',
    paper: 'labels alone',
    gap: 'no confidence is asked for',
    decision:
      "parallel: shares of the votes; sequential, and with one judge: the last judge's own; the mean of all judges' beliefs is recorded beside. Reasons are written before labels",
  },
  {
    subject: 'forfeit',
    paper: 'nothing is said of answers that fail',
    gap: 'what becomes of such a trial',
    decision:
      'an argument, a precedent, a reason or a judge that fails is left out and the trial is marked incomplete; without a hearing or without any judge it has a failure outcome',
  },
  { subject: 'temperature', paper: '0.5 for every role (section 4.1.3)', gap: null, decision: '0.5' },
];
