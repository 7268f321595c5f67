import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { predictionReader } from '../../../core/imported/prediction.ts';
import { conductTrial, type TrialEnd } from '../../../core/record/conduct.ts';
import { Divergence } from '../../../core/record/divergence.ts';
import type { Effects, TrialLedger } from '../../../core/record/effects.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { trialId } from '../../../core/record/identity.ts';
import { openCourt } from '../../../core/record/trialCourt.ts';
import type { TrialCheck } from '../../../shared/api/trials.ts';
import type { EventPayload, FrozenArm, RecordEvent } from '../../../shared/events.ts';
import { importedProtocol, importMappingSchema, isImported } from '../../../shared/imported.ts';
import type { ReplayedTrial, ReplayReport } from '../../../shared/outputs.ts';
import { type FrozenExperiment, loadFrozen, missingProtocol, newerGuard, otherReader } from '../lab/frozen.ts';
import { storeLedger } from '../lab/trialRun.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import { ErasedText } from '../store/erasedText.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import { chainFault, checkRequests, textProblem } from './chain.ts';
import { sharedCheck } from './preparation.ts';
import { compareTrial } from './projections.ts';
import { openRechecker, type Rechecker } from './recheck.ts';

/** A replay makes no calls: what the record lacks is a difference. */
const noEffects: Effects = {
  perform: (call) => Promise.reject(new Divergence(call.key, 'the protocol asks for a call that is not on the record')),
  askOnce: ({ role }) => Promise.reject(new Divergence(role, 'the protocol asks a shared question that is not on the record')),
  retrieve: () => Promise.reject(new Divergence('precedents', 'the protocol looks for precedents that are not on the record')),
  rate: () => Promise.reject(new Divergence('rating', 'the protocol has a statement rated, which is not on the record')),
  moderate: (key) => {
    throw new Divergence(key, 'the protocol asks the moderator for an answer that is not on the record');
  },
};

interface Walk {
  readonly result: ReplayedTrial['result'];
  readonly problem: string | null;
}

const different = (problem: string): Walk => ({ result: 'different', problem });

const described = ({ outcome, incomplete }: TrialEnd) => `${outcome}${incomplete ? ', incomplete' : ''}`;

/** Reads an imported prediction again from cells and mapping. @param attempt `trial-open` first @returns what differs, or null */
function importedDifference(store: Store, frozen: FrozenExperiment, attempt: readonly RecordEvent[]): string | null {
  const [, imported, close, extra] = attempt;
  if (imported?.kind !== 'prediction-import') return 'prediction-import: the record has no imported prediction';
  if (close?.kind !== 'trial-close') return 'the trial does not end with trial-close';
  if (extra !== undefined) return `the record has a step that no import makes: ${extra.kind}`;
  const { prediction, confidence, belief = null, course = [], ...cells } = imported.payload;
  const mapping = importMappingSchema.parse(JSON.parse(store.blobs.need(cells.mapping)));
  const { labels = [], positive = null } = frozen.definition.dataset;
  const textOf = (ref: string | null) => (ref === null ? null : store.blobs.need(ref));
  const read = predictionReader(mapping, { labels, positive })({
    value: textOf(cells.value),
    stated: textOf(cells.stated),
    probabilities: (cells.probabilities ?? []).map((each) => store.blobs.need(each)),
    opinions: (cells.opinions ?? []).map((each) => store.blobs.need(each)),
  });
  for (const [what, recorded, whose, again] of [
    ['says', prediction, 'value gives', read.prediction],
    ['has the confidence', confidence, 'cell gives', read.confidence],
    ['has the belief', belief, 'cells give', read.belief],
    ['has the opinions', course, 'cells give', read.course],
  ] as const) {
    if (isDeepStrictEqual(again, recorded)) continue;
    return `prediction-import: the record ${what} ${JSON.stringify(recorded)}, the file's ${whose} ${JSON.stringify(again)}`;
  }
  const { outcome, incomplete } = close.payload;
  if (outcome === read.outcome && !incomplete) return null;
  return `trial-close: the record says ${outcome}${incomplete ? ', incomplete' : ''}, the file's value gives ${read.outcome}`;
}

