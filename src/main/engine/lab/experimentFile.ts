// Reads an experiment file and checks arms, casts and parameters.

import { dirname, resolve } from 'node:path';
import { ZodError } from 'zod';
import type { Variant } from '../../../core/prompts/variant.ts';
import { castMember, isEmbeddingRole, plainRole, playersIn, seatNames, strangersIn } from '../../../core/protocols/cast.ts';
import { type BoundProtocol, probes, protocols, type RegisteredProtocol } from '../../../core/protocols/index.ts';
import { beliefRefusal } from '../../../core/protocols/labelSetBelief.ts';
import type { Case } from '../../../shared/domain.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import {
  type ArmDefinition,
  type Cast,
  type CastMember,
  type Experiment,
  experimentSchema,
  studySchema,
} from '../../../shared/experiment.ts';
import { ownCall } from '../commandText.ts';
import { type Dataset, readDataset } from '../datasets/dataset.ts';
import { refuseForeignPath } from '../store/location.ts';
import { keyedServers } from './apiKeys.ts';
import { refuseUnfitRating } from './assistant/need.ts';
import { fullModelName, neededModels, retrieversOf } from './backends.ts';
import { refuseIdleChanges, refuseUnfitChanges } from './changedArms.ts';
import { counterbalancedArms, refuseSwapsWithoutVerdict, refuseUnfitSwaps } from './counterbalance.ts';
import { refuseMissingExamples, refuseMissingPrecedents } from './examples.ts';
import { fieldName } from './jsonFile.ts';
import { keyNameProblem } from './keyNames.ts';
import { poolProblem } from './lanes.ts';
import { readArmsFile } from './matrixFile.ts';
import type { Fail, PreparedArm, PreparedExperiment } from './preparedArm.ts';
import { refuseUnfitMeasure, refuseUnfitPrimary } from './primary.ts';
import { namedVariant } from './promptVariants.ts';

/** Reads and checks an experiment file. Throws bad input with file, line and field. */
export function readExperiment(path: string): PreparedExperiment {
  refuseForeignPath(path, '<experiment.json>');
  const file = readArmsFile(path);
  if (studySchema.safeParse(file.value).success) {
    throw file.error(`this is a study; run it with ${ownCall} study, or give it a "name" and one "dataset"`, ['study']);
  }
  const experiment = file.parse(experimentSchema);
  const data = experiment.dataset.path;
  try {
    refuseForeignPath(data, 'dataset.path');
  } catch (error) {
    throw error instanceof AssizeError ? file.error(error.message, ['dataset', 'path']) : error;
  }
  const folder = dirname(path);
  return prepareExperiment({ experiment, file, folder, dataPath: resolve(folder, data) });
}

/** Checks an experiment that is in no file yet: its faults are named only by its keys. Throws bad input. */
export function prepareDrafted(experiment: Experiment, dataPath: string): PreparedExperiment {
  const error: PreparedExperiment['file']['error'] = (message, path) =>
    badInput(message, fieldName(path).replace(/^dataset\.sample\b/, 'sample'));
  return prepareExperiment({ experiment, file: { error }, dataPath });
}

type Source = Omit<PreparedExperiment, 'arms'>;

/** The one way to prepare an experiment, wherever it is from: checks what the schema cannot, arms, casts and parameters. Throws bad input. */
export function prepareExperiment(source: Source): PreparedExperiment {
  const { experiment } = source;
  const fail: Fail = (message, at) => source.file.error(message, at);
  const names = new Set<string>();
  const arms = experiment.arms.map((arm, index) => {
    if (names.has(arm.name))
      throw fail(`arm ${JSON.stringify(arm.name)} occurs twice; give each arm its own name`, ['arms', index, 'name']);
    names.add(arm.name);
    return prepareArm(source, arm, (message, at) => fail(message, ['arms', index, ...at]));
  });
  const { suggestions } = experiment;
  if (suggestions !== undefined)
    refuseUnknownPlace(suggestions.by, experiment, (message, at) => fail(message, ['suggestions', 'by', ...at]));
  refuseForeignSecrets(experiment, fail);
  const unfit = poolProblem(experiment.backends, experiment.runtime.reproducible);
  if (unfit !== null) throw fail(unfit.problem, ['backends', unfit.backend, 'joins']);
  refuseUnequalContexts(experiment, arms, fail);
  refuseKeptPrompts(experiment, arms, fail);
  refuseUnfitRating(experiment, arms, fail);
  refuseUnfitPrimary(experiment, fail);
  refuseUnfitChanges(source, fail);
  return { ...source, arms: [...arms, ...counterbalancedArms(arms)] };
}

