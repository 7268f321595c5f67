import { readerVersion } from '../../../core/answers/answer.ts';
import { guardRules } from '../../../core/text/found.ts';
import type { EventPayload, FrozenArm } from '../../../shared/events.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import { baseArm } from '../../../shared/swaps.ts';
import { ownCall } from '../commandText.ts';
import { type Dataset, fileRefOf } from '../datasets/dataset.ts';
import { common } from '../store/blobs.ts';
import type { DatasetRow } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { chooseAssistant } from './assistant/need.ts';
import { type TriedArm, triedArms } from './counterbalance.ts';
import { refuseErased } from './erasedData.ts';
import { drawFromTraining } from './examples.ts';
import { type FrozenExperiment, loadFrozen, refuseOtherVersions } from './frozen.ts';
import { type PreparedArm, type PreparedExperiment, wordsOfArm } from './preparedArm.ts';

/** The definition as it is recorded: labels and positive label as they came out of the data, and nothing that no trial depends on. */
export function definitionOf({ experiment }: PreparedExperiment, data: Dataset): Experiment {
  const labels = data.labels.length === 0 ? {} : { labels: [...data.labels] };
  const positive = data.positive === null ? {} : { positive: data.positive };
  const { suggestions: _ofSearches, ...recorded } = experiment;
  return { ...recorded, dataset: { ...experiment.dataset, ...labels, ...positive } };
}

function withoutShownTerms({ names, units, ...dataset }: Experiment['dataset']) {
  return dataset.namesInPrompts === true ? { ...dataset, names, units } : dataset;
}

/** Whether the record has what trials depend on as the file has it, defaults that are new to the record filled in. */
export function saysTheSame({ definition }: FrozenExperiment, prepared: PreparedExperiment, data: Dataset): boolean {
  const now = definitionOf(prepared, data);
  const [before, after] = [definition, now].map((each) => ({ ...each, dataset: withoutShownTerms(each.dataset) }));
  return differences(before, after).length === 0;
}

/** Parts of a definition that a finished trial depends on; what may grow is left out. */
function fixedPart(
  { seed, dataset, runtime, reading, primary, stop, retrial }: Experiment,
  arms: readonly TriedArm[],
): Record<string, unknown> {
  const {
    path: _path,
    sample: { n: _n, ...sample },
    ...data
  } = withoutShownTerms(dataset);
  const {
    waitMinutes: _wait,
    durability: _durability,
    timeoutSeconds: _timeout,
    idleSeconds: _idle,
    reuseAnswers: _reuse,
    order: _order,
    ...limits
  } = runtime;
  return {
    seed,
    dataset: { ...data, sample },
    runtime: limits,
    reading,
    primary,
    stop,
    retrial,
    arms: Object.fromEntries(arms.map((arm) => [arm.name, arm])),
  };
}

const sampleSize = ({ dataset }: Experiment) => dataset.sample.n ?? Number.POSITIVE_INFINITY;

function refuseChange(prepared: PreparedExperiment, before: Experiment, now: Experiment): void {
  const recorded = before.arms.flatMap(triedArms);
  const known = new Set(recorded.map(({ name }) => name));
  const still = now.arms.flatMap(triedArms).filter(({ name }) => known.has(name));
  const here = new Set(still.map(({ name }) => name));
  const lacking = recorded.find(({ name }) => !here.has(name));
  if (lacking !== undefined) {
    throw prepared.file.error(
      `experiment ${JSON.stringify(now.name)} is on the record with an arm ${JSON.stringify(lacking.name)} that is not in this file; ` +
        'add new arms to the file that it ran from, or give the changed experiment a new name',
      ['arms'],
    );
  }
  const [first, ...more] = differences(fixedPart(before, recorded), fixedPart(now, still));
  if (first !== undefined) {
    const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
    throw prepared.file.error(
      `experiment ${JSON.stringify(now.name)} is on the record with another ${first.path}: ${first.before} there, ${first.after} here${rest}; ` +
        'give the changed experiment a new name',
      first.path.startsWith('arms.') ? ['arms'] : first.path.split('.'),
    );
  }
  if (sampleSize(now) < sampleSize(before)) {
    throw prepared.file.error(
      `the record has a sample of ${before.dataset.sample.n ?? 'all'} cases; it can grow and not shrink`,
      ['dataset', 'sample', 'n'],
    );
  }
  if (now.replicates < before.replicates) {
    throw prepared.file.error(`the record has ${before.replicates} replicates; there can be more and not fewer`, ['replicates']);
  }
}

