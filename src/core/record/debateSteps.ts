import type { Court } from '../protocols/court.ts';
import type { Collector, Emit } from './evaluationStep.ts';

type DebateSteps = Pick<Court, 'settleSubtopics' | 'stopDebate' | 'propose' | 'scorePanel' | 'giveAnswer' | 'compareAnswer'>;

/** The steps of a debate that have no effects. */
export function debateSteps(emit: Emit, collector: Collector): DebateSteps {
  const keeper = () => {
    const { texts, keep } = collector();
    return {
      texts,
      keep,
      keepJson: (value: unknown) => keep(JSON.stringify(value)),
      keepList: (value: unknown) => (value === null ? null : keep(JSON.stringify(value))),
    };
  };
  return {
    settleSubtopics(key, { settledBy, subtopics, proposals, balance }) {
      const { texts, keep, keepJson, keepList } = keeper();
      const { agentA, agentB, merged } = proposals;
      const payload = {
        settledBy,
        subtopics: keepJson(subtopics),
        proposals: { agentA: keepList(agentA), agentB: keepList(agentB), merged: keepList(merged) },
        balanced: balance?.balanced ?? null,
        balance: balance === null ? null : keep(balance.justification),
      };
      emit('subtopics-settle', key, { v: 1, key, ...payload }, texts);
    },
    stopDebate(key, stop) {
      emit('debate-stop', key, { v: 1, key, ...stop }, new Map());
    },
    propose(key, { role, stage, proposal }) {
      const { texts, keepJson } = keeper();
      emit('proposal-make', key, { v: 1, key, role, stage, proposal: keepJson(proposal) }, texts);
    },
    scorePanel(key, { opinion, ...sheet }) {
      const { texts, keepJson } = keeper();
      emit('panel-score', key, { v: 1, key, ...sheet, opinion: keepJson(opinion) }, texts);
    },
    giveAnswer(key, { role, answer }) {
      const { texts, keep } = keeper();
      emit('answer-give', key, { v: 1, key, role, answer: keep(answer) }, texts);
    },
    compareAnswer(key, { justification, ...comparison }) {
      const { texts, keep } = keeper();
      emit('answer-compare', key, { v: 1, key, ...comparison, justification: keep(justification) }, texts);
    },
  };
}
