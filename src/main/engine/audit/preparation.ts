// Looks up what experiments prepared once (vectors, precedents, shared answers), and checks it and what trials took from it.
import type { z } from 'zod';
import { caseKey } from '../../../core/assistant/caseKey.ts';
import { doublesIn } from '../../../core/assistant/numbersAsText.ts';
import { trainAssistant } from '../../../core/assistant/trainAssistant.ts';
import { ratedText } from '../../../core/assistant/trainedAssistant.ts';
import { narrate } from '../../../core/cases/narrative.ts';
import { partName, toHex } from '../../../core/record/hash.ts';
import { preparationChain } from '../../../core/record/identity.ts';
import { sharedCallPlace, sharedKey } from '../../../core/record/sharedKey.ts';
import { trainingSetSchema } from '../../../shared/assistants.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { recordedExperimentSchema } from '../../../shared/experiment.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { knownVectors, nameOf } from '../lab/assistant/ledger.ts';
import { isRight, isUnassisted } from '../lab/assistant/statements.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { narrativeOf } from '../lab/preparation/search.ts';
import { spaceSetupSchema } from '../lab/preparation/vectorSpace.ts';
import { ErasedText } from '../store/erasedText.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain, parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, badEvent, firstProblem } from './chain.ts';
import { checkVectors, requestCheck } from './requests.ts';

type Call = EventPayload<'call-answer'>;
/** An attempt at vectors, with its place in the chain. */
type Made = EventPayload<'embedding-make'> & { readonly seq: number };

export type Space = z.infer<typeof spaceSetupSchema>;

export const sameSpace = (a: Space, b: Space): boolean =>
  a.backend === b.backend &&
  a.model === b.model &&
  (a.digest ?? null) === (b.digest ?? null) &&
  (a.probe === undefined) === (b.probe === undefined);

/** Whether vectors are also of one context: those of an earlier program were compared though they were not. */
export const sameContext = (a: Space, b: Space): boolean => sameSpace(a, b) && a.options.numCtx === b.options.numCtx;

/** What was made once for an experiment, as an auditor looks things up in it. */
export type PreparedRecord = ReturnType<typeof readPrepared>;

function readPrepared(store: Store, experiment: string) {
  const calls = new Map<string, Call>();
  const keys = new Set<string>();
  const made = new Map<string, Made[]>();
  for (const event of store.events.chain(preparationChain(experiment))) {
    const parsed = parseStored(event);
    if (parsed.kind === 'call-answer') {
      calls.set(toHex(event.hash), parsed.payload);
      keys.add(parsed.payload.key);
    } else if (parsed.kind === 'embedding-make') {
      const attempt = { ...parsed.payload, seq: event.seq };
      for (const ref of attempt.cases) made.set(ref, [...(made.get(ref) ?? []), attempt]);
    }
  }
  return {
    callOf: (hash: string) => calls.get(hash),
    hasCall: (key: string) => keys.has(key),
    /** Every attempt at the vector of a case, in order. */
    embeddingsOf: (caseRef: string): readonly Made[] => made.get(caseRef) ?? [],
    /** What made vectors. Throws where the text is missing or is no such setup. */
    spaceOf: readOnce((setup: string) => spaceSetupSchema.parse(JSON.parse(store.blobs.need(setup)))),
  };
}

/** Looks up what experiments have prepared. A chain is read once, and again when it has grown. */
export function preparedRecords(store: Store): (experiment: string) => PreparedRecord {
  const read = new Map<string, { readonly head: string | undefined; readonly record: PreparedRecord }>();
  return (experiment) => {
    const head = store.events.head(preparationChain(experiment));
    const known = read.get(experiment);
    if (known !== undefined && known.head === head) return known.record;
    const record = readPrepared(store, experiment);
    read.set(experiment, { head, record });
    return record;
  };
}

type Share = EventPayload<'answer-share'>;
type Retrieved = EventPayload<'precedent-retrieve'>;
type Precedent = Retrieved['precedents'][number];

