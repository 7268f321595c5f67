import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { examplesFor } from '../../../core/cases/examples.ts';
import { castMember } from '../../../core/protocols/cast.ts';
import type { TrialTerms } from '../../../core/record/effects.ts';
import { noSalt } from '../../../core/record/hash.ts';
import { furtherSeed, trialSeed } from '../../../core/record/identity.ts';
import { guardRules } from '../../../core/text/found.ts';
import { type Check, sentenceOf, warning } from '../../../shared/checks.ts';
import type { Example } from '../../../shared/domain.ts';
import { firstReplicate } from '../../../shared/experiment.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import { isInPart, type Part } from '../../../shared/part.ts';
import { type Rest, restWords } from '../../../shared/rest.ts';
import { byteSize, duration } from '../../../shared/sizes.ts';
import { baseArm } from '../../../shared/swaps.ts';
import type { Dataset } from '../datasets/dataset.ts';
import {
  addedEstimates,
  addedRanges,
  type CallEstimate,
  callEstimates,
  noPastCalls,
  type PastCalls,
  type Range,
  sum,
} from './callEstimate.ts';
import { type Answerer, longerBy, planChecks } from './checks.ts';
import { type DryRun, matchedVote, runDry, untrainedAssistant } from './dryRun.ts';
import { drawFromTraining, knownTruths } from './examples.ts';
import { definitionOf } from './freeze.ts';
import { bytesPerCall, type Made, nothingMade, planPreparation, storedShare } from './preparationPlan.ts';
import { type PreparedArm, type PreparedExperiment, wordsOfArm } from './preparedArm.ts';
import { plannedIds } from './recordedProgress.ts';

/** Tokens a second of a large GPU and of a laptop, for reading a prompt and for writing: where nothing was measured. */
const fast = { prompt: 4000, completion: 90 };
const slow = { prompt: 120, completion: 6 };

/** Bytes of a store that nothing was run in: each of its tables and indexes begins with a page of 16 KiB. */
const emptyStore = 500_000;
/** Bytes of the -wal file, in which every page that a call changes is written again: for each call, and where SQLite empties the file. */
const walOfCall = 65_000;
const mostWal = 68_000_000;

/** Bytes that a run takes, from a dry run: answers can be twice as long, and the -wal file is largest while it runs. */
function diskOf(texts: number, calls: number) {
  const wal = Math.min(mostWal, calls * walOfCall);
  return { disk_bytes: Math.round(texts), disk_bytes_most: Math.round(2 * texts + (calls === 0 ? 0 : emptyStore + wal)) };
}

const noRoom = (needed: number, free: number): Check =>
  warning(
    `the run can take ${byteSize(needed)} of disk, and ${byteSize(free)} are free where the record is`,
    'free some space first; a run that finds the disk full stops, and continues from there',
  );

/** Bytes that a trial's own event of a shared answer takes; its text is that of the call. */
const bytesPerShare = 700;

function examplesOf(arm: PreparedArm, data: Dataset, caseId: string, seed: number): Example[] {
  const labels = knownTruths(data);
  const facts = new Map(data.cases.map((kase) => [kase.id, kase.facts]));
  const drawn = drawFromTraining(data, arm.bound.shots, seed);
  return examplesFor(drawn, (id) => labels.get(id), caseId).map((id) => ({
    facts: facts.get(id) ?? [],
    label: labels.get(id) ?? '',
  }));
}

function trainingExamples({ bound }: PreparedArm, data: Dataset): Example[] {
  if (bound.precedents === null) return [];
  return data.cases.flatMap(({ id, facts, truth }) =>
    typeof truth === 'string' && data.splits.get(id) === 'train' ? [{ facts, label: truth }] : [],
  );
}

/** Calls at a time for which a plan says what they could bring. */
const fewAtATime = 4;
/** Seconds of a run from which it says so. */
const worthMore = 60;

/** Replicates that a dry run tries where it ends early. */
const mostDryRuns = 32;