const askedRoles = ({ roles, seats }: BoundProtocol) => roles.flatMap((role) => seatNames(role, seats));

export const playersOf = ({ definition, bound }: PreparedArm) => playersIn(definition.cast, askedRoles(bound), bound);

export function playedArms({ arms, experiment: { runtime, backends } }: PreparedExperiment) {
  return { arms: arms.map((arm) => ({ ...arm.definition, cast: playersOf(arm) })), runtime, backends };
}

export function askedOf(prepared: PreparedExperiment) {
  const played = playedArms(prepared);
  const all = { ...played, arms: [...played.arms, ...(prepared.later ?? [])] };
  return { played, needed: neededModels(all), retrievers: retrieversOf(played) };
}

export function refuseUnfitCases(
  { experiment, arms, file }: PreparedExperiment,
  labels: readonly string[],
  multiLabel: boolean,
): void {
  for (const [index, { bound, definition }] of arms.entries()) {
    const refusal = bound.refusal({ kind: experiment.dataset.kind, labels, multiLabel });
    if (refusal !== null) throw file.error(refusal, ['arms', index, 'protocol']);
    refuseSwapsWithoutVerdict(definition, labels, (message, at) => file.error(message, ['arms', index, ...at]));
    const noBelief = beliefRefusal(definition.belief, multiLabel);
    if (noBelief !== null) throw file.error(noBelief, ['arms', index, 'belief']);
  }
}

/** The other words that an arm asks for. An error inside their file is reported with its own place. */
function variantOf({ protocol, prompts }: ArmDefinition, { experiment, folder }: Source, fail: Fail): Variant | null {
  if (prompts === undefined) return null;
  let variant: Variant;
  try {
    variant = namedVariant(prompts, folder ?? null, experiment.runtime.numCtx);
  } catch (error) {
    throw error instanceof AssizeError && error.place.file === undefined ? fail(error.message, ['prompts']) : error;
  }
  if (variant.protocol === protocol) return variant;
  throw fail(`variant ${JSON.stringify(variant.name)} is of protocol ${variant.protocol}, and the arm is ${protocol}`, [
    'prompts',
  ]);
}

function refuseUnknownPlace({ model, backend }: CastMember, { backends }: Experiment, fail: Fail): void {
  if (!Object.hasOwn(backends, backend)) {
    const known = Object.keys(backends).join(', ');
    throw fail(`there is no backend ${JSON.stringify(backend)}; there are ${known}`, ['backend']);
  }
  if (/cloud$/i.test(model)) throw fail(`model ${model} runs on somebody else's machine; name a local model`, ['model']);
}

function prepareArm(source: Source, arm: ArmDefinition, fail: Fail): PreparedArm {
  const { experiment } = source;
  const protocol = [...protocols, ...probes].find(({ id }) => id === arm.protocol);
  if (protocol === undefined) {
    const known = [...protocols, ...probes].map(({ id }) => id).join(', ');
    throw fail(`there is no protocol ${JSON.stringify(arm.protocol)}; there are ${known}`, ['protocol']);
  }
  const bound = bindParams(protocol, arm, fail);
  for (const [role, member] of Object.entries(arm.cast))
    refuseUnknownPlace(member, experiment, (message, at) => fail(message, ['cast', role, ...at]));
  refuseStrangers(arm.cast, protocol, bound, fail);
  const unplayed = askedRoles(bound).find((role) => castMember(arm.cast, role) === undefined);
  // Where no seat of a role is taken, one entry for all of them is the shorter remedy.
  const someSeated = unplayed !== undefined && Object.keys(arm.cast).some((role) => plainRole(role) === plainRole(unplayed));
  const missing = unplayed === undefined || someSeated ? unplayed : plainRole(unplayed);
  if (missing !== undefined)
    throw fail(`no one plays the role ${JSON.stringify(missing)}; add it, or "*" for every role`, ['cast']);
  const prepared = { definition: arm, protocol, bound, swap: null, variant: variantOf(arm, source, fail) };
  refuseUnfitSwaps(prepared, fail);
  refuseUnfitMask(prepared, fail);
  return prepared;
}

const openCase: Case = { kind: 'open', facts: [], question: '', labels: [], positive: null, multiLabel: false };

function refuseUnfitMask({ definition: { mask }, bound }: Pick<PreparedArm, 'definition' | 'bound'>, fail: Fail): void {
  if (mask === undefined || (bound.shots === 0 && bound.precedents === null && bound.sharedCalls(openCase) === 0)) return;
  throw fail('an arm with examples, precedents or fresh hearings cannot mask names: they are of cases as they are', ['mask']);
}