/** What of a trial's beginning is not what its experiment makes of the case, or null. */
function unlikePlan(
  frozen: FrozenExperiment,
  arm: FrozenArm,
  trial: string,
  caseId: string,
  open: EventPayload<'trial-open'>,
): string | null {
  const { replicate } = open;
  if (trialId({ experiment: frozen.name, arm: arm.name, case: caseId, replicate }) !== trial) return 'id';
  if (open.seed !== frozen.trialOf(arm.name, caseId, replicate).seed) return 'seed';
  return open.protocol === arm.protocol && open.protocolVersion === arm.protocolVersion ? null : 'protocol';
}

/** What of the protocol's steps, or of its end, is not on the record, or the other way round; null where all is. */
async function differenceIn(
  conduct: () => Promise<TrialEnd>,
  ledger: { unused(): string[] },
  close: RecordEvent | undefined,
): Promise<string | null> {
  let end: TrialEnd;
  try {
    end = await conduct();
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    return error.message;
  }
  const [unused] = ledger.unused();
  if (unused !== undefined) return `the record has a step that the protocol does not make: ${unused}`;
  if (close?.kind !== 'trial-close') return 'the trial does not end with trial-close';
  if (close.payload.outcome === end.outcome && close.payload.incomplete === end.incomplete) return null;
  return `trial-close: the record says ${described(close.payload)}, the replay ends ${described(end)}`;
}

const begunOtherwise = (what: string) => `trial-open: the trial was not begun as its experiment says (${what})`;

/** What the row of results says that the trial's events do not, or null. */
function rowDifference(store: Store, row: TrialRow): string | null {
  const { prediction, outcome, confidence } = store.trials.derive(row.trial, parseChain(store.events.chain(row.trial)));
  if (prediction === row.prediction && outcome === row.outcome && confidence === row.confidence) return null;
  return `the table of results says ${row.prediction ?? row.outcome}, the record ${prediction ?? outcome}`;
}

/** Whether this program can read the arm's predictions again. */
const isThisImport = (arm: FrozenArm) => isImported(arm) && arm.protocolVersion === importedProtocol.version;

/** Runs a trial's protocol over its recorded answers and compares every step, and the end, with the record. */
async function walk(
  store: Store,
  rechecker: Rechecker,
  frozen: FrozenExperiment,
  row: TrialRow,
  events: readonly RecordEvent[],
): Promise<Walk> {
  const attempt = lastAttempt(events);
  const [open] = attempt;
  if (open?.kind !== 'trial-open') return different('the trial does not begin with trial-open');
  const arm = frozen.arms.find(({ name }) => name === open.payload.arm);
  if (arm === undefined) return different(`arm ${open.payload.arm} is not in the experiment`);
  const protocol = frozen.protocol(arm);
  const kase = store.datasets.read(open.payload.case);
  const unlike = unlikePlan(frozen, arm, row.trial, kase.id, open.payload);
  if (isThisImport(arm)) {
    if (unlike !== null) return different(begunOtherwise(unlike));
    const problem = importedDifference(store, frozen, attempt) ?? rowDifference(store, row);
    return problem === null ? { result: 'identical', problem: null } : different(problem);
  }
  const lacks = missingProtocol(frozen, arm) ?? otherReader(attempt) ?? newerGuard(frozen);
  if (protocol === undefined || lacks !== null) {
    return { result: 'not-replayable', problem: `${lacks} is not in this program` };
  }
  if (unlike !== null) return different(begunOtherwise(unlike));
  const recordedLedger = storeLedger(store, row.trial, events, frozen.dataset.id);
  const ledger: TrialLedger = {
    ...recordedLedger,
    append: (kind, payload) => {
      const key = 'key' in payload ? payload.key : kind;
      throw new Divergence(key, `the protocol makes a step (${kind}) that is not on the record`);
    },
  };
  const effects = { ...noEffects, recheck: rechecker.of(frozen, open.payload.case) };
  const court = openCourt(frozen.trialTerms(arm, kase.id, open.payload.seed, open.payload.attempt), ledger, effects);
  const conduct = () => conductTrial(protocol, court, frozen.case(kase));
  const problem = await differenceIn(conduct, recordedLedger, attempt.at(-1));
  if (problem !== null) return different(problem);
  const inTable = rowDifference(store, row);
  return inTable === null ? { result: 'identical', problem: null } : different(inTable);
}

