// How we read the Debate-Feedback paper where it leaves something open.
import { knowledgeEntry } from '../knowledge.ts';
import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'rounds',
    paper: '2 to 3 rounds are favourable (appendix A.1, figure 3)',
    gap: 'does not give the number behind tables 2 and 3',
    decision: '2',
  },
  {
    subject: 'debaters',
    paper: '2 to 4 are favourable (appendix A.1, figure 2); algorithm 1 has two that oppose each other, table 4 three',
    gap: 'does not give the number behind tables 2 and 3; the prompts of table 4 assign no position',
    decision: '2; the first two take opposing positions, further ones are free and say which label they think is right',
  },
  {
    subject: 'positions',
    paper: 'one debater for each of two labels (algorithm 1)',
    gap: 'does not say who defends what with more than two labels, or with several labels per case',
    decision:
      "debater 1 defends the judge's first answer, debater 2 its next likely label (with two labels the other one); with several labels per case debater 2 defends the same set with its most doubtful label, the one nearest to one half, reversed",
  },
  {
    subject: 'opinions and answers',
    paper: 'each debater gives an opinion from x alone, then answers with the opinions of the others before it (algorithm 1)',
    gap: 'table 4 continues the conversation, which contains the own opinion; algorithm 1 leaves it out',
    decision:
      'as in table 4: an answer also knows the own opinion. A debater with a position defends it against the others; a free one says where it agrees and where it does not',
  },
  {
    subject: 'concessions',
    paper: 'a debater may support the views of others or argue against them (table 4)',
    gap: 'algorithm 1 gives each a position; it does not say whose position a statement has that gives it up',
    decision:
      'who has a position argues for it to the end, and says with its answer whether the others have convinced it. The assistant does not learn from the statements with which a debater gave its position up',
  },
  {
    subject: 'words',
    paper: 'no more than 200 words (table 4)',
    gap: 'does not say what happens to longer ones, or how long a summary is',
    decision: '200 for opinions, answers and summaries, cut after the last sentence that fits, and the record says so',
  },
  {
    subject: 'assistant',
    paper: 'a trained model rates the arguments (section 3); without one the system is called "single"',
    gap: 'does not give the kind and features of the model',
    decision:
      '`none`; `model` asks a language model; `trained` is a logistic regression on the embedding of background and statement, trained on stored debates of training cases without an assistant',
  },
  {
    subject: 'training target',
    paper: "ground truth XOR debater's position (table 1)",
    gap: 'with the usual coding of both as 0 and 1 this is 1 if the debater is wrong',
    decision:
      '1 if the position is the true label (or exactly the true set), so that the value is a reliability; both opinions and answers are statements',
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
    gap: 'table 4 does not say who writes it',
    decision:
      "the judge's model in a separate call, which sees the reliabilities; they are printed below the summary. Nobody else reads it",
  },
  {
    subject: 'threshold',
    paper: 'adjusts its prediction if the reliability exceeds a threshold (section 3)',
    gap: 'gives neither the threshold nor a way to combine several reliabilities; 0.75, 0.8 and 0.45 of table 4 pass',
    decision:
      '0.5, at which or above which a rating passes. `max`: the best rating decides; the mean of two opposed positions is at most one half of a calibrated assistant, so that hardly any round could pass; `mean`: the mean of those that are rated; `each`: answers below it are not heard, and the round passes if one is left. With `learntThreshold` a trained assistant uses the value that best separates right statements from wrong ones (balanced accuracy) on those that it was not trained on',
  },
  {
    subject: 'onUnreliable',
    paper: 'defaults to the initial prediction (section 3), O_i = LM(x) (algorithm 1)',
    gap: 'does not say whether LM(x) is asked again',
    decision: '`initial`: O_0, not asked again; `keep` keeps the previous opinion',
  },
  {
    subject: 'rounds that do not pass',
    paper: 'LM(x, sum) is part of the branch that passes (algorithm 1)',
    gap: 'table 4 asks the judge with any reliabilities before it',
    decision:
      'the judge answers in every round, so that the record shows what an unreliable debate would have done; the answer counts only if the round passes',
  },
  {
    subject: 'smoothing',
    paper: 'O_i = (1 - T) O_(i-1) + T LM(x) with T = 0.5 (equation 1, table 2)',
    gap: 'equation 1 writes LM(x) for the prediction of the round; the input line of algorithm 1 takes T for an integer',
    decision:
      "T = 0.5 over the judge's distribution, label by label; with T = 1, the ablation of table 5, the judge's answer unchanged",
  },
  {
    subject: 'ties',
    paper: 'nothing',
    gap: 'T = 0.5 makes exact ties likely',
    decision: 'the previous label stays; with several labels per case a label at exactly one half stays in or out as before',
  },
  {
    subject: 'belief',
    paper: 'a probability of the positive label; the prompts ask only for a label (table 4)',
    gap: 'does not say where the probability comes from',
    decision:
      'a confidence with two labels, a distribution with more, a probability for each label with several labels per case; O_i is recorded separately, with the source `smoothed`. Without a belief, the label of the judge counts alone',
  },
  {
    subject: 'memory',
    paper: 'each round begins with x alone (algorithm 1)',
    gap: 'table 4 shows one round',
    decision:
      '`none`; with `transcript` debaters read all earlier opinions and answers, and the conversation of the judge continues over the rounds',
  },
  {
    subject: 'forfeit',
    paper: 'does not mention failed answers',
    gap: 'does not say what happens to such a trial',
    decision:
      'a failed debater, rating, summary or later answer of the judge is left out and the trial is marked incomplete: without a summary or an answer the previous opinion stays; if no answer is rated, the round does not pass. Without a first opinion the trial fails',
  },
  {
    subject: 'corrections',
    paper: 'initial prediction wrong and corrected by the framework, or right and degraded (table 5)',
    gap: null,
    decision: 'O_0 against y = O_n, over trials with a known truth',
  },
  { subject: 'temperature', paper: 'nothing', gap: 'not given', decision: '0.7 for every role' },
  knowledgeEntry('the debaters are addressed as experts (table 4)'),
];