/** A dry run of an arm's first case; where it has under half of the possible calls, the longest of further replicates. */
export async function dryRunArm(prepared: PreparedExperiment, data: Dataset, arm: PreparedArm): Promise<DryRun> {
  const { experiment } = prepared;
  const caseId = data.sample[0] ?? '';
  const kase = data.cases.find(({ id }) => id === caseId);
  if (kase === undefined) throw new Error('the sample is empty');
  const terms: Omit<TrialTerms, 'seed'> = {
    experimentSeed: experiment.seed,
    caseSeed: trialSeed(experiment.seed, caseId, 0),
    attempt: 1,
    salt: noSalt,
    templates: wordsOfArm(arm),
    examples: examplesOf(arm, data, caseId, experiment.seed),
    runtime: experiment.runtime,
    belief: arm.definition.belief,
    reading: experiment.reading,
    guard: guardRules,
    swap: arm.swap,
    mask: arm.definition.mask,
    change: arm.definition.change,
    retriever: arm.definition.cast.retriever ?? null,
    assistant: arm.bound.assistant === null ? undefined : untrainedAssistant,
    castOf(role) {
      const member = castMember(arm.definition.cast, role);
      if (member === undefined) throw new Error(`no one plays the role ${role}`);
      return member;
    },
  };
  const onTrial = caseOnTrial(definitionOf(prepared, data).dataset, kase);
  const examples = trainingExamples(arm, data);
  const run = (replicate: number) =>
    runDry(
      arm.bound,
      {
        ...terms,
        seed: trialSeed(experiment.seed, caseId, firstReplicate(experiment) + replicate, furtherSeed(arm.definition.change)),
      },
      onTrial,
      examples,
    );
  const { max } = arm.bound.plannedCalls(onTrial, arm.definition.belief);
  let longest = await run(0);
  for (let replicate = 1; replicate < mostDryRuns && 2 * longest.calls.length < max; replicate++) {
    const next = await run(replicate);
    if (next.calls.length > longest.calls.length) longest = next;
  }
  return longest;
}

const hours = (promptTokens: number, completionTokens: number, speed: typeof fast) =>
  (promptTokens / speed.prompt + completionTokens / speed.completion) / 3600;

function totalOf(times: readonly (Range | null)[]): Range | null {
  const known = times.flatMap((time) => time ?? []);
  return known.length < times.length ? null : addedRanges(known);
}