function refuseStrangers(cast: Cast, protocol: RegisteredProtocol, bound: BoundProtocol, fail: Fail): void {
  const roles = [...protocol.roles, ...(protocol.optionalRoles ?? [])];
  const [stranger] = strangersIn(cast, roles, askedRoles(bound));
  if (stranger === undefined) return;
  const seats = bound.seats?.[plainRole(stranger)];
  throw fail(
    seats === undefined
      ? `protocol ${protocol.id} has no role ${JSON.stringify(stranger)}; its roles are ${roles.join(', ')}, and * for all`
      : `no one sits at ${JSON.stringify(stranger)}: with these parameters there are ${seatNames(plainRole(stranger), bound.seats).join(', ')}`,
    ['cast', stranger],
  );
}

function bindParams(protocol: RegisteredProtocol, { params, cast }: ArmDefinition, fail: Fail): BoundProtocol {
  try {
    return protocol.bind(params, cast);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const [issue] = error.issues;
    const at = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
    if (issue?.code === 'unrecognized_keys') {
      throw fail(`protocol ${protocol.id} has no parameter ${JSON.stringify(issue.keys[0])}`, [
        'params',
        ...at,
        issue.keys[0] ?? '',
      ]);
    }
    throw fail(issue?.message ?? 'the parameters do not fit', ['params', ...at]);
  }
}

/** Checked before anything is asked: a file that wants another secret goes no further. */
function refuseForeignSecrets({ backends }: Experiment, fail: Fail): void {
  for (const { name, variable } of keyedServers(backends)) {
    const problem = keyNameProblem(variable);
    if (problem !== null) throw fail(problem, ['backends', name, 'apiKeyVariable']);
  }
}

/** One model with two context sizes would be reloaded at every change between them. */
function refuseUnequalContexts(experiment: Experiment, arms: readonly PreparedArm[], fail: Fail): void {
  const contexts = new Map<string, number>();
  arms.forEach((arm, index) => {
    for (const [role, { model, backend, options }] of Object.entries(playersOf(arm))) {
      // What other servers give a call is settled when they start, and vectors are made in the model's own context.
      if (experiment.backends[backend]?.kind !== 'ollama' || (isEmbeddingRole(role) && options.numCtx === undefined)) continue;
      const name = `${experiment.backends[backend]?.joins ?? backend} ${fullModelName(model)}`;
      const numCtx = options.numCtx ?? experiment.runtime.numCtx;
      const before = contexts.get(name);
      if (before !== undefined && before !== numCtx) {
        throw fail(
          `model ${model} has numCtx ${numCtx} here and ${before} elsewhere, which would reload it again and again; use one value`,
          ['arms', index, 'cast', role, 'options', 'numCtx'],
        );
      }
      contexts.set(name, numCtx);
    }
  });
}

/** A reproducible run empties the server's memory before each trial, which only Ollama can do on request. */
function refuseKeptPrompts({ backends, runtime }: Experiment, arms: readonly PreparedArm[], fail: Fail): void {
  if (!runtime.reproducible) return;
  const backend = arms
    .flatMap((arm) => Object.values(playersOf(arm)))
    .find((member) => backends[member.backend]?.kind !== 'ollama')?.backend;
  if (backend === undefined) return;
  throw fail(
    `backend ${JSON.stringify(backend)} has no way to forget the prompts it has computed; leave reproducible out, or use Ollama`,
    ['runtime', 'reproducible'],
  );
}

/** The plan of an experiment is held in memory: about 200 bytes a trial. */
export const mostTrials = 2_000_000;

/** The data of an experiment, checked with its arms. Faults of the definition get the file's place. Throws bad input. */
export async function readExperimentData(prepared: PreparedExperiment): Promise<Dataset> {
  const { experiment, dataPath, file } = prepared;
  try {
    const data = prepared.data ?? (await readDataset(dataPath, experiment.dataset, { seed: experiment.seed }));
    refuseUnfitCases(prepared, data.labels, data.multiLabel);
    refuseUnfitMeasure(prepared, data);
    refuseIdleChanges(prepared, data);
    refuseMissingExamples(prepared, data);
    refuseMissingPrecedents(prepared, data);
    const trials = data.sample.length * experiment.replicates * prepared.arms.length;
    if (trials > mostTrials) {
      throw file.error(`${trials} trials are more than an experiment can have (${mostTrials}); split it`, ['replicates']);
    }
    return data;
  } catch (error) {
    if (error instanceof AssizeError && error.place.file === undefined && error.place.field !== undefined) {
      throw file.error(error.message, error.place.field.split('.'));
    }
    throw error;
  }
}