export function checkPreparation(store: Store, experiment: string, chain: readonly StoredEvent[]): BadRecord | null {
  const row = store.experiments.get(experiment);
  const checkRequest = requestCheck(store);
  return firstProblem(chain, (event) => {
    const parsed = parseStored(event);
    if (row === undefined) return `experiment ${experiment} is not on the record`;
    if (parsed.kind !== 'call-answer' && parsed.kind !== 'embedding-make') {
      return 'such an event has no place among what an experiment prepares';
    }
    const dataset = store.datasets.get(row.dataset);
    if (parsed.kind === 'call-answer') return checkRequest(dataset, parsed.payload);
    const { kind } = recordedExperimentSchema.parse(JSON.parse(store.blobs.need(row.definition))).dataset;
    const texts = () => parsed.payload.cases.map((ref) => narrate(store.datasets.read(ref).facts, kind));
    return checkVectors(store, dataset, parsed.payload, { texts, of: 'case' });
  });
}

type Failed = Pick<Share | Retrieved | EventPayload<'call-answer'>, 'failure'>;

/** Why there is no answer, without the details that differ between the two sides. */
const failureOf = ({ failure }: Failed): string => JSON.stringify(failure === undefined ? null : [failure.kind, failure.message]);

const pick = (said: Share | EventPayload<'call-answer'>): string =>
  JSON.stringify([said.answer, said.setup, said.done, said.rejected ?? null, said.method ?? null, failureOf(said)]);

/** What is wrong with a shared answer: it is the last one to its question under the key that it names. */
function shareProblem(prepared: PreparedRecord, share: Share): string | null {
  const { request, call: named } = share;
  const call = prepared.callOf(named.hash);
  if (call === undefined || call.key !== named.key) {
    return 'the call that it names is not in the preparation chain of its experiment';
  }
  const place = sharedCallPlace(named.key);
  if (place === null || place.question !== partName(request)) return 'the call that it names answers another question';
  if (prepared.hasCall(`${sharedKey(request, place.hearing)}/attempt-${place.attempt + 1}`)) {
    return 'the call that it names was followed by another attempt, whose answer holds';
  }
  return pick(call) === pick(share) ? null : 'its answer is not that of the call that it names';
}

/** What is wrong with a precedent: it is a training case with the label that it is said to have, and not the case on trial. */
function precedentProblem(store: Store, dataset: number, own: string, { case: ref, label }: Precedent): string | null {
  const stored = store.datasets.caseOfRef(dataset, ref);
  if (stored === undefined || stored.split !== 'train') return 'one of its precedents is not of the training split';
  if (ref === own) return 'one of its precedents is the case on trial';
  return store.datasets.outline(ref).truth === label ? null : 'one of its precedents has another label';
}

/** What is wrong with precedents that are said to be found by vectors: those of the case and of every precedent are on the record. */
function vectorsProblem(prepared: PreparedRecord, own: string, retrieved: Retrieved): string | null {
  const { setup, precedents, failure } = retrieved;
  if (setup === null) return 'it does not say what made its vectors';
  const space = prepared.spaceOf(setup);
  const ofCase = prepared.embeddingsOf(own).filter((made) => made.setup === setup);
  if (failure !== undefined) {
    if (precedents.length > 0) return 'it has precedents and a failure';
    return ofCase.some((made) => failureOf(made) === failureOf(retrieved))
      ? null
      : 'the failure that it names is not in the preparation chain of its experiment';
  }
  const has = (made: EventPayload<'embedding-make'>) => made.vectors !== null;
  const named = precedents.every(({ case: ref }) =>
    prepared.embeddingsOf(ref).some((made) => has(made) && sameSpace(prepared.spaceOf(made.setup), space)),
  );
  return named && ofCase.some(has) ? null : 'vectors that it rests on are not in the preparation chain of its experiment';
}

function retrievalProblem(
  store: Store,
  { name, dataset }: ExperimentPlace,
  prepared: PreparedRecord,
  own: string,
  retrieved: Retrieved,
): string | null {
  const { method, setup, precedents, failure } = retrieved;
  for (const precedent of precedents) {
    const problem = precedentProblem(store, dataset, own, precedent);
    if (problem !== null) return problem;
  }
  if (precedents.some(({ similarity }) => (similarity === null) !== (method === 'random'))) {
    return `its precedents do not have the similarities of the method ${method}`;
  }
  if (method === 'embeddings') return vectorsProblem(prepared, own, retrieved);
  return setup === null && failure === undefined ? null : `experiment ${name} has no model that the method ${method} could ask`;
}

interface ExperimentPlace {
  readonly name: string;
  readonly dataset: number;
}

/** What stays a call's own where it took over an answer. */
const ofItsOwn = { at: '', key: '', role: '', messages: [], guard: undefined, reused: undefined };