/** What a run would take, from one dry run per arm. Nothing is run and nothing is recorded. */
export async function planExperiment(
  prepared: PreparedExperiment,
  data: Dataset,
  known: {
    done: ReadonlyMap<string, number>;
    begun?: number;
    missingModels: string[] | null;
    made?: Made;
    answerer?: Answerer;
    past?: PastCalls | undefined;
    atATime?: number;
    /** Calls that one of its servers takes at a time; infinite where one does not say. */
    slots?: number;
    /** What its finished trials say of the rest; absent where the plan is of more than the record has frozen. */
    rest?: Rest | null | undefined;
    /** The only trials that are planned; absent: all. */
    part?: Part | undefined;
  },
): Promise<PlanReport> {
  const { experiment } = prepared;
  const { part } = known;
  const trialsOf = (arm: string) =>
    part === undefined
      ? data.sample.length * experiment.replicates
      : plannedIds(prepared, data, arm).filter((id) => isInPart(part, id)).length;
  const estimate = callEstimates(known.past ?? noPastCalls, experiment.backends, longerBy(data, 'mean'));
  const dryRuns = await Promise.all(prepared.arms.map((arm) => dryRunArm(prepared, data, arm)));
  const [first] = data.cases;
  if (first === undefined) throw new Error('the data set is empty');
  const firstOnTrial = caseOnTrial(definitionOf(prepared, data).dataset, first);
  const dryRunAlike = (arm: PreparedArm) => dryRunArm(prepared, data, arm);
  const votes = await Promise.all(
    prepared.arms.map((arm, index) => {
      const dryRun = dryRuns[index];
      return dryRun === undefined || arm.swap !== null || arm.definition.change !== undefined
        ? null
        : matchedVote(arm, firstOnTrial, dryRun, dryRunAlike);
    }),
  );
  /** Of each arm, and of what several trials share; null where the speed of a model is not known. */
  const times: (Range | null)[] = [];
  const estimatesOf = dryRuns.map(({ calls }, index) =>
    calls.map(({ call }) => estimate(call, prepared.arms[index]?.protocol.id ?? '')),
  );
  const arms = prepared.arms.map((arm, index) => {
    const dryRun = dryRuns[index];
    if (dryRun === undefined) throw new Error('an arm has no dry run');
    const done = known.done.get(arm.definition.name) ?? 0;
    const planned = trialsOf(arm.definition.name);
    const trials = Math.max(0, planned - done);
    const calls = arm.bound.plannedCalls(firstOnTrial, arm.definition.belief);
    const estimates = estimatesOf[index] ?? [];
    const trial = addedEstimates(estimates);
    /** The dry run had some number of calls between the fewest and the most. */
    const bounded = ({ min, max }: Range) => ({
      min: (min * calls.min * trials) / Math.max(1, estimates.length),
      max: (max * calls.max * trials) / Math.max(1, estimates.length),
    });
    const completion = bounded(trial.completionTokens);
    times.push(trials === 0 ? { min: 0, max: 0 } : trial.seconds && bounded(trial.seconds));
    return {
      arm: arm.definition.name,
      protocol: arm.protocol.id,
      swap: arm.swap,
      base_arm: arm.definition.change?.of ?? baseArm(arm.definition.name, arm.swap),
      trials: planned,
      remaining: trials,
      calls: { min: calls.min * trials, max: calls.max * trials },
      prompt_tokens: trial.promptTokens * trials,
      completion_tokens: { min: Math.round(completion.min), max: Math.round(completion.max) },
      measured_calls: estimates.filter(({ measured }) => measured).length,
      matched_voters: votes[index]?.voters ?? null,
    };
  });
  const preparation = planPreparation(prepared, data, dryRuns, { done: known.done, ...(known.made ?? nothingMade) }, estimate);
  times.push(preparation.seconds);
  const left = sum(arms.map(({ remaining }) => remaining));
  const atATime = Math.max(1, Math.min(known.atATime ?? 1, left));
  const total = totalOf(times);
  const seconds = total && { min: total.min / atATime, max: total.max / atATime };
  const asked = [
    ...arms.flatMap(({ remaining }, index) => (remaining > 0 ? (estimatesOf[index] ?? []) : [])),
    ...preparation.estimates,
  ];
  const ofTrials = sum(arms.map((arm) => arm.prompt_tokens));
  const prompt = addedRanges([{ min: ofTrials, max: ofTrials }, preparation.promptTokens]);
  const completion = addedRanges([...arms.map((arm) => arm.completion_tokens), preparation.completionTokens]);
  const checks = planChecks(prepared, data, {
    answerer: known.answerer ?? 'foreign',
    dryRunOf: (arm) => dryRuns[prepared.arms.indexOf(arm)],
    votes,
  });
  const perTrial = dryRuns.map(
    ({ calls, shared, characters }) => calls.length * bytesPerCall + shared.length * bytesPerShare + characters * storedShare,
  );
  const calls = addedRanges([...arms.map((arm) => arm.calls), preparation.calls]);
  const timing = planTiming(
    asked,
    seconds,
    atATime,
    experiment.runtime.reproducible ? 1 : Math.min(fewAtATime, left, known.slots ?? left),
  );
  const { rest = null } = known;
  const texts = sum(perTrial.map((bytes, index) => bytes * (arms[index]?.remaining ?? 0))) + preparation.bytes;
  return {
    experiment: experiment.name,
    cases: data.sample.length,
    replicates: experiment.replicates,
    trials: sum(arms.map(({ trials }) => trials)),
    ...(part === undefined ? {} : { part }),
    ...(experiment.runtime.order === undefined ? {} : { order: experiment.runtime.order }),
    arms,
    calls: { ...calls },
    prompt_tokens: prompt.max,
    completion_tokens: { ...completion },
    hours:
      rest !== null
        ? { min: rest.seconds / 3600, max: rest.seconds / 3600 }
        : seconds === null
          ? { min: hours(prompt.min, completion.min, fast), max: hours(prompt.max, completion.max, slow) }
          : { min: seconds.min / 3600, max: seconds.max / 3600 },
    timing: rest === null ? timing : { ...timing, sentence: restWords(rest), unmeasured: [] },
    preparation_calls: { ...preparation.calls },
    preparation_prompt_tokens: { ...preparation.promptTokens },
    preparation_completion_tokens: { ...preparation.completionTokens },
    ...diskOf(texts, calls.max),
    missing_models: known.missingModels,
    done: sum([...known.done.values()]),
    begun: known.begun ?? 0,
    checks,
    notes: checks.map(sentenceOf),
  };
}

