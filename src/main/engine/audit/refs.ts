import type { FrozenArm, RecordEvent } from '../../../shared/events.ts';

const present = (refs: readonly (string | null)[]): string[] => refs.filter((ref) => ref !== null);

const armRefs = ({ terms, templates, examples }: FrozenArm) => [
  terms,
  ...Object.values(templates),
  ...examples.chosen,
  ...examples.reserves,
];

/**
 * The texts that an event names. `file` and `request` are hashes of what is not kept as one text: a
 * source file, and the request, which is made anew from its messages and checked as a whole.
 */
export function refsOf(event: RecordEvent): string[] {
  switch (event.kind) {
    case 'experiment-freeze':
    case 'experiment-extend':
      return [event.payload.definition, event.payload.dataset.manifest, ...event.payload.arms.flatMap(armRefs)];
    case 'trial-open':
      return [event.payload.case];
    case 'call-answer': {
      const { setup, answer, logprobs, thinking, failure } = event.payload;
      return present([setup, answer, logprobs ?? null, thinking ?? null, failure?.message ?? null]);
    }
    case 'answer-share': {
      const { setup, answer, failure } = event.payload;
      return present([setup, answer, failure?.message ?? null]);
    }
    case 'embedding-make': {
      const { setup, cases, vectors, failure } = event.payload;
      return present([setup, ...cases, vectors, failure?.message ?? null]);
    }
    case 'precedent-retrieve': {
      const { setup, precedents, failure } = event.payload;
      return present([setup, ...precedents.map((precedent) => precedent.case), failure?.message ?? null]);
    }
    case 'opinion-rate': {
      const { trained } = event.payload;
      return trained === undefined ? [] : present([trained.setup, trained.vector, trained.failure?.message ?? null]);
    }
    case 'round-settle':
      return present([event.payload.notes]);
    case 'statement-embed': {
      const { setup, statements, vectors, failure } = event.payload;
      return present([setup, ...statements.flat(), vectors, failure?.message ?? null]);
    }
    case 'assistant-train':
      return [event.payload.statements, event.payload.weights];
    case 'utterance-make':
      return present([event.payload.text, event.payload.plan]);
    case 'subtopics-settle': {
      const { subtopics, proposals, balance } = event.payload;
      return present([subtopics, ...Object.values(proposals), balance]);
    }
    case 'proposal-make':
      return [event.payload.proposal];
    case 'panel-score':
      return [event.payload.opinion];
    case 'answer-give':
      return [event.payload.answer];
    case 'answer-compare':
      return [event.payload.justification];
    case 'moderation-ask':
      return [event.payload.subtopics];
    case 'moderation-give':
      return [event.payload.moderation];
    case 'argument-evaluate':
      return [event.payload.evaluation];
    case 'recommendation-make':
      return event.payload.recommendations.flatMap(({ text, reason }) => [text, reason]);
    case 'belief-update':
      return present([event.payload.notes]);
    case 'ruling-give':
      return present([event.payload.opinion]);
    case 'prediction-import':
      return present([event.payload.mapping, event.payload.value, event.payload.stated]);
    case 'turn-forfeit':
    case 'measure-take':
    case 'debate-stop':
    case 'side-assign':
    case 'ambiguity-find':
    case 'exchange-measure':
    case 'position-assign':
    case 'trial-close':
      return [];
  }
}
