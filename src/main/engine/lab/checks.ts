// What to know of an experiment before it runs. Doctor, runs, plans and screens all take their checks from here.
import { z } from 'zod';
import { canonical } from '../../../core/answers/fields.ts';
import { pointsOf } from '../../../core/figures/shares.ts';
import { castMember } from '../../../core/protocols/cast.ts';
import type { TryNeed } from '../../../shared/api/trials.ts';
import { type Check, note, warning } from '../../../shared/checks.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { counterbalancedName } from '../../../shared/swaps.ts';
import { ownCall } from '../commandText.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { repeatsOnTrial } from '../datasets/repeats.ts';
import { isReadable, keyedServers } from './apiKeys.ts';
import { charactersPerToken, inventAnswer, sum, tokensIn } from './callEstimate.ts';
import { casesOutside, contaminationOfData, countTruths } from './contamination.ts';
import { swapsOf } from './counterbalance.ts';
import type { MatchedVote } from './dryRun.ts';
import { type DryRun, promptLength } from './dryRun.ts';
import { trainingByLabel } from './examples.ts';
import { askedOf, playersOf } from './experimentFile.ts';
import type { PreparedArm, PreparedExperiment } from './preparedArm.ts';
import { confounded, showable } from './primary.ts';

/** Who answers a run, as far as repeating it goes: our own Ollama in reproducible mode or otherwise, or another's server. */
export type Answerer = 'reproducible' | 'slots' | 'foreign';

type Arms = Pick<PreparedExperiment, 'arms'>;

/** What is true of an arm is true of its swapped ones, so it is said once. */
const ownArms = ({ arms }: Arms): PreparedArm[] => arms.filter(({ swap }) => swap === null);

const temperatureSchema = z.object({ temperature: z.number() });
const hearingsSchema = z.object({ ambiguity: z.int().min(1), temperature: z.number() });

/** Arms that differ only in their names: their seeds are the same, so at best they repeat each other. */
function equalArms({ arms }: Arms): Check[] {
  const alike = Map.groupBy(arms, (arm) => {
    const { definition, protocol, bound, swap, variant } = arm;
    return canonical({
      protocol: [protocol.id, protocol.version],
      params: bound.params,
      cast: playersOf(arm),
      belief: definition.belief,
      swap,
      prompts: variant?.hash ?? null,
      mask: definition.mask ?? null,
      change: definition.change ?? null,
    });
  });
  return [...alike.values()].flatMap((equal) => {
    if (equal.length < 2) return [];
    const names = equal.map(({ definition }) => JSON.stringify(definition.name)).join(', ');
    return warning(
      `arms ${names} have the same protocol, prompts, parameters and cast, so comparing them shows nothing`,
      'for repeated trials use replicates',
    );
  });
}

function coldRoles({ definition, protocol, bound }: PreparedArm): string[] {
  const usual = temperatureSchema.safeParse(bound.params).data?.temperature;
  return protocol.roles.filter((role) => (castMember(definition.cast, role)?.options.temperature ?? usual) === 0);
}

const isCold = (arm: PreparedArm): boolean => coldRoles(arm).length === arm.protocol.roles.length;

/** Arms that answer at temperature 0 only, and are tried with other seeds all the same. */
export const coldSeeds = (arms: readonly PreparedArm[]): string[] => [
  ...new Set(
    arms.flatMap((arm) => {
      const { change } = arm.definition;
      return change?.kind === 'seed' && isCold(arm) ? [change.of] : [];
    }),
  ),
];

/** What differs by its seed hardly differs at temperature 0. */
const hardlyDiffers = (arm: string, what: string): Check => ({
  ...note(
    `arm ${arm} answers at temperature 0, where ${what} hardly differ: they show how much the answers of the server vary by themselves, and little else`,
    'for other answers set options.temperature in its cast',
  ),
  temperature_of: arm,
});

/** Arms that ask a model for several samples of a belief at temperature 0, which makes them all alike. */
function equalBeliefs(arm: PreparedArm): Check | [] {
  const { definition } = arm;
  const cold = coldRoles(arm);
  if (typeof definition.belief === 'string' || cold.length === 0) return [];
  const whose = cold.length === 1 ? 'the role' : 'the roles';
  return {
    ...warning(
      `arm ${definition.name} samples beliefs, and at temperature 0 all samples of ${whose} ${cold.join(', ')} are alike`,
      'set options.temperature in its cast',
    ),
    temperature_of: definition.name,
  };
}