/** A plan with what it does not know of itself. @param free bytes on the disk of the store */
export function withChecks(plan: PlanReport, further: readonly Check[], free: number): PlanReport {
  const room = plan.disk_bytes_most <= free ? [] : [noRoom(plan.disk_bytes_most, free)];
  const checks = [...plan.checks, ...further, ...room];
  return { ...plan, checks, notes: checks.map(sentenceOf) };
}

const figure = (rate: number) => rate.toLocaleString('en', { maximumFractionDigits: rate < 100 ? 1 : 0 });

const paceOf = ({ prompt, completion }: PlanReport['timing']['speeds'][number]) =>
  `writes ${figure(completion)} tokens/s${prompt === null ? '' : ` and reads ${figure(prompt)}`}`;

const originOf = ({ source, calls }: PlanReport['timing']['speeds'][number]) =>
  source === 'measurement' ? 'measured just now' : `median of ${calls} ${calls === 1 ? 'call' : 'calls'} on the record`;

function timeOf({ min, max }: Range): string {
  const [least, most] = [duration(min), duration(max)];
  return least === most ? `about ${least}` : `${least} to ${most}`;
}

/**
 * What is known of the time that calls take, and from what.
 * @param seconds of all of them; null where the speed of a model is not known
 * @param more calls that could be made at a time
 */
export function planTiming(
  estimates: readonly CallEstimate[],
  seconds: Range | null,
  atATime = 1,
  more = 1,
): PlanReport['timing'] {
  const speeds = [
    ...new Map(estimates.flatMap(({ model, speed }) => (speed === null ? [] : [[model, { ...speed, model }]]))),
  ].map(([, { model, prompt, completion, calls, source }]) => ({ model, prompt, completion, calls, source }));
  const unmeasured = [...new Set(estimates.flatMap(({ model, speed }) => (speed === null ? [model] : [])))];
  const known = speeds.map((speed) => `${speed.model} ${paceOf(speed)} (${originOf(speed)})`).join('; ');
  if (seconds === null || unmeasured.length > 0) {
    const sentence = `not known: there is no measurement of ${unmeasured.join(', ')} on this machine yet`;
    return { sentence: known === '' ? sentence : `${sentence}; ${known}`, speeds, unmeasured };
  }
  const time = timeOf(seconds);
  const faster =
    more === 1 || seconds.max < worthMore
      ? ''
      : `; with ${more} at a time ${timeOf({ min: seconds.min / more, max: seconds.max / more })}, if the server takes ${more} at a time and answers each as fast as one`;
  const pace = atATime === 1 ? `counted as one call after the other${faster}` : `${atATime} calls at a time`;
  return { sentence: known === '' ? time : `${time}, ${pace}; ${known}`, speeds, unmeasured };
}
