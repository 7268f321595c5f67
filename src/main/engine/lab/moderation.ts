// What trials ask their moderator, and the answers.
import { lastAttempt } from '../../../core/record/fold.ts';
import { moderationEvent } from '../../../core/record/moderation.ts';
import { badInput } from '../../../shared/errors.ts';
import { type Moderation, moderationProblem, subtopicsSchema, type WaitingTrial } from '../../../shared/moderation.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { refuseErased } from './erasedData.ts';
import { loadFrozen } from './frozen.ts';

function questionOf(store: Store, trial: string) {
  const asked = lastAttempt(parseChain(store.events.chain(trial))).at(-1);
  if (asked?.kind !== 'moderation-ask') return null;
  const { key, kind, subtopics } = asked.payload;
  return { key, kind, subtopics: subtopicsSchema.parse(JSON.parse(store.blobs.need(subtopics))) };
}

/** The trials of an experiment that wait for their moderator, by arm, case and replicate. Throws not-found. */
export function waitingTrials(store: Store, experiment: string): WaitingTrial[] {
  loadFrozen(store, experiment);
  return store.trials
    .waiting(experiment)
    .flatMap((trial) => {
      const [row, question] = [store.trials.get(trial), questionOf(store, trial)];
      if (row === undefined || question === null) return [];
      const { kind, subtopics } = question;
      return [{ trial, arm: row.arm, case: row.case_id, replicate: row.replicate, kind, subtopics }];
    })
    .toSorted((a, b) => a.arm.localeCompare(b.arm) || a.case.localeCompare(b.case) || a.replicate - b.replicate);
}

/** Puts a moderator's answer on the record. Throws bad input where the trial does not wait, or not for that. */
export function answerModeration(store: Store, experiment: string, trial: string, moderation: Moderation): void {
  refuseErased(store, experiment);
  const { dataset } = loadFrozen(store, experiment);
  const row = store.trials.get(trial);
  if (row?.experiment !== experiment) {
    throw badInput(`experiment ${JSON.stringify(experiment)} has no trial ${JSON.stringify(trial)} that has begun`, '--trial');
  }
  store.write(() => {
    const question = questionOf(store, trial);
    if (question === null) throw badInput(`trial ${trial} does not wait for a moderator`, '--trial');
    const problem = moderationProblem(question, moderation);
    if (problem !== null) throw badInput(problem, 'action');
    const keep = (text: string) => store.blobs.keep(dataset, text);
    store.events.append(trial, 'moderation-give', moderationEvent(question.key, new Date().toISOString(), moderation, keep));
  });
}

/** The trial that is meant where none is named. Throws bad input. */
export function onlyWaiting(waiting: readonly WaitingTrial[]): string {
  const [only, second] = waiting;
  if (only === undefined) throw badInput('no trial of the experiment waits for a moderator', '--trial');
  if (second === undefined) return only.trial;
  const names = waiting.map(({ trial }) => trial).join(', ');
  throw badInput(`${waiting.length} trials wait for a moderator; name one of ${names}`, '--trial');
}