/** Arms whose fresh hearings show whether a case is ambiguous, with a clerk at temperature 0, which makes them all alike. */
function equalHearings({ definition, bound }: PreparedArm): Check | [] {
  const { data: hearings } = hearingsSchema.safeParse(bound.params);
  if (hearings === undefined) return [];
  const temperature = castMember(definition.cast, 'clerk')?.options.temperature ?? hearings.temperature;
  if (temperature !== 0) return [];
  return warning(
    `arm ${definition.name} holds fresh hearings to find ambiguous cases, and at temperature 0 they are all alike and find none`,
    'set options.temperature of the clerk in its cast',
  );
}

const ratedSchema = z.object({
  assistant: z.enum(['model', 'trained']),
  passing: z.literal('mean'),
  threshold: z.number(),
  learntThreshold: z.literal(false),
});

/** Arms whose rounds pass by the mean of ratings that are opposed: of a calibrated assistant it is at most one half. */
function hardlyPassing({ definition, bound }: PreparedArm): Check | [] {
  const { data: rated } = ratedSchema.safeParse(bound.params);
  if (rated === undefined || rated.threshold < 0.5) return [];
  return warning(
    `arm ${definition.name} will hardly ever leave its first opinion: debaters of opposed positions cannot both be right, so that the mean of their ratings hardly reaches ${rated.threshold}`,
    'set params.passing to max, lower params.threshold, or use params.learntThreshold',
  );
}

export function fileChecks(prepared: Arms): Check[] {
  const own = ownArms(prepared);
  return [...equalArms(prepared), ...own.flatMap(equalBeliefs), ...own.flatMap(equalHearings), ...own.flatMap(hardlyPassing)];
}

const notReproducible: Readonly<Record<Exclude<Answerer, 'reproducible'>, readonly [string, string]>> = {
  foreign: [
    'runtime.reproducible: the server was not started by this program, which cannot know how many calls it answers at once, whether it ' +
      'keeps prompts in memory between trials, and who else asks it. The same answers again are not guaranteed',
    'an Ollama that this program starts in reproducible mode has one slot and keeps none.',
  ],
  slots: [
    'runtime.reproducible: the Ollama that this program started is not in reproducible mode: it has several slots, or keeps prompts in ' +
      'memory between trials. The same answers again are not guaranteed',
    'turn the mode on in the settings and start it again.',
  ],
};

function contested(arms: readonly PreparedArm[], data: Dataset): Check[] {
  const truths = new Map(data.cases.map(({ id, truth }) => [id, truth]));
  const counts = countTruths(data.sample.map((id) => truths.get(id) ?? null));
  return arms.flatMap(({ definition, bound }) => {
    const labels = bound.contested(data.labels);
    const outside = casesOutside(labels, counts);
    if (outside === 0) return [];
    return warning(
      `arm ${definition.name} cannot be right on ${outside} of ${data.sample.length} cases: their truth is not among ${labels.join(', ')}`,
    );
  });
}

const mostNamed = 8;

function precedentsOf(arms: readonly PreparedArm[], data: Dataset): Check[] {
  const looking = arms.filter(({ bound }) => bound.precedents !== null);
  if (looking.length === 0) return [];
  const counts = [...trainingByLabel(data)];
  return looking.flatMap(({ definition: { name, cast }, bound: { precedents } }) => {
    const how =
      precedents?.retriever === 'random'
        ? 'draws its precedents at random'
        : cast.retriever === undefined
          ? 'finds its precedents by TF-IDF, since no embedding model plays the role retriever'
          : `finds its precedents by the vectors of ${cast.retriever.model}`;
    const wanted = precedents?.perLabel ?? 0;
    const short = counts.filter(([, count]) => count < wanted).map(([label, count]) => `${label} (${count})`);
    const named = short.length > mostNamed ? [...short.slice(0, mostNamed), `${short.length - mostNamed} more`] : short;
    const few = `arm ${name} wants ${wanted} of each label, and the training split has fewer of ${named.join(', ')}`;
    return [note(`arm ${name} ${how}`), ...(short.length === 0 ? [] : [warning(few)])];
  });
}