/** What is wrong with an answer that was taken over: it must be that of the call that it names, for the same case, replicate and experiment. */
function reuseProblem(store: Store, open: EventPayload<'trial-open'> | null, call: EventPayload<'call-answer'>): string | null {
  if (call.reused === undefined) return null;
  const { trial, key, hash } = call.reused;
  const read = (event: StoredEvent | undefined) => (event === undefined ? undefined : parseStored(event));
  const made = read(store.events.naming(trial, 'call-answer', call.request).find((event) => toHex(event.hash) === hash));
  const there = read(store.events.ofKinds(trial, ['trial-open'])[0]);
  const placeOf = ({ case: kase, replicate, freeze }: EventPayload<'trial-open'>) =>
    JSON.stringify([kase, replicate, store.experiments.ofFreeze(freeze)?.name]);
  const isBeside = open !== null && there?.kind === 'trial-open' && placeOf(there.payload) === placeOf(open);
  if (!isBeside || made?.kind !== 'call-answer' || made.payload.key !== key || made.payload.reused !== undefined) {
    return `the call ${key} of trial ${trial} whose answer it took over is not on the record`;
  }
  const [taken, given] = [call, made.payload].map((each) => JSON.stringify({ ...each, ...ofItsOwn }));
  return taken === given ? null : 'its answer is not that of the call whose answer it took over';
}

/** Checks what a trial has from elsewhere: shared answers, precedents, other trials' answers. Preparations are read once. */
export function sharedCheck(store: Store): (chain: readonly StoredEvent[]) => BadRecord | null {
  const preparedOf = preparedRecords(store);
  return (chain) => {
    let open: EventPayload<'trial-open'> | null = null;
    return firstProblem(chain, (event) => {
      const parsed = parseStored(event);
      if (parsed.kind === 'trial-open') open = parsed.payload;
      if (parsed.kind === 'call-answer') return reuseProblem(store, open, parsed.payload);
      if (parsed.kind !== 'answer-share' && parsed.kind !== 'precedent-retrieve') return null;
      const experiment = open === null ? undefined : store.experiments.ofFreeze(open.freeze);
      if (open === null || experiment === undefined) return 'its experiment is not on the record';
      const prepared = preparedOf(experiment.name);
      return parsed.kind === 'answer-share'
        ? shareProblem(prepared, parsed.payload)
        : retrievalProblem(store, experiment, prepared, open.case, parsed.payload);
    });
  };
}

/** What processors may make of the exponentials in a fit. */
const roundingNoise = 1e-5;

type Used = z.infer<typeof trainingSetSchema>['statements'][number];

/** What is wrong with a statement: it was made in its trial, about a training case, and is right where it says so. */
function statementProblem(store: Store, dataset: number, utterances: ReadonlySet<string>, used: Used): string | null {
  const stored = store.datasets.caseOfRef(dataset, used.case);
  if (stored?.split !== 'train') return 'one of its statements is not about a case of the training split';
  if (!utterances.has(statementName(used.trial, used.key, used.text, used.position))) {
    return 'one of its statements was not made in its trial';
  }
  const { truth } = store.datasets.outline(used.case);
  if (truth === null || used.position === null || isRight(used.position, truth) !== used.right) {
    return 'one of its statements is said to be right and is not, or the other way round';
  }
  return null;
}

const statementName = (trial: string, key: string, text: string, position: unknown) =>
  JSON.stringify([trial, key, text, position]);

/** Every utterance with a position of some trials, in all their attempts. */
function utterancesOf(store: Store, trials: ReadonlySet<string>): Set<string> {
  return new Set(
    [...trials].flatMap((trial) =>
      parseChain(store.events.ofKinds(trial, ['utterance-make'])).flatMap((event) =>
        event.kind === 'utterance-make' && event.payload.concedes !== true
          ? [statementName(trial, event.payload.key, event.payload.text, event.payload.position)]
          : [],
      ),
    ),
  );
}

/** Whether a trial was one of an experiment's unassisted debates, the only ones to learn from. */
function unassistedTrials(store: Store, experiment: string): (trial: string) => boolean {
  const frozen = loadFrozen(store, experiment);
  const arms = new Set(frozen.arms.filter((arm) => isUnassisted(frozen, arm)).map(({ name }) => name));
  return (trial) => {
    const row = store.trials.get(trial);
    return row?.experiment === experiment && arms.has(row.arm);
  };
}