/** Replays one trial, offline: differences are reported, a damaged file is thrown. @param rechecker of the same store */
export async function replayTrial(store: Store, row: TrialRow, rechecker = openRechecker(store)): Promise<ReplayedTrial> {
  const name = { trial: row.trial, experiment: row.experiment, arm: row.arm, case: row.case_id };
  if (row.status !== 'done') return { ...name, result: 'unfinished', problem: 'the trial is not done' };
  try {
    const events = parseChain(store.events.chain(row.trial));
    const open = lastAttempt(events)[0];
    const freeze = open?.kind === 'trial-open' ? open.payload.freeze : undefined;
    const begun = store.experiments.history(row.experiment).find(({ hash }) => hash === freeze);
    // Without the question no prompt can be made again.
    if (begun !== undefined && store.erasures.has(begun.payload.definition)) throw new ErasedText();
    return { ...name, ...(await walk(store, rechecker, loadFrozen(store, row.experiment, freeze), row, events)) };
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    if (error instanceof ErasedText) return { ...name, result: 'erased', problem: 'texts of this trial were erased' };
    return { ...name, ...different(error instanceof Error ? error.message : String(error)) };
  }
}

/** Replays every trial of a store, or one. What `onProgress` throws ends it. */
export async function replayStore(
  store: Store,
  rows: readonly TrialRow[],
  onProgress: (done: number) => void,
): Promise<ReplayReport> {
  const rechecker = openRechecker(store);
  const counts = { identical: 0, different: 0, 'not-replayable': 0, unfinished: 0, erased: 0 };
  const trials: ReplayedTrial[] = [];
  for (const [index, row] of rows.entries()) {
    // A further attempt may begin meanwhile: row and events are read at one moment.
    const replayed = await store.snapshot(() => replayTrial(store, store.trials.get(row.trial) ?? row, rechecker));
    counts[replayed.result] += 1;
    if (replayed.result !== 'identical') trials.push(replayed);
    onProgress(index + 1);
    // An interrupt is heard between two trials.
    await setImmediate();
  }
  return {
    store: store.path,
    identical: counts.identical,
    different: counts.different,
    not_replayable: counts['not-replayable'],
    unfinished: counts.unfinished,
    erased: counts.erased,
    trials,
    older_readings: [],
  };
}

function chainProblem(store: Store, row: TrialRow, chain: readonly StoredEvent[]): string | null {
  const dataset = store.experiments.get(row.experiment)?.dataset;
  if (dataset === undefined) return `experiment ${row.experiment} is not on the record`;
  const { salt } = store.datasets.get(dataset);
  const inOrder = chainFault(chain, (event) => textProblem(store, salt, event));
  const found = inOrder ?? checkRequests(store, chain) ?? sharedCheck(store)(chain) ?? compareTrial(store, chain);
  if (found === null) return null;
  return found.seq === null ? found.problem : `event ${found.seq} (${found.kind}): ${found.problem}`;
}

/** Checks one trial from its bytes up and replays it, offline. A fault is reported and never thrown. */
export async function checkTrial(store: Store, row: TrialRow): Promise<TrialCheck> {
  const chain = store.events.chain(row.trial);
  const problem = chainProblem(store, row, chain);
  const replayed = await replayTrial(store, row);
  return {
    chain: problem === null ? 'intact' : 'tampered',
    replay: replayed.result,
    head: store.events.head(row.trial) ?? null,
    events: chain.length,
    problem: problem ?? replayed.problem,
  };
}