function freezeArm(
  store: Store,
  arm: PreparedArm,
  { file, experiment }: PreparedExperiment,
  data: Dataset,
  row: DatasetRow,
): FrozenArm {
  const { definition, protocol, bound, swap, variant } = arm;
  const { seed } = experiment;
  const keep = (content: string) => store.blobs.keep(common, content);
  const drawn = drawFromTraining(data, bound.shots, seed);
  const named = baseArm(definition.name, swap) ?? definition.name;
  const index = experiment.arms.findIndex(({ name }) => name === named);
  const rater = chooseAssistant(store, row.id, arm, (message, at) => file.error(message, ['arms', index, ...at]));
  const assistant = rater === null ? {} : { assistant: { version: rater.payload.version, hash: rater.hash } };
  const refs = (ids: readonly string[]) => ids.map((id) => store.datasets.caseOfId(row.id, id)?.ref ?? '');
  return {
    name: definition.name,
    protocol: protocol.id,
    protocolVersion: protocol.version,
    terms: keep(
      JSON.stringify({
        params: bound.params,
        cast: definition.cast,
        belief: definition.belief,
        ...(swap === null ? {} : { swap }),
        ...(definition.mask === undefined ? {} : { mask: definition.mask }),
        ...(definition.change === undefined ? {} : { change: definition.change }),
        ...assistant,
      }),
    ),
    templates: Object.fromEntries(Object.entries(wordsOfArm(arm)).map(([name, template]) => [name, keep(template)])),
    ...(variant === null ? {} : { prompts: { name: variant.name, hash: variant.hash } }),
    examples: bound.shots === 0 ? { chosen: [], reserves: [] } : { chosen: refs(drawn.chosen), reserves: refs(drawn.reserves) },
  };
}

function refuseImportedNames({ experiment, arms, file }: PreparedExperiment, recorded: readonly FrozenArm[]): void {
  const taken = new Set(recorded.filter(isImported).map(({ name }) => name));
  const own = arms.find(({ definition }) => taken.has(definition.name));
  if (own === undefined) return;
  const { name } = own.definition;
  const index = experiment.arms.findIndex((arm) => triedArms(arm).some((tried) => tried.name === name));
  throw file.error(`arm ${JSON.stringify(name)} is on the record with imported predictions; give this arm another name`, [
    'arms',
    index,
    'name',
  ]);
}

/** An arm on the record has its words for good: trials with others would be of another arm. */
function refuseOtherWords({ arms, file }: PreparedExperiment, recorded: readonly FrozenArm[]): void {
  for (const [index, { definition, variant }] of arms.entries()) {
    const before = recorded.find(({ name }) => name === definition.name)?.prompts;
    if (before === undefined || variant === null || before.hash === variant.hash) continue;
    throw file.error(
      `the words of variant ${JSON.stringify(before.name)} have changed since this arm was recorded; ` +
        `give the arm another name, or restore the file: ${ownCall} prompts export writes it from the record`,
      ['arms', index, 'prompts'],
    );
  }
}

/** What prevents recording the experiment, if anything: checked before anything is written. */
export function checkAgainstRecord(store: Store, prepared: PreparedExperiment, data: Dataset): void {
  const { name } = prepared.experiment;
  if (store.experiments.get(name) === undefined) return;
  refuseErased(store, name);
  const before = loadFrozen(store, name);
  if (!saysTheSame(before, prepared, data)) refuseOtherVersions(store, before);
  refuseImportedNames(prepared, before.arms);
  refuseOtherWords(prepared, before.arms);
  const recorded = store.experiments.history(name).at(-1)?.payload.dataset.file;
  if (recorded !== fileRefOf(before.dataset.salt, data)) {
    throw prepared.file.error(
      'the data file has changed since the experiment began; restore it, or give the experiment a new name',
      ['dataset', 'path'],
    );
  }
  refuseChange(prepared, before.definition, definitionOf(prepared, data));
}

/** An experiment keeps the rules that it was begun with: its trials are compared with each other. */
function guardOf(before: EventPayload<'experiment-freeze'> | undefined): { guard?: number } {
  if (before === undefined || before.arms.every(isImported)) return { guard: guardRules };
  return before.guard === undefined ? {} : { guard: before.guard };
}

/** Records an experiment, or its extension, and returns it as recorded. Does nothing where the record already says the same. */
export function freezeExperiment(store: Store, prepared: PreparedExperiment, data: Dataset): FrozenExperiment {
  checkAgainstRecord(store, prepared, data);
  const { name } = prepared.experiment;
  const definition = definitionOf(prepared, data);
  const before = store.experiments.history(name).at(-1);
  if (before !== undefined && saysTheSame(loadFrozen(store, name), prepared, data)) return loadFrozen(store, name);
  store.write(
    () => {
      const row = store.datasets.save(data.cases, data.splits);
      const frozen = new Map((before?.payload.arms ?? []).map((arm) => [arm.name, arm]));
      const fileRef = fileRefOf(row.salt, data);
      store.experiments.freeze(before === undefined ? 'experiment-freeze' : 'experiment-extend', {
        v: 1,
        at: new Date().toISOString(),
        name,
        assize: programVersion,
        definition: store.blobs.keep(common, JSON.stringify(definition)),
        dataset: { manifest: row.manifest ?? '', file: fileRef },
        reader: readerVersion,
        ...guardOf(before?.payload),
        arms: [
          ...prepared.arms.map((arm) => frozen.get(arm.definition.name) ?? freezeArm(store, arm, prepared, data, row)),
          ...[...frozen.values()].filter(isImported),
        ],
      });
    },
    { durable: true },
  );
  return loadFrozen(store, name);
}

export interface Difference {
  readonly path: string;
  /** JSON text, or `nothing`. */
  readonly before: string;
  readonly after: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Every place where two JSON values differ, in the order of the first one's keys. Absent and undefined are the same. */
export function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path: path.join('.'), before: shown(before), after: shown(after) }];
}
