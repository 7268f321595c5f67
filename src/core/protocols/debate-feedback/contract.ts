import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'rounds',
    paper: '2 to 3 rounds are favourable (appendix A.1, figure 3)',
    gap: 'the number behind tables 2 and 3 is not stated',
    decision: '2',
  },
  {
    subject: 'debaters',
    paper: '2 to 4 are favourable (appendix A.1, figure 2); algorithm 1 has two that oppose each other, table 4 three',
    gap: 'the number behind tables 2 and 3 is not stated; the prompts of table 4 assign no position to anybody',
    decision: '2; the first two take opposing positions, more are free and say which label they hold to be right',
  },
  {
    subject: 'positions',
    paper: 'one debater for each of two labels (algorithm 1)',
    gap: 'who defends what with more than two labels, or with several labels a case',
    decision:
      "debater 1 defends the judge's first answer, debater 2 the next likely label of it (with two labels the other one); with several labels a case debater 2 defends the same set with its most doubtful label, the one nearest to one half, turned over",
  },
  {
    subject: 'opinions and answers',
    paper: 'each debater gives an opinion from x alone, then answers with the opinions of the others before it (algorithm 1)',
    gap: 'table 4 goes on in the conversation, with the own opinion in it; algorithm 1 leaves that out',
    decision:
      'as table 4: an answer knows the own opinion too. A debater with a position defends it against the others; a free one says where it agrees and where it does not',
  },
  {
    subject: 'words',
    paper: 'no more than 200 words (table 4)',
    gap: 'what becomes of longer ones; how long a summary is',
    decision: '200 for opinions, answers and summaries, cut behind the last sentence that fits, and the record says so',
  },
  {
    subject: 'assistant',
    paper: 'a trained model rates the arguments (section 3); without one the system is called "single"',
    gap: 'kind and features of the model are not stated',
    decision:
      '`none`; `model` asks a language model; `trained` is a logistic regression on the embedding of background and statement, trained on stored debates of training cases without an assistant',
  },
  {
    subject: 'training target',
    paper: "ground truth XOR debater's position (table 1)",
    gap: 'with the usual coding of both as 0 and 1 this is 1 where the debater is wrong',
    decision:
      '1 where the position is the true label (or exactly the true set), so that the value is a reliability; both opinions and answers are statements',
  },
  {
    subject: 'what is rated',
    paper: "the answers e_k (algorithm 1); a summary of each debater's statement (table 4)",
    gap: 'the two differ',
    decision: 'the answers e_k',
  },
  {
    subject: 'summary',
    paper: 'sum = LM(a, e, v); the judge reads it with the reliabilities in its own conversation (algorithm 1, table 4)',
    gap: 'who writes it in table 4 is not stated',
    decision:
      "the judge's model in a call of its own; the reliabilities are before it and stand below the summary. Nobody else reads it",
  },
  {
    subject: 'threshold',
    paper: 'adjusts its prediction if the reliability exceeds a threshold (section 3)',
    gap: 'neither the threshold nor how several reliabilities are taken together is stated; 0.75, 0.8 and 0.45 of table 4 pass',
    decision: '0.5 for the mean, which passes from the threshold on; answers without a rating are left out of the mean',
  },
  {
    subject: 'onUnreliable',
    paper: 'defaults to the initial prediction (section 3), O_i = LM(x) (algorithm 1)',
    gap: 'whether LM(x) is asked again is not stated',
    decision: '`initial`: O_0, not asked again; `keep` stays with the opinion before',
  },
  {
    subject: 'rounds that do not pass',
    paper: 'LM(x, sum) is part of the branch that passes (algorithm 1)',
    gap: 'table 4 asks the judge with the reliabilities before it, whatever they are',
    decision:
      'the judge is asked in every round, so that the record tells what an unreliable debate would have done; the answer counts only where the round passes',
  },
  {
    subject: 'smoothing',
    paper: 'O_i = (1 - T) O_(i-1) + T LM(x) with T = 0.5 (equation 1, table 2)',
    gap: 'equation 1 writes LM(x) for the prediction of the round; the input line of algorithm 1 takes T for an integer',
    decision:
      "T = 0.5 over the judge's distribution, label by label; with T = 1, the ablation of table 5, the judge's answer as it stands",
  },
  {
    subject: 'ties',
    paper: 'nothing',
    gap: 'T = 0.5 makes exact ties likely',
    decision: 'the label before stays; with several labels a case a label at exactly one half stays in or out as it was',
  },
  {
    subject: 'belief',
    paper: 'a probability of the positive label; the prompts ask for a label and nothing else (table 4)',
    gap: 'where the probability comes from is not stated',
    decision:
      'a confidence with two labels, a distribution with more, a probability for each label with several labels a case; O_i is stated apart from it, with the source `smoothed`. Where a belief cannot be had the label of the judge holds without one',
  },
  {
    subject: 'memory',
    paper: 'each round begins with x alone (algorithm 1)',
    gap: 'table 4 shows one round',
    decision:
      '`none`; with `transcript` debaters read all earlier opinions and answers, and the conversation of the judge goes on over the rounds',
  },
  {
    subject: 'forfeit',
    paper: 'nothing is said of answers that fail',
    gap: 'what becomes of such a trial',
    decision:
      'a debater, a rating, a summary or a later answer of the judge that fails is left out and the trial is marked incomplete: without a summary or an answer the opinion before stays; where no answer is rated the round does not pass. Without a first opinion the trial has a failure outcome',
  },
  {
    subject: 'corrections',
    paper: 'initial prediction wrong and corrected by the framework, or right and degraded (table 5)',
    gap: null,
    decision: 'O_0 against y = O_n, over trials with a known truth',
  },
  { subject: 'temperature', paper: 'nothing', gap: 'not stated', decision: '0.7 for every role' },
];
