import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { examplesFor } from '../../../core/cases/examples.ts';
import { castMember } from '../../../core/protocols/cast.ts';
import type { TrialTerms } from '../../../core/record/effects.ts';
import { noSalt } from '../../../core/record/hash.ts';
import { trialSeed } from '../../../core/record/identity.ts';
import type { Case, Example } from '../../../shared/domain.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { keyNotes } from './apiKeys.ts';
import { beliefNotes } from './beliefNotes.ts';
import { contestNotes } from './contest.ts';
import { contextNotes } from './contextNotes.ts';
import { drawFromTraining, knownLabels } from './examples.ts';
import type { PreparedArm, PreparedExperiment } from './experimentFile.ts';
import { definitionOf } from './freeze.ts';
import { matchedVote } from './matchedVote.ts';
import { precedentNotes } from './precedents.ts';
import { type Rehearsal, rehearse, untrainedAssistant } from './rehearsal.ts';
import { twinNotes } from './twinNotes.ts';

/** Tokens a second of a large GPU and of a laptop, for reading a prompt and for writing. */
const fast = { prompt: 4000, completion: 90 };
const slow = { prompt: 120, completion: 6 };

/** Bytes that the record of one call takes beside its texts: events, index, references. */
const bytesPerCall = 1500;
/** Deflated English. */
const storedShare = 0.5;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function examplesOf(arm: PreparedArm, data: Dataset, caseId: string, seed: number): Example[] {
  const labels = knownLabels(data);
  const facts = new Map(data.cases.map((kase) => [kase.id, kase.facts]));
  const drawn = drawFromTraining(data, arm.bound.shots, seed);
  return examplesFor(drawn, (id) => labels.get(id), caseId).map((id) => ({
    facts: facts.get(id) ?? [],
    label: labels.get(id) ?? '',
  }));
}

/** Labelled training cases, where the arm looks any up. */
function trainingExamples({ bound }: PreparedArm, data: Dataset): Example[] {
  if (bound.precedents === null) return [];
  return data.cases.flatMap(({ id, facts, truth }) =>
    typeof truth === 'string' && data.splits.get(id) === 'train' ? [{ facts, label: truth }] : [],
  );
}

/**
 * Calls that are made once for several trials: answers that trials share, at least those of one trial, at most those
 * of every case. Vectors of cases are not among them.
 */
function preparationCalls(arms: readonly PreparedArm[], kase: Case, cases: number, remaining: readonly number[]) {
  const shared = arms.map(({ bound }, index) => (remaining[index] === 0 ? 0 : bound.sharedCalls(kase)));
  return { min: sum(shared), max: sum(shared) * cases };
}

/** Rehearses the first case of the sample in one arm. */
export function rehearseArm(prepared: PreparedExperiment, data: Dataset, arm: PreparedArm): Promise<Rehearsal> {
  const { experiment } = prepared;
  const caseId = data.sample[0] ?? '';
  const kase = data.cases.find(({ id }) => id === caseId);
  if (kase === undefined) throw new Error('the sample is empty');
  const terms: TrialTerms = {
    seed: trialSeed(experiment.seed, caseId, 0),
    experimentSeed: experiment.seed,
    caseSeed: trialSeed(experiment.seed, caseId, 0),
    attempt: 1,
    salt: noSalt,
    templates: arm.protocol.templates,
    examples: examplesOf(arm, data, caseId, experiment.seed),
    runtime: experiment.runtime,
    belief: arm.definition.belief,
    retriever: arm.definition.cast.retriever ?? null,
    assistant: arm.bound.assistant === null ? undefined : untrainedAssistant,
    castOf(role) {
      const member = castMember(arm.definition.cast, role);
      if (member === undefined) throw new Error(`nobody plays the role ${role}`);
      return member;
    },
  };
  return rehearse(arm.bound, terms, caseOnTrial(definitionOf(prepared, data).dataset, kase), trainingExamples(arm, data));
}

const hours = (promptTokens: number, completionTokens: number, speed: typeof fast) =>
  (promptTokens / speed.prompt + completionTokens / speed.completion) / 3600;

/** What a run would take, from one rehearsed trial per arm. Nothing is run and nothing is recorded. */
export async function planExperiment(
  prepared: PreparedExperiment,
  data: Dataset,
  known: { done: ReadonlyMap<string, number>; missingModels: string[] | null },
): Promise<PlanReport> {
  const { experiment } = prepared;
  const trialsOfArm = data.sample.length * experiment.replicates;
  const rehearsals = await Promise.all(prepared.arms.map((arm) => rehearseArm(prepared, data, arm)));
  const [first] = data.cases;
  if (first === undefined) throw new Error('the data set is empty');
  const firstOnTrial = caseOnTrial(definitionOf(prepared, data).dataset, first);
  const rehearseAlike = (arm: PreparedArm) => rehearseArm(prepared, data, arm);
  const votes = await Promise.all(
    prepared.arms.map((arm, index) => {
      const rehearsal = rehearsals[index];
      return rehearsal === undefined ? null : matchedVote(arm, firstOnTrial, rehearsal, rehearseAlike);
    }),
  );
  const arms = prepared.arms.map((arm, index) => {
    const rehearsal = rehearsals[index];
    if (rehearsal === undefined) throw new Error('an arm was not rehearsed');
    const done = known.done.get(arm.definition.name) ?? 0;
    const trials = Math.max(0, trialsOfArm - done);
    const calls = arm.bound.plannedCalls(firstOnTrial, arm.definition.belief);
    return {
      arm: arm.definition.name,
      protocol: arm.protocol.id,
      trials: trialsOfArm,
      remaining: trials,
      calls: { min: calls.min * trials, max: calls.max * trials },
      prompt_tokens: rehearsal.promptTokens * trials,
      completion_tokens: {
        min: Math.round(rehearsal.completionTokens / 2) * trials,
        max: Math.min(rehearsal.completionTokens * 2, calls.max * experiment.runtime.numPredict) * trials,
      },
      matched_voters: votes[index]?.voters ?? null,
    };
  });
  const promptTokens = sum(arms.map((arm) => arm.prompt_tokens));
  const completion = {
    min: sum(arms.map((arm) => arm.completion_tokens.min)),
    max: sum(arms.map((arm) => arm.completion_tokens.max)),
  };
  const perTrial = rehearsals.map(({ calls, characters }) => calls.length * bytesPerCall + characters * storedShare);
  return {
    experiment: experiment.name,
    cases: data.sample.length,
    replicates: experiment.replicates,
    trials: trialsOfArm * arms.length,
    arms,
    calls: { min: sum(arms.map(({ calls }) => calls.min)), max: sum(arms.map(({ calls }) => calls.max)) },
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    hours: { min: hours(promptTokens, completion.min, fast), max: hours(promptTokens, completion.max, slow) },
    preparation_calls: preparationCalls(
      prepared.arms,
      firstOnTrial,
      data.sample.length,
      arms.map(({ remaining }) => remaining),
    ),
    disk_bytes: Math.round(sum(perTrial.map((bytes, index) => bytes * (arms[index]?.remaining ?? 0)))),
    missing_models: known.missingModels,
    done: sum([...known.done.values()]),
    notes: [
      ...data.notes,
      ...keyNotes(experiment.backends),
      ...contestNotes(prepared, data),
      ...twinNotes(prepared),
      ...beliefNotes(prepared),
      ...precedentNotes(prepared, data),
      ...contextNotes(prepared, data, (arm) => rehearsals[prepared.arms.indexOf(arm)]),
      ...votes.flatMap((vote) => (vote === null ? [] : [vote.note])),
    ],
  };
}