const figuresOf = ({ training, holdout }: Pick<EventPayload<'assistant-train'>, 'training' | 'holdout'>): number[] => [
  ...Object.values(training),
  holdout.statements,
  holdout.cases,
  holdout.positive,
  holdout.accuracy,
  holdout.area ?? -1,
  ...(holdout.threshold === undefined ? [] : [holdout.threshold ?? -1]),
];

const isNear = (one: ArrayLike<number>, other: ArrayLike<number>): boolean =>
  one.length === other.length && Array.from(one).every((value, index) => Math.abs(value - (other[index] ?? 0)) <= roundingNoise);

/** What is wrong with a version: it is trained again from its statements, and has to come out the same. */
function versionProblem(
  store: Store,
  frozen: FrozenExperiment,
  embeddings: readonly EventPayload<'statement-embed'>[],
  payload: EventPayload<'assistant-train'>,
): string | null {
  const { v: rule, statements } = trainingSetSchema.parse(JSON.parse(store.blobs.need(payload.statements)));
  const trials = new Set(statements.map(({ trial }) => trial));
  if (![...trials].every(unassistedTrials(store, payload.experiment))) {
    return 'one of its statements is not of a debate of its experiment without an assistant';
  }
  const utterances = utterancesOf(store, trials);
  for (const used of statements) {
    const problem = statementProblem(store, frozen.dataset.id, utterances, used);
    if (problem !== null) return problem;
  }
  const { vectors, standin, erased } = knownVectors(store, embeddings, payload.embedder);
  const known = statements.map(({ case: kase, text, right }) => ({
    group: caseKey(rule, narrativeOf(frozen, store.datasets.read(kase))),
    isRight: right,
    vector: vectors.get(nameOf([kase, text])),
  }));
  const usable = known.flatMap(({ vector, ...statement }) => (vector === undefined ? [] : [{ ...statement, vector }]));
  if (usable.length < known.length && erased) throw new ErasedText();
  if (usable.length < known.length) return 'one of its statements has no vector';
  if (standin !== payload.standin) return "it does not say rightly whether its vectors are the demo model's";
  const again = trainAssistant(usable, { seed: payload.seed });
  if (again.isHeldOut.some((isHeldOut, index) => isHeldOut !== statements[index]?.holdout)) return 'its hold-out is another one';
  if (payload.dimensions !== again.weights.length - 1) return 'it has not as many dimensions as its vectors';
  if (!isNear(again.weights, doublesIn(store.blobs.need(payload.weights))))
    return 'its weights do not follow from its statements';
  const { threshold, ...measured } = again.holdout;
  const holdout = payload.holdout.threshold === undefined ? measured : { ...measured, threshold };
  return isNear(figuresOf({ ...again, holdout }), figuresOf(payload)) ? null : 'its figures do not follow from its statements';
}

/** The newest experiment over a data set, whose layout of cases is that of all the others. */
function experimentOver(store: Store, manifest: string): FrozenExperiment | null {
  const dataset = store.datasets.all().find((row) => row.manifest === manifest);
  const row = store.experiments.all().find((experiment) => experiment.dataset === dataset?.id);
  return row === undefined ? null : loadFrozen(store, row.name);
}

/** Checks the chain of a data set's trained assistants: every version is trained again from what it names. */
export function checkAssistants(store: Store, manifest: string, chain: readonly StoredEvent[]): BadRecord | null {
  const [first] = chain;
  if (first === undefined) return null;
  const frozen = experimentOver(store, manifest);
  if (frozen === null) return badEvent(first, 'its data set, or an experiment over it, is not on the record');
  const embeddings: EventPayload<'statement-embed'>[] = [];
  let versions = 0;
  return firstProblem(chain, (event) => {
    const { kind, payload } = parseStored(event);
    if (kind === 'statement-embed') {
      embeddings.push(payload);
      const texts = () =>
        payload.statements.map(([kase, text]) =>
          ratedText(narrativeOf(frozen, store.datasets.read(kase)), store.blobs.need(text)).toWellFormed(),
        );
      return checkVectors(store, frozen.dataset, payload, { texts, of: 'statement' });
    }
    if (kind !== 'assistant-train') return 'such an event has no place among trained assistants';
    versions += 1;
    return payload.version === versions ? versionProblem(store, frozen, embeddings, payload) : 'its number is not the next one';
  });
}