/** The notes before a run, with its data. @param answerer null where no server is asked */
export function runChecks(prepared: PreparedExperiment, data: Dataset, answerer: Answerer | null): Check[] {
  const own = ownArms(prepared);
  const unsure = prepared.experiment.runtime.reproducible && answerer !== null && answerer !== 'reproducible';
  return [
    ...data.checks,
    ...repeatsOnTrial(data, prepared.experiment.dataset.kind),
    ...(unsure ? [warning(...notReproducible[answerer])] : []),
    ...contested(own, data),
    ...confounded(prepared),
    ...fileChecks(prepared),
    ...(prepared.experiment.replicates > 1 ? own.filter(isCold) : []).map(({ definition }) =>
      hardlyDiffers(definition.name, 'replicates of a case'),
    ),
    ...coldSeeds(own).map((arm) => hardlyDiffers(arm, 'trials with other seeds')),
    ...precedentsOf(own, data),
  ];
}

const overPlainHttp = (sent: string): Check =>
  warning(
    `${sent} over plain http, so that all of it can be read on the way`,
    'use an https address, or an SSH tunnel to 127.0.0.1',
  );

/** Which secret goes where, and which cases can be read on the way. @param asked names of the servers that the experiment asks */
export function sendingChecks(
  backends: Readonly<Record<string, BackendDefinition>>,
  asked: { readonly has: (name: string) => boolean },
): { title: string; check: Check }[] {
  return Object.entries(backends).flatMap(([name, backend]) => {
    if (!asked.has(name)) return [];
    const { host } = new URL(backend.url);
    const [keyed] = keyedServers({ [name]: backend });
    const title = `${keyed === undefined ? 'way to' : 'key of'} ${name}`;
    if (isReadable(backend)) {
      const what = keyed === undefined ? 'the cases' : `the key in ${keyed.variable} and the cases`;
      return { title, check: overPlainHttp(`backend ${name}: ${what} are sent to ${host}`) };
    }
    return keyed === undefined ? [] : { title, check: note(`backend ${name}: the key in ${keyed.variable} is sent to ${host}`) };
  });
}

const stopsEarly = ({ stop }: PreparedExperiment['experiment']): Check | [] =>
  stop === undefined
    ? []
    : note(
        `the calls are at most these: the run ends early once the anytime-valid interval of the primary comparison is narrower than ${pointsOf(stop.width)}`,
      );

/** That the sample takes all training cases: baselines never learn from a case on trial. */
function withoutTraining({ experiment }: PreparedExperiment, data: Dataset): Check | [] {
  if (data.labels.length === 0 || experiment.arms.length === 0) return [];
  const onTrial = new Set(data.sample);
  const training = data.cases.filter(({ id, truth }) => truth !== null && data.splits.get(id) === 'train');
  if (training.length === 0 || training.some(({ id }) => !onTrial.has(id))) return [];
  return warning(
    'all training cases are on trial, so no case is left to learn from and there will be no baselines to compare the arms with',
    'take the cases from the test share',
  );
}

function counterbalanced(arms: readonly PreparedArm[], trialsOfArm: number): Check[] {
  return arms.flatMap(({ definition }) => {
    const further = swapsOf(definition);
    if (further.length === 0) return [];
    const names = further.map((swap) => counterbalancedName(definition.name, swap)).join(', ');
    return note(
      `arm ${definition.name} is counterbalanced: ${further.length * trialsOfArm} further trials, as ${names}, with the same cases and seeds`,
    );
  });
}

/** Prompts that may not fit the context, by dry run and longest case: only the server proves it, recorded as `overflow`. */
const contexts = (...dryRun: Parameters<typeof contextNeeds>): Check[] =>
  contextNeeds(...dryRun)
    .filter(({ fits }) => !fits)
    .map(({ arm, prompt, numPredict, numCtx }) =>
      warning(
        `arm ${JSON.stringify(arm)}: a prompt of about ${prompt} tokens (estimated) and an answer of up to ${numPredict} may not fit the context of ${numCtx}`,
        'raise runtime.numCtx, or such calls end as overflow',
      ),
    );

