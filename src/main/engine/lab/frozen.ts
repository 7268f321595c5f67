// Loads an experiment as the record froze it, and says which of its versions this program does not have.
import { z } from 'zod';
import { readerVersion } from '../../../core/answers/answer.ts';
import type { TrainedAssistant } from '../../../core/assistant/trainedAssistant.ts';
import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { changedCase } from '../../../core/cases/changedCase.ts';
import type { ShownTerms } from '../../../core/cases/columnNames.ts';
import { exampleLabel, examplesFor } from '../../../core/cases/examples.ts';
import { maskNames } from '../../../core/cases/maskNames.ts';
import { sampleOf } from '../../../core/cases/sample.ts';
import { sampleIds } from '../../../core/cases/split.ts';
import { withMessages } from '../../../core/prompts/wording.ts';
import { castMember } from '../../../core/protocols/cast.ts';
import { findProtocol, isPaperPreset } from '../../../core/protocols/index.ts';
import type { TrialTerms } from '../../../core/record/effects.ts';
import { furtherSeed, trialId, trialSeed } from '../../../core/record/identity.ts';
import { guardRules } from '../../../core/text/found.ts';
import type { Case, DatasetCase, Example, SplitName } from '../../../shared/domain.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { FrozenArm, RecordEvent } from '../../../shared/events.ts';
import {
  armSchema,
  beliefChoiceSchema,
  castSchema,
  firstReplicate,
  recordedExperimentSchema,
} from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import type { Part } from '../../../shared/part.ts';
import { readOnce, remembered } from '../../../shared/remembered.ts';
import { baseArm, type Swap, swapSchema } from '../../../shared/swaps.ts';
import { commandText } from '../commandText.ts';
import type { FreezeEvent } from '../store/experiments.ts';
import type { Store } from '../store/store.ts';
import type { TrialPlace } from '../store/trials.ts';
import { assistantVersions, loadAssistant } from './assistant/ledger.ts';

const termsSchema = z.strictObject({
  params: z.unknown(),
  cast: castSchema,
  belief: beliefChoiceSchema,
  swap: swapSchema.optional(),
  mask: armSchema.shape.mask,
  change: armSchema.shape.change,
  /** The version of the trained assistant that the arm rates with: its number, and the hash of its event. */
  assistant: z.strictObject({ version: z.int().min(1), hash: z.string() }).optional(),
});
export type ArmTerms = z.infer<typeof termsSchema>;

export type PlannedTrial = TrialPlace;

/** Loads an experiment as of one of its freezes; the last one where none is named. */
export function loadFrozen(store: Store, name: string, freezeHash?: string): FrozenExperiment {
  const history = store.experiments.history(name);
  const event = freezeHash === undefined ? history.at(-1) : history.find(({ hash }) => hash === freezeHash);
  if (event === undefined) throw notFound(store, name);
  return frozenFrom(store, event);
}

/** What people call the columns now: as the list of data sets has it, else as the experiment was frozen. */
export function columnTermsOf(store: Store, { name, definition }: Pick<FrozenExperiment, 'name' | 'definition'>): ShownTerms {
  if (definition.dataset.namesInPrompts === true) return definition.dataset;
  const entry = store.runs.of(name)?.entry ?? null;
  return (entry === null ? undefined : store.dataFiles.get(entry)?.definition) ?? definition.dataset;
}

export const listedNames = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

export function notFound(store: Store, name: string): AssizeError {
  const trial = /^[0-9a-f]{16}$/.test(name) ? store.trials.get(name) : undefined;
  if (trial !== undefined) {
    const command = `to read it: ${commandText('show', trial.experiment, '--trial', name)}, with the same --store`;
    return new AssizeError('not-found', `${name} is a trial of ${JSON.stringify(trial.experiment)}, not an experiment`, {
      file: store.path,
      remedy: { command },
    });
  }
  const names = store.experiments.names();
  const there = names.length === 0 ? 'the store has none' : `the store has ${listedNames(names)}`;
  const wanted = name === '' ? 'name an experiment' : `there is no experiment ${JSON.stringify(name)}`;
  return new AssizeError('not-found', `${wanted}; ${there}`, { file: store.path });
}

/** An experiment as the record holds it: everything that its trials are made from. */
export type FrozenExperiment = ReturnType<typeof frozenFrom> & {
  /** The only trials that a run makes; absent: all. */
  readonly part?: Part;
};

