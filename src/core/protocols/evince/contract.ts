// How we read the EVINCE paper where it leaves something open.
import { knowledgeEntry } from '../knowledge.ts';
import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'first exchange',
    paper: 'A predicts from the facts, B sees that and refutes it at 0.9 (figure 7.1, step 1)',
    gap: 'appendix 7.D gives B a prompt without the prediction of A',
    decision: 'figure 7.1; this exchange is round 1',
  },
  {
    subject: 'explorer',
    paper: 'A confirms, with low entropy; B explores, with high entropy (figure 7.1, step 1)',
    gap: 'does not say how B is asked to, and for how long',
    decision:
      'the agent that answers first is asked once, in round 1, to look for further answers and to spread its percentages over all that the facts allow; `explorer: false` leaves that out',
  },
  {
    subject: 'rounds',
    paper: 'A answers B, then B answers the new answer of A (figure 7.1, step 2)',
    gap: null,
    decision: 'as in the paper; both see the whole record of the debate',
  },
  {
    subject: 'topK',
    paper: 'top-k distributions; 3 in the prompt of the benchmark and in appendix 7.D, 5 in the debate of 7.E',
    gap: 'does not say what happens to the mass outside the k labels; one list of the paper adds up to 0.95',
    decision:
      '3, all labels if there are no more. The stated numbers are divided by their sum, so the named labels share all mass and the others have none; the stated sums are on the record. A label named twice has the sum of both',
  },
  {
    subject: 'no mass',
    paper: 'does not mention an agent that gives every label 0',
    gap: 'does not say how it counts in the measures and in the mixture',
    decision:
      'all mass goes to its prediction; its belief is null, and so are belief and confidence of a verdict that it is part of',
  },
  {
    subject: 'length',
    paper: 'no limit',
    gap: null,
    decision: 'about 80 words for arguments and proposal, at most four recommendations of about 20 words each',
  },
  {
    subject: 'class names',
    paper: 'one class appears under several names, with and without a parenthetical (appendix 7.E)',
    gap: 'does not say how they are matched',
    decision:
      'answers name the labels of the data set exactly; `aliases` makes several labels one class of the measures, ignoring capitals and parentheticals',
  },
  {
    subject: 'contentiousness',
    paper: '0.9 at first, then 0.7, 0.5 (tables 7.2, 7.3) and 0.3 for the joint result',
    gap: null,
    decision:
      '0.9; the prompt has a number up to 1 with a sentence that says what it asks for, by the bands of SocraSynth (table 6.1); the joint recommendations at 0.3',
  },
  {
    subject: 'modulation',
    paper: 'none, fixed, linear, exponential (section 7.4.5), and a function Update of the metrics (figure 7.1)',
    gap: 'no rates; Update is not defined; table 7.3 goes from 0.5 to 0.3',
    decision:
      '`exponential`: 0.9 e^(-l t) with l = ln(9/5)/2, which gives 0.5 in round 3; `linear`: 0.2 less each round; `fixed`; `mixture`: no debate and the plain mean; `metric`: min(k, 0.3 + 0.6 (JSD/ln 2 + WD)/2); `metric-rising`: the same without the minimum.',
  },
  {
    subject: 'last contentiousness',
    paper: '0.2 by the summary of appendix 7.E; 0.3 by table 7.3 and for the joint result',
    gap: 'the two differ, and no round at 0.2 is shown',
    decision:
      'what the modulation gives: `exponential` is at 0.28 in round 5, below the final 0.3, and `linear` at 0.1; the joint recommendations at 0.3 all the same',
  },
  {
    subject: 'stop',
    paper: 'where WD, MI, JSD and CRIT change by less than 0.01 (section 7.3.2)',
    gap: 'figure 7.1 compares the differences without absolute values, so that a measure that moves the other way stops the debate',
    decision: 'absolute differences, all four, after a round in which both have answered; else after `maxRounds` 5',
  },
  {
    subject: 'measures',
    paper: 'entropy, cross-entropy, KL, JSD, WD, MI, NMI (appendix 7.A)',
    gap: 'no base, no ground distance, no joint distribution; tables 7.2 and 7.3 print a JSD of 1.366, which no base allows, and other values for two lists that are swapped',
    decision:
      'natural logarithms; WD with distance 1 between any two classes, or on the line of the labels (`wdOrder: labels`); MI of the maximal coupling; KL smoothed by 1e-9',
  },
  {
    subject: 'mutual information',
    paper: 'its rise shows agreement (section 7.3.1.2)',
    gap: 'for two agents that agree, it falls as they become more certain',
    decision: 'reported, and one of the four differences of the stop; it steers nothing else',
  },
  {
    subject: 'CRIT',
    paper: 'scores of each agent, from 0 to 1, mean of both in the tables',
    gap: 'the formula is in another chapter, and unbounded',
    decision:
      'CRIT / 10 of each statement, by the critic, which reads the whole record; if one fails, the last one of that agent stays, and without any both agents have equal weight',
  },
  {
    subject: 'result',
    paper: 'P = (wA PA + wB PB)/(wA + wB), CRIT as weights (figure 7.1, step 3)',
    gap: 'does not name the label; maxim 4.1 estimates reliability by entropy',
    decision:
      'the likeliest label of P; in a tie the first in the order of the labels; `weights: entropy` weighs each agent by 1 less its normalised entropy',
  },
  {
    subject: 'gate',
    paper: 'arguments below an external score are not admitted (abstract)',
    gap: 'figure 7.1 has no gate, and no number is given',
    decision:
      '0, off; otherwise the other agent does not see arguments with a lower CRIT / 10, but still sees their probabilities; both are recorded',
  },
  {
    subject: 'retrieveAbove',
    paper: 'retrieval where the entropy of the predictions is high (maxim 4.4)',
    gap: 'no number, no place in figure 7.1',
    decision:
      'off (1); else, once, after the first exchange whose mixture has a higher normalised entropy: the nearest training case of each of the `topK` likeliest labels, visible to all',
  },
  {
    subject: 'recommendations',
    paper: 'joint inquiries and tests at the end (appendices 7.D, 7.E)',
    gap: 'does not say who writes them',
    decision: 'A proposes, B writes the joint list: inquiries, tests, facts to look up, each with its reason',
  },
  {
    subject: 'label doubt',
    paper: 'debates show labels that are questionable (section 7.4.6)',
    gap: 'no rule',
    decision:
      'shown if the true label is known and has less than 0.05 of P; it is derived from the record afterwards, and no prompt knows the truth',
  },
  {
    subject: 'forfeit',
    paper: 'does not mention failed answers',
    gap: 'does not say what happens to such a trial',
    decision:
      'an agent without an answer keeps its last one and the trial is incomplete; without either of the first statements the trial fails with that outcome; failed recommendations are left out',
  },
  { subject: 'temperature', paper: "the vendors' defaults (section 7.4.1)", gap: 'not a number', decision: '0.7' },
  knowledgeEntry('the agents bring the medical knowledge of their models (sections 7.4 and 7.E)'),
];