/** Answers whose shortest valid form may already be too long. It is an estimate: what is cut is recorded as `truncated`. */
function truncated({ definition: { name } }: PreparedArm, dryRun: DryRun | undefined): Check | [] {
  const [longest] = (dryRun?.calls ?? [])
    .map(({ call: { key, request } }) => ({
      step: key.replace(/\/attempt-\d+$/, ''),
      tokens: tokensIn(inventAnswer(request, 'shortest')),
      most: request.options.numPredict,
    }))
    .filter(({ tokens, most }) => tokens > most)
    .toSorted((one, other) => other.tokens - one.tokens);
  if (longest === undefined) return [];
  const { step, tokens, most } = longest;
  return warning(
    `arm ${JSON.stringify(name)}: the shortest answer to ${step} takes about ${tokens} tokens (estimated), and numPredict allows ${most}`,
    'raise runtime.numPredict, or let the answer rank fewer labels with params.topK; else such calls end as truncated',
  );
}

const memory = 'tests for such memory (docs/contamination.md)';
const probing = {
  command: `"${ownCall} vary" with --change probe=names or probe=rows ${memory}`,
  screen: `the command assize vary ${memory}`,
};

export function planChecks(
  prepared: PreparedExperiment,
  data: Dataset,
  known: {
    readonly answerer: Answerer;
    readonly dryRunOf: (arm: PreparedArm) => DryRun | undefined;
    readonly votes: readonly (MatchedVote | null)[];
  },
): Check[] {
  const own = ownArms(prepared);
  const contamination = contaminationOfData(prepared, data);
  return [
    ...(contamination === null ? [] : [note(contamination.text.replace(/\.$/, ''), probing)]),
    ...sendingChecks(prepared.experiment.backends, askedOf(prepared).needed).map(({ check }) => check),
    ...counterbalanced(own, data.sample.length * prepared.experiment.replicates),
    ...[stopsEarly(prepared.experiment), withoutTraining(prepared, data)].flat(),
    ...showable(prepared, data),
    ...runChecks(prepared, data, known.answerer),
    ...contexts({ ...prepared, arms: own }, data, known.dryRunOf),
    ...own.flatMap((arm) => truncated(arm, known.dryRunOf(arm))),
    ...known.votes.flatMap((vote) => vote?.check ?? []),
  ];
}

const charactersOf = (facts: Dataset['cases'][number]['facts']) =>
  facts.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

/** Characters by which the cases on trial exceed the one of the dry run: the longest of them, or their mean. */
export function longerBy({ cases, sample }: Dataset, which: 'longest' | 'mean'): number {
  const onTrial = new Set(sample);
  const lengths = cases.filter(({ id }) => onTrial.has(id)).map(({ facts }) => charactersOf(facts));
  const dryRun = cases.find(({ id }) => id === sample[0]);
  const length =
    which === 'mean' ? sum(lengths) / Math.max(1, lengths.length) : lengths.reduce((most, each) => Math.max(most, each), 0);
  return length - (dryRun === undefined ? 0 : charactersOf(dryRun.facts));
}

/** Tokens of the call of an arm that comes nearest to its context, or goes farthest beyond it. */
export interface ContextNeed extends TryNeed {
  readonly arm: string;
}

/** What the arms need of the context, one each where there is a dry run of the arm. */
export function contextNeeds(
  { experiment, arms }: PreparedExperiment,
  data: Dataset,
  dryRunOf: (arm: PreparedArm) => DryRun | undefined,
): ContextNeed[] {
  const extra = longerBy(data, 'longest') / charactersPerToken;
  return arms.flatMap((arm) => {
    const needs = (dryRunOf(arm)?.calls ?? []).map(({ call }) => {
      const options = castMember(arm.definition.cast, call.role)?.options;
      return {
        prompt: Math.ceil(promptLength(call) / charactersPerToken + extra),
        numCtx: options?.numCtx ?? experiment.runtime.numCtx,
        numPredict: options?.numPredict ?? experiment.runtime.numPredict,
      };
    });
    const [worst] = needs.toSorted((a, b) => b.prompt + b.numPredict - b.numCtx - (a.prompt + a.numPredict - a.numCtx));
    if (worst === undefined) return [];
    return [{ arm: arm.definition.name, ...worst, fits: worst.prompt + worst.numPredict <= worst.numCtx }];
  });
}