function frozenFrom(store: Store, { hash, payload }: FreezeEvent) {
  const definition = recordedExperimentSchema.parse(JSON.parse(store.blobs.need(payload.definition)));
  const row = store.datasets.all().find(({ manifest }) => manifest === payload.dataset.manifest);
  if (row === undefined)
    throw new AssizeError('store-unreadable', `the data set of experiment ${payload.name} is missing`, { file: store.path });
  const { dataset, seed, replicates } = definition;
  const inSplit = (split: SplitName) =>
    dataset.sample.ids !== undefined || dataset.sample.from === 'all' || split === dataset.sample.from;

  const terms = remembered((arm: FrozenArm) => termsSchema.parse(JSON.parse(store.blobs.need(arm.terms))));
  const armOf = new Map(payload.arms.map((arm) => [arm.name, arm]));
  const differingIn = (name: string): Pick<ArmTerms, 'swap' | 'change'> => {
    const arm = armOf.get(name);
    return arm === undefined ? {} : terms(arm);
  };
  const swapOf = (name: string): Swap | null => differingIn(name).swap ?? null;
  const changeOf = (name: string) => differingIn(name).change;
  const templatesOf = remembered((arm: FrozenArm) => {
    const loaded = Object.fromEntries(Object.entries(arm.templates).map(([template, ref]) => [template, store.blobs.need(ref)]));
    const shipped = findProtocol(arm.protocol, arm.protocolVersion)?.templates ?? {};
    return withMessages(loaded, shipped);
  });
  const protocolOf = remembered((arm: FrozenArm) => {
    const { params, cast } = terms(arm);
    return findProtocol(arm.protocol, arm.protocolVersion)?.bind(params, cast);
  });
  const isPaper = remembered((arm: FrozenArm) => {
    const protocol = findProtocol(arm.protocol, arm.protocolVersion);
    return protocol !== undefined && isPaperPreset(protocol, terms(arm).params);
  });

  const assistantOf = readOnce((wanted: string): TrainedAssistant => {
    const version = assistantVersions(store, row.id).find((each) => each.hash === wanted);
    if (version === undefined)
      throw new AssizeError('store-unreadable', 'the trained assistant of an arm is not on the record', { file: store.path });
    return loadAssistant(store, version);
  });

  // To unpack every case of a large set takes seconds.
  const isDrawnById = dataset.sample.by === undefined && !dataset.sample.distinct && dataset.sample.ids === undefined;
  const drawSample = () => {
    const found = store.datasets.cases(row.id).filter(({ split }) => inSplit(split));
    if (isDrawnById) {
      return sampleIds(
        found.map(({ id }) => id),
        dataset.sample.n,
        seed,
      );
    }
    // The facts that the sample was drawn by are no longer there; what was run is on the record.
    if (store.erasures.tookCases(row.manifest)) {
      const run = new Set(store.trials.heads(payload.name).map(({ case_id }) => case_id));
      return found.flatMap(({ id }) => (run.has(id) ? [id] : []));
    }
    return sampleOf(
      found.map(({ ref }) => store.datasets.read(ref)),
      dataset,
      seed,
    );
  };
  let onTrial: string[] | null = null;
  const sample = () => {
    onTrial ??= drawSample();
    return onTrial;
  };
  const sampleSize = () => {
    if (!isDrawnById) return sample().length;
    const there = store.datasets.sizes(row.id).reduce((sum, { split, cases }) => sum + (inSplit(split) ? cases : 0), 0);
    return Math.min(there, dataset.sample.n ?? there);
  };

  const examples = (arm: FrozenArm, caseId: string): Example[] => {
    if (arm.examples.chosen.length === 0) return [];
    const byId = new Map(
      [...arm.examples.chosen, ...arm.examples.reserves].map((ref) => {
        const kase = store.datasets.read(ref);
        return [kase.id, kase] as const;
      }),
    );
    const ids = (refs: readonly string[]) => refs.map((ref) => store.datasets.outline(ref).id);
    const labelOf = (id: string) => exampleLabel(byId.get(id)?.truth ?? null);
    const drawn = { chosen: ids(arm.examples.chosen), reserves: ids(arm.examples.reserves) };
    return examplesFor(drawn, labelOf, caseId).map((id) => ({ facts: byId.get(id)?.facts ?? [], label: labelOf(id) ?? '' }));
  };

  /** The trial of a case for the k-th time, counted from 0, in an arm that is run. */
  const trialOf = (arm: string, caseId: string, replicate: number): PlannedTrial => ({
    id: trialId({ experiment: payload.name, arm, case: caseId, replicate }),
    ...{ arm, caseId, replicate },
    seed: trialSeed(seed, caseId, firstReplicate(definition) + replicate, furtherSeed(changeOf(arm))),
  });

  const runTrials = (): PlannedTrial[] => {
    const cases = sample();
    return payload.arms
      .filter((arm) => !isImported(arm))
      .flatMap((arm) =>
        Array.from({ length: replicates }, (_, replicate) => replicate).flatMap((replicate) =>
          cases.map((caseId) => trialOf(arm.name, caseId, replicate)),
        ),
      );
  };

  /** What a file brought is all that such an arm has: nothing of it is still to come. */
  function* importedTrials(): Generator<PlannedTrial> {
    const imported = payload.arms.filter(isImported);
    if (imported.length === 0) return;
    const position = new Map(sample().map((id, index) => [id, index]));
    for (const { name } of imported)
      yield* store.trials
        .ofArm(payload.name, name)
        .sort((a, b) => a.replicate - b.replicate || (position.get(a.caseId) ?? 0) - (position.get(b.caseId) ?? 0));
  }

  return {
    name: payload.name,
    definition,
    dataset: { id: row.id, salt: row.salt },
    arms: payload.arms,
    /** Hash of the freeze or extension, hexadecimal. */
    freeze: hash,
    /** Version of the rules by which its answers are read; undefined in records from before they were strict. */
    reader: payload.reader,
    /** Version of the rules by which foreign texts are made harmless. */
    guard: payload.guard ?? 1,
    terms,
    swapOf,
    /** In what the arm of a name differs from another; undefined where it is an arm by itself. */
    changeOf,
    /** The arm that the arm of a name is with something exchanged or changed; null where it is an arm by itself. */
    baseOf: (arm: string) => changeOf(arm)?.of ?? baseArm(arm, swapOf(arm)),
    isVaried: (arm: string) => swapOf(arm) !== null || changeOf(arm) !== undefined,
    /** The cases on trial, in sample order: drawn once. */
    sample,
    /** How many they are, counted where they need not be drawn for it. */
    sampleSize,
    trialOf,
    /** Every trial: first those of `runTrials`, then the imported ones that are on the record, arm by arm. */
    *trials(): Generator<PlannedTrial> {
      yield* runTrials();
      yield* importedTrials();
    },
    /** The trials that a run makes, arms in the order of the file, cases in sample order. */
    runTrials,
    case: (kase: DatasetCase) => caseOnTrial(dataset, kase),
    /** The case with the change that an arm declares; its facts are the case's own list where it has none, or it leaves them. */
    changedCase(arm: string, kase: DatasetCase) {
      const [onTrial, change] = [caseOnTrial(dataset, kase), changeOf(arm)];
      return change === undefined ? onTrial : changedCase(onTrial, change, trialSeed(seed, kase.id, 0));
    },
    /** The protocol version that the arm was frozen with; undefined where this program does not have it. */
    protocol: protocolOf,
    trialTerms(arm: FrozenArm, caseId: string, seedOfTrial: number, attempt: number): TrialTerms {
      const { cast, belief, swap = null, mask, change, assistant } = terms(arm);
      return {
        assistant: assistant === undefined ? undefined : assistantOf(assistant.hash),
        embedder: cast.embedder,
        seed: seedOfTrial,
        experimentSeed: seed,
        caseSeed: trialSeed(seed, caseId, 0),
        attempt,
        salt: row.salt,
        templates: templatesOf(arm),
        examples: examples(arm, caseId),
        runtime: definition.runtime,
        belief,
        reading: definition.reading,
        guard: payload.guard === 2 ? 2 : 1,
        paper: isPaper(arm),
        swap,
        mask,
        change,
        retriever: cast.retriever ?? null,
        castOf(role) {
          const member = castMember(cast, role);
          if (member === undefined) throw new Error(`no one plays the role ${role} in arm ${arm.name}`);
          return member;
        },
      };
    },
  };
}

