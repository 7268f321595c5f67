import type { EventPayload } from '../../shared/events.ts';
import { type Moderation, moderationProblem, moderationSchema } from '../../shared/moderation.ts';
import type { Court } from '../protocols/court.ts';
import type { PromptGuard } from '../text/guard.ts';
import type { DebateContext } from './debateEffects.ts';
import { Divergence } from './divergence.ts';

/** A trial has asked its moderator and cannot continue until there is an answer. It is no failure and no outage. */
export class AwaitsModerator extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`${key}: the trial waits for its moderator`);
    this.name = 'AwaitsModerator';
    this.key = key;
  }
}

interface ModerationContext extends Pick<DebateContext, 'ledger' | 'effects' | 'claim' | 'collector'> {
  readonly guard: Pick<PromptGuard, 'learnFacts'>;
}

function textsOf(moderation: Moderation): string[] {
  switch (moderation.action) {
    case 'accept':
      return [];
    case 'subtopics':
      return moderation.subtopics.flatMap(({ title, scope }) => [title, scope]);
    case 'remark':
      return [moderation.text];
  }
}

export function moderationEvent(
  key: string,
  at: string,
  moderation: Moderation,
  keep: (text: string) => string,
): EventPayload<'moderation-give'> {
  return { v: 1, key, at, moderation: keep(JSON.stringify(moderation)) };
}

/** `Court.moderate`: asked on the record, answered from it. */
export function moderation({ ledger, effects, guard, claim, collector }: ModerationContext): Pick<Court, 'moderate'> {
  const recall = (key: string, request: Parameters<Court['moderate']>[1]): Moderation => {
    const asked = ledger.find('moderation-ask', key);
    const { texts, keep } = collector();
    const payload = { v: 1, key, kind: request.kind, subtopics: keep(JSON.stringify(request.subtopics)) } as const;
    if (asked === undefined) ledger.append('moderation-ask', payload, texts);
    else if (JSON.stringify(asked) !== JSON.stringify(payload)) {
      throw new Divergence(key, 'the recorded question to the moderator is not the one that the protocol asks');
    }
    const recorded = ledger.find('moderation-give', key);
    if (recorded !== undefined) return moderationSchema.parse(JSON.parse(ledger.text(recorded.moderation)));
    const given = effects.moderate?.(key, request) ?? null;
    if (given === null) throw new AwaitsModerator(key);
    const answer = collector();
    ledger.append('moderation-give', moderationEvent(key, given.at, given.moderation, answer.keep), answer.texts);
    return given.moderation;
  };
  return {
    async moderate(key, request) {
      claim(key);
      const answer = recall(key, request);
      const problem = moderationProblem(request, answer);
      if (problem !== null) throw new Divergence(key, problem);
      guard.learnFacts(textsOf(answer).map((value) => ({ name: 'moderator', value })));
      return answer;
    },
  };
}
