// How we read the SocraSynth paper where it leaves something open.
import { knowledgeEntry } from '../knowledge.ts';
import type { PaperContractEntry } from '../protocol.ts';

export const contract: readonly PaperContractEntry[] = [
  {
    subject: 'subtopics',
    paper: 'both agents propose topics, refine them together and settle on five (section 6.3.1.1, tables 6.7, 6.8, 6.4)',
    gap: 'section 6.3.1.1 has ten and table 6.4 has five; only the result of the refinement is shown',
    decision:
      'five for an open question; each agent proposes without seeing the other list, agent A merges both lists, agent B settles; if a step fails, the result of the step before stays. None for a case with labels, as study 2 has none: each turn is one argument of about 80 words, and a panel scores the whole',
  },
  {
    subject: 'balance',
    paper: 'the moderator asks whether the subject is balanced (appendix 6.B)',
    gap: 'does not say what follows from the answer',
    decision: 'the critic judges the balance of the settled subtopics; its answer is on the record and changes nothing',
  },
  {
    subject: 'moderated',
    paper: 'a human moderator guides topics and debate and adds no ideas of its own (section 6.3.1.1)',
    gap: 'most of the prompts of appendix 6.B are always the same',
    decision:
      'off by default: the program sends the fixed prompts; if on, the trial waits twice, for the subtopics and for one remark after the first round of refutation, and the moderator may leave either unchanged. Only its addressees read a remark',
  },
  {
    subject: 'contentiousness',
    paper: '0.9 at first, divided by 1.2 before each round, told as a number with its two ends (table 6.2, appendix 6.B)',
    gap: 'table 6.1 describes what models do at each level, not what their prompts say',
    decision: 'the number with its definition; `style: words` describes the level in the words of table 6.1',
  },
  {
    subject: 'schedule',
    paper: '0.7 to 0.9 at first, about 0.5 as the debate continues, 0.1 after it (section 6.1.2)',
    gap: 'table 6.2 divides by 1.2 each round, and the studies end at 0.3; section 6.1.2 names no rounds',
    decision:
      '`decay`: table 6.2, and 0.3 for the joint proposal; `phases`: equal steps from `contentiousness` to 0.5 in the last of `maxRounds`, 0.5 for closing statements, 0.1 for the joint proposal',
  },
  {
    subject: 'maxRounds',
    paper: 'three to five rounds (section 6.3.1.2), four in appendix 6.C',
    gap: 'the loop of table 6.2 has no such limit and makes 12 rounds',
    decision: '4, tested after contentiousness and quality; the closing statements use the D that ended the loop',
  },
  {
    subject: 'quality',
    paper: "another round while G >= G', with G = CRIT of subtopics and both sides' arguments (table 6.2)",
    gap: "G' has no first value; a fall shows only after the round in which it happens",
    decision: 'both begin at 0; a fall of G ends the debate before the next round',
  },
  {
    subject: 'CRIT that fails',
    paper: 'does not mention missing scores',
    gap: 'does not say whether such a round counts as a fall',
    decision:
      'it does not: the turn is forfeited, no score is invented, and the next round compares the last two known scores. The trial is incomplete',
  },
  {
    subject: 'CRIT',
    paper: 'a weighted sum of validity and credibility of reasons and rivals, in a score from 1 to 10 (table 6.3)',
    gap: 'such a sum is unbounded; it does not say how rivals enter it; the judges of appendix 6.D score validity from 0 to 10',
    decision:
      'G = 1 + (s - 1)(1 - (r - 1)/18), with s and r the credibility-weighted mean validity of reasons and rivals, 1 if there are none; at most three reasons and two rivals. The critic gives validity from 1 to 10 and credibility from 0 to 10, which the record stores as 0 to 1',
  },
  {
    subject: 'critSides',
    paper: 'CRIT of the subtopics of the proponent with the arguments of both (table 6.2)',
    gap: 'such a score is one-sided: good arguments of agent B count against G, and a debate that B wins looks like a poor one',
    decision:
      '`proponent`, as the table; screens say that it is for the claim of agent A. `both`: one CRIT for each claim, and G is their mean, or missing if one is missing',
  },
  {
    subject: 'feedback',
    paper:
      'by CRIT, the moderator or the algorithm gives targeted feedback (section 6.1.3), such as a request to go deeper on a point (section 6.2.2)',
    gap: 'table 6.2 has no such step, and no rule says what is fed back',
    decision:
      'off; if on, after each round both agents read which reason of their own is weakest and which reason against them is strongest, by validity times credibility. With `critSides: proponent` agent B reads only what to answer. Panel and critic do not read it',
  },
  {
    subject: 'critDepth',
    paper: 'a reason that is itself a claim is examined in the document it was drawn from (section 6.2.2.2)',
    gap: 'there is no document but the debate; no depth is given',
    decision: '0 to 2 levels, 0 by default, at most two reasons of an argument, examined in the debate itself',
  },
  {
    subject: 'opening',
    paper: 'both generate their first arguments from subtopics and contentiousness alone (table 6.2, step 2)',
    gap: 'in appendix 6.C agent B opens with counterarguments to what agent A has said',
    decision: '`independent`; with `sequential`, agent B knows the opening of agent A',
  },
  {
    subject: 'exhausted',
    paper: 'after the rounds each agent is asked whether it has presented all of its arguments (section 6.3.1.2)',
    gap: 'does not say what follows if one has not',
    decision: 'the remaining arguments are a private note of that agent for its closing statement',
  },
  {
    subject: 'joint proposal',
    paper: 'at a contentiousness of 0.3 both make recommendations together (sections 6.3.2, 6.3.3)',
    gap: 'does not say who writes them',
    decision: 'agent A drafts, agent B revises; with open questions and next steps',
  },
  {
    subject: 'panel',
    paper: 'judges score both sides on every topic from the closing remarks, in both orders (tables 6.5, 6.6)',
    gap: 'table 6.6 has 38 to 38, which the paper counts as won by A',
    decision:
      'winner by totals for each order; equal totals are a tie; the agreement of both orders is shown, and the winner that the judge declares is recorded separately',
  },
  {
    subject: 'panelReads',
    paper: 'the judges evaluate the concluding remarks (section 6.3.1.3)',
    gap: 'section 6.2.1.4 has the entire debate judged',
    decision: '`closing`; `all` shows them every speech',
  },
  {
    subject: 'stances',
    paper: 'on symptoms each agent predicts a disease and they argue until one concedes (study 2)',
    gap: 'does not say what the verdict is if none concedes',
    decision:
      '`free`: the label that both predict, with the mean of their beliefs; else the label of the side that the panel prefers, by sheets, then points, then declarations, and undecided if all are equal. `assigned`: each defends one of two labels, agent A the positive one, and the panel decides',
  },
  {
    subject: 'onAgreement',
    paper: 'one agent concedes, and both make recommendations (study 2, appendix 6.G)',
    gap: 'the loop of table 6.2 continues to closing statements; figure 6.1 has judges for every debate',
    decision:
      '`recommend`: a concession ends the debate at once, without the reply, closing statements or panel; the record says who conceded. `panel`: the round is held to its end, and all of that follows',
  },
  {
    subject: 'compareWithAnswer',
    paper: 'judges rate the debate above a plain answer in depth and quality (section 6.3.1.4, appendix 6.F)',
    gap: 'does not say which model gave that answer',
    decision: 'the model of agent A, asked once without any debate',
  },
  {
    subject: 'comparison',
    paper: 'judges see the debate and the answer for what they are, topic by topic (section 6.3.1.4, appendix 6.E)',
    gap: 'they know which is which, the debate is longer, and the topics are those of the debate',
    decision:
      '`blinded`: the same model answers the same task once more from all that was said; names of the agents are replaced, and the longer answer is cut after the sentence whose end is nearest to the length of the other. Every judge scores both as a whole, in both orders; a preference that turns with the order is a separate result. `named`: closing statements and the answer, once, by subtopic',
  },
  {
    subject: 'length',
    paper: 'no limit',
    gap: null,
    decision:
      'about 40 words on each subtopic in each turn, so that a debate of five subtopics and four rounds fits 8,192 tokens; 80 for the joint proposal, with at most three open questions and next steps; 240 for the plain answer',
  },
  knowledgeEntry('the agents draw on the knowledge of their models, and a debate brings out more of it (sections 6.2 and 6.3)'),
  { subject: 'temperature', paper: 'not given', gap: 'a setting of the moderator (appendix 6.B)', decision: '0.7' },
];