/** The case as the models of an arm read it: changed, and with its names masked where the arm says so. */
export function caseAsRead(frozen: FrozenExperiment, name: string, kase: DatasetCase): Case {
  const arm = frozen.arms.find((each) => each.name === name);
  const changed = frozen.changedCase(name, kase);
  return arm !== undefined && frozen.terms(arm).mask !== undefined ? maskNames(changed) : changed;
}

/** The version of an arm's protocol in words, where this program does not have it; else null. */
export const missingProtocol = (frozen: FrozenExperiment, arm: FrozenArm): string | null =>
  frozen.protocol(arm) === undefined ? `version ${arm.protocolVersion} of protocol ${arm.protocol}` : null;

/** The version of the rules by which an attempt's answers were read, in words, where it is not this program's; else null. */
export function otherReader(attempt: readonly RecordEvent[]): string | null {
  for (const { kind, payload } of attempt) {
    if (kind !== 'call-answer' && kind !== 'answer-share') continue;
    const { reader = 1 } = payload;
    if (reader !== readerVersion) return `version ${reader} of the rules by which answers are read`;
  }
  return null;
}

/** The version of the rules by which foreign texts are made harmless, in words, where it is newer than this program's; else null. */
export const newerGuard = ({ guard }: FrozenExperiment): string | null =>
  guard > guardRules ? `version ${guard} of the rules by which texts from outside are made harmless` : null;

/** Throws bad input where an experiment was begun with a protocol or with rules that this program does not have. */
export function refuseOtherVersions(store: Store, frozen: FrozenExperiment): void {
  const run = frozen.arms.filter((arm) => !isImported(arm));
  const [protocol] = run.flatMap((arm) => missingProtocol(frozen, arm) ?? []);
  const reading = 'other rules by which answers are read';
  const lacks = protocol ?? (run.length > 0 && frozen.reader !== readerVersion ? reading : newerGuard(frozen));
  if (lacks === null) return;
  throw new AssizeError(
    'bad-input',
    `experiment ${JSON.stringify(frozen.name)} was begun with ${lacks}, which this program does not have; ` +
      'give the experiment another name, or use another store',
    { file: store.path, field: 'name' },
  );
}
