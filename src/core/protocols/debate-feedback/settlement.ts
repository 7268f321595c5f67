import type { EventPayload } from '../../../shared/events.ts';
import type { Debate } from './debate.ts';
import type { JudgeAnswer, Round } from './judge.ts';
import { bestRating, meanRating, type Ratings, reaches } from './reliability.ts';
import { type Opinion, opinionAsBelief, smoothed } from './smoothing.ts';

/** O_0 and O_(i-1). */
export interface Standing {
  readonly initial: Opinion;
  readonly current: Opinion;
}

type Settlement = Pick<EventPayload<'round-settle'>, 'result' | 'kept' | 'tie'> & { readonly opinion: Opinion };

/** Threshold(v): by the mean or by the best rating; without an assistant all pass. */
function passes(debate: Debate, ratings: Ratings): boolean {
  const { assistant, passing } = debate.terms;
  return assistant === 'none' || reaches(debate, passing === 'mean' ? meanRating(ratings) : bestRating(ratings));
}

/** O_i by algorithm 1: smoothed where the round passes, else O_0 or, with `keep`, O_(i-1). */
function opinionAfter(debate: Debate, ratings: Ratings, answer: JudgeAnswer | null, { initial, current }: Standing): Settlement {
  const { kase, labels, terms } = debate;
  if (!passes(debate, ratings)) {
    const before = { result: 'unreliable', tie: false } as const;
    return terms.onUnreliable === 'initial'
      ? { ...before, kept: 'initial', opinion: initial }
      : { ...before, kept: 'previous', opinion: current };
  }
  if (answer === null) return { result: 'unheard', kept: 'previous', tie: false, opinion: current };
  const { tie, ...opinion } = smoothed({ labels, multiLabel: kase.multiLabel }, current, answer.stated, terms.smoothing);
  return { result: 'passed', kept: 'smoothed', tie, opinion };
}

/** Settles what the judge holds after a round, and puts on the record how that came about. */
export function settle(
  debate: Debate,
  round: Round,
  answer: JudgeAnswer | null,
  standing: Standing,
): Pick<Settlement, 'opinion' | 'result'> {
  const { court, labels, terms } = debate;
  const { opinion, ...settlement } = opinionAfter(debate, round.ratings, answer, standing);
  court.record('round-settle', `round-${round.number}/settlement`, {
    round: round.number,
    assistant: terms.assistant,
    ratings: round.ratings.map((value, index) => ({ role: `debater${index + 1}`, value })),
    mean: meanRating(round.ratings),
    ...(terms.passing === 'mean' ? {} : { passing: terms.passing }),
    threshold: terms.threshold,
    ...settlement,
    weight: terms.smoothing,
    judge: answer?.stated ?? null,
    notes: answer?.text ?? null,
  });
  const after = answer === null ? null : `round-${round.number}/summary/utterance`;
  const held = { role: 'judge', ...opinionAsBelief(labels, opinion), moment: 'live', after } as const;
  court.believe(`round-${round.number}/belief`, answer === null ? held : { ...held, notes: answer.text });
  return { opinion, result: settlement.result };
}
