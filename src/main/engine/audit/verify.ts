import { countedOf, mostTexts, placesOfTexts, rootsOf } from '../../../../resources/bundle/uses.mjs';
import { refOfBytes, rootHash } from '../../../core/record/hash.ts';
import { assistantManifest, isTrialChain, preparedExperiment, reviewedExperiment } from '../../../core/record/identity.ts';
import { refsOf } from '../../../core/record/texts.ts';
import { isOfOtherLog } from '../../../shared/checkpoints.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { reviewEvents } from '../../../shared/events/review.ts';
import type { VerifyReport } from '../../../shared/outputs.ts';
import { experimentsOf, noteOf } from '../lab/erasedData.ts';
import { heldIn } from '../lab/recordedProgress.ts';
import type { StoredEvent } from '../store/events.ts';
import { newestVersion } from '../store/migrations/index.ts';
import { adoptionOf } from '../store/origin.ts';
import { parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, badEvent, checkRequests, faultOfKind, linkProblem, problemOf } from './chain.ts';
import { type EarlierCheck, openEarlierCheck } from './earlierCheck.ts';
import { earlierRoot } from './earlierRoot.ts';
import { checkErasures, scopeCheck } from './erasures.ts';
import { aboutIn, type BadText, chainIn, placed } from './faultPlace.ts';
import { checkLog, type LogOptions, logOf } from './log.ts';
import { checkAssistants, checkPreparation, sharedCheck } from './preparation.ts';

import { compareFoundations, compareTrial, findLostTrial } from './projections.ts';
import { requestCheck } from './requests.ts';
import { checkReviews } from './reviews.ts';

/** Texts and events that have not their hash, or their place. Nothing where the file cannot be read to its end. @param room as `blobs.all` has it */
function countedIn(store: Store, room: number): Pick<VerifyReport, 'counted'> {
  const counted = { texts: 0, bad_texts: 0, events: 0, bad_events: 0 };
  const bad: string[] = [];
  try {
    const salts = new Map(store.datasets.all().map(({ id, salt }) => [id, salt]));
    for (const { ref, dataset, bytes } of store.blobs.all(room)) {
      const salt = salts.get(dataset);
      counted.texts += 1;
      if (salt !== undefined && bytes !== null && refOfBytes(salt, bytes) === ref) continue;
      counted.bad_texts += 1;
      if (bad.length < mostTexts) bad.push(ref);
    }
    let before: StoredEvent | null = null;
    for (const event of store.events.all()) {
      counted.events += 1;
      counted.bad_events += Number(linkProblem(before, event) !== null);
      before = event;
    }
    const places = placesOfTexts(bad, counted.bad_texts, () => store.events.all(), aboutIn(store));
    return { counted: countedOf({ ...counted, ...(places.length === 0 ? {} : { bad_text_places: places }) }) };
  } catch {
    return {};
  }
}

/** Refs seen lately are not looked up again; a store has too many to remember them all. */
const mostRemembered = 100_000;

function recently(most: number): (name: string) => boolean {
  const seen = new Set<string>();
  return (name) => {
    if (seen.has(name)) return true;
    if (seen.size >= most) seen.clear();
    seen.add(name);
    return false;
  };
}

/** Texts pack to a fifth; those that unpack to more than this many times the file were made to fill a memory. */
const mostUnpacked = 100;
const leastRoom = 2 ** 26;
const roomOf = (store: Store): number => Math.max(mostUnpacked * store.bytes(), leastRoom);

/** How far a check has come: it goes through the texts, then through the events and what was derived from them. */
export interface VerifyProgress {
  readonly stage: 'texts' | 'events';
  readonly done: number;
  readonly of: number;
}

/** Every record costs some microseconds; telling of each would cost more. */
const recordsBetweenReports = 500;

type Report = (progress: VerifyProgress) => void;

const showProgress = (report: Report | undefined, stage: VerifyProgress['stage'], done: number, of: number): void => {
  if (done % recordsBetweenReports === 0) report?.({ stage, done, of });
};

const badText = (ref: string, problem: string, { isGone = false, now }: { isGone?: boolean; now?: Buffer } = {}): BadText => ({
  ...faultOfKind('text', `text ${ref}: ${problem}`),
  text: { ref, isGone, now },
});

function checkTexts(store: Store, report?: Report): { bad: BadText | null; texts: number } {
  const salts = new Map(store.datasets.all().map(({ id, salt }) => [id, salt]));
  const all = report === undefined ? 0 : store.blobs.count();
  let texts = 0;
  for (const { ref, dataset, bytes } of store.blobs.all(roomOf(store))) {
    showProgress(report, 'texts', texts, all);
    texts += 1;
    const salt = salts.get(dataset);
    if (salt === undefined) return { bad: badText(ref, `its data set ${dataset} is missing`, { isGone: true }), texts };
    if (bytes === null) return { bad: badText(ref, 'it cannot be unpacked'), texts };
    if (refOfBytes(salt, bytes) !== ref)
      return { bad: badText(ref, 'its content does not have its hash', { now: bytes }), texts };
  }
  return { bad: null, texts };
}

/** Checks indexes: a change there can hide a row from a reader. */
function checkFile(store: Store): BadRecord | null {
  const problem = store.integrity();
  return problem === null ? null : faultOfKind('file', `an index does not fit its table: ${problem}`);
}

/** Checks a whole chain whose events are sound: what was derived from them, and what they have from elsewhere in the store. */
type CheckChain = (chain: readonly StoredEvent[]) => BadRecord | null;

function chainCheck(store: Store): CheckChain {
  const checkShared = sharedCheck(store);
  const checkScope = scopeCheck(store);
  const checkRequest = requestCheck(store);
  return (chain) => {
    const name = chain[0]?.trial ?? '';
    const manifest = assistantManifest(name);
    if (manifest !== null) return checkAssistants(store, manifest, chain);
    const prepared = preparedExperiment(name);
    if (prepared !== null) return checkPreparation(store, prepared, chain);
    const reviewed = reviewedExperiment(name);
    if (reviewed !== null) return checkReviews(store, reviewed, chain);
    if (!isTrialChain(name)) return null;
    return checkScope(chain) ?? checkRequests(store, chain, checkRequest) ?? checkShared(chain) ?? compareTrial(store, chain);
  };
}

interface EventsCheck {
  /** The first event that is damaged or out of its place. */
  readonly bad: BadRecord | null;
  readonly events: number;
  readonly heads: { chain: string; head: string }[];
  /** The first ref for which there is no text. */
  readonly missing: string | null;
  /** The first chain that does not agree with the rest of the store. */
  readonly badChain: Settled<BadRecord | null>;
  /** The first chain that is not what an earlier check read. */
  readonly strayed: BadRecord | null;
  /** Chains of trials that were read. */
  readonly trials: number;
}

/** What is read of the events where earlier checks read some of them, and how many events that is. */
function readingOf(store: Store, earlier: EarlierCheck | null) {
  if (earlier === null) return { events: store.events.count(), unread: [], rows: () => store.events.all() };
  const { unread, wanted } = earlier;
  return {
    events: wanted.reduce((sum, { events }) => sum + events, 0),
    unread,
    *rows() {
      for (const { chain } of wanted) yield* store.events.rows(chain);
    },
  };
}

/**
 * Walks every chain once: sequence, links and hashes over the stored bytes, the form of each payload, then the chain as a
 * whole. One chain is held at a time, and each event is parsed once.
 * @param checkChain null where the rest of the store is damaged
 * @param earlier checks that read some of the chains, which are then not read again
 */
function checkEvents(store: Store, checkChain: CheckChain | null, earlier: EarlierCheck | null, report?: Report): EventsCheck {
  const reading = readingOf(store, earlier);
  const heads = new Map(reading.unread.map(({ chain: name, hash }) => [name, hash.toString('hex')]));
  let strayed: BadRecord | null = null;
  let trials = 0;
  const present = recently(mostRemembered);
  let missing: string | null = null;
  let badChain: Settled<BadRecord | null> = { found: null };
  let events = 0;
  let chain: StoredEvent[] = [];
  const endChain = () => {
    const ended = chain;
    const last = ended.at(-1);
    chain = [];
    if (last === undefined) return;
    heads.set(last.trial, last.hash.toString('hex'));
    // After the first such chain the check looks only for damaged events and missing texts, which it reports first.
    if (missing === null && 'found' in badChain && badChain.found === null) badChain = settled(() => checkChain?.(ended) ?? null);
    trials += Number(isTrialChain(last.trial));
    strayed ??= earlier?.changed(ended) ?? null;
    const isSound = checkChain !== null && missing === null && 'found' in badChain && badChain.found === null && strayed === null;
    if (isSound) earlier?.keep({ chain: last.trial, events: ended.length, hash: last.hash });
  };
  for (const event of reading.rows()) {
    showProgress(report, 'events', events, reading.events);
    events += 1;
    if (chain[0]?.trial !== event.trial) endChain();
    const problem = problemOf(() => {
      const misplaced = linkProblem(chain.at(-1) ?? null, event);
      if (Object.hasOwn(reviewEvents, event.kind) !== (reviewedExperiment(event.trial) !== null))
        return 'this kind of event does not belong in this chain';
      if (misplaced === null)
        for (const ref of refsOf(parseStored(event)))
          if (missing === null && !present(ref) && !store.blobs.has(ref)) missing = ref;
      return misplaced;
    });
    if (problem !== null) return { bad: badEvent(event, problem), events, heads: [], missing: null, badChain, strayed, trials };
    chain.push(event);
  }
  endChain();
  return {
    bad: null,
    events,
    heads: [...heads].map(([name, head]) => ({ chain: name, head })),
    missing,
    badChain,
    strayed: strayed ?? earlier?.lost(heads) ?? null,
    trials,
  };
}

type Settled<T> = { readonly found: T } | { readonly error: unknown };

function settled<T>(check: () => T): Settled<T> {
  try {
    return { found: check() };
  } catch (error) {
    return { error };
  }
}

function foundIn<T>(result: Settled<T>): T {
  if ('error' in result) throw result.error;
  return result.found;
}

/** Checks what events are about: texts, then what was erased, data sets and experiments. */
function checkBasis(store: Store, report: Report | undefined) {
  const { bad, texts } = checkTexts(store, report);
  return { texts, badText: bad, badFoundation: bad ?? checkErasures(store) ?? compareFoundations(store) };
}

/** What is wrong where each event is sound in itself, or null. */
function badBeyond(
  store: Store,
  { missing, badChain, strayed }: EventsCheck,
  { badText: bad, badFoundation }: ReturnType<typeof checkBasis>,
): BadRecord | null {
  const lacking = missing === null ? null : badText(missing, 'an event names it and it is missing', { isGone: true });
  return bad ?? lacking ?? badFoundation ?? foundIn(badChain) ?? strayed ?? findLostTrial(store);
}

const erasuresOf = (store: Store): NonNullable<VerifyReport['erasures']> =>
  store.erasures.list().map((each) => {
    const { experiment, texts, salt } = each;
    return { ...noteOf(store, each), experiment, experiments: experimentsOf(store, each), texts, salt };
  });

export interface VerifyOptions extends LogOptions {
  /** Hash that the reader got by another way: the root, or the head of some chain. */
  readonly head?: string | undefined;
  /** File of earlier checks of this store: what they read is not read again, and what is read now is added to it. */
  readonly resume?: string | undefined;
  /** Called before a store is read, in one go in which no signal is heard; not for a bundle. */
  readonly onStore?: (() => void) | undefined;
  readonly onProgress?: Report | undefined;
}

const tampered = ({ path: store }: Store, bad: BadRecord): VerifyReport => ({
  result: 'tampered',
  store,
  kind: 'store',
  trials: 0,
  events: 0,
  texts: 0,
  standin: 0,
  not_ended: 0,
  left_out: 0,
  root: null,
  signer: 'unknown',
  head_matches: null,
  head_of: null,
  log: null,
  since: null,
  erasures: null,
  erasure_unfinished: false,
  first_bad: bad,
});

/** The chain with this head, or null; `root` where it is the root of all. */
const endingIn = (heads: EventsCheck['heads'], head: string): { chain: string } | 'root' | null =>
  rootHash(heads) === head ? 'root' : (heads.find((each) => each.head === head) ?? null);

const otherRecord = (head: string, heads: EventsCheck['heads'], store: Store): BadRecord => ({
  ...faultOfKind('head', `no chain of this store ends in ${head}, and it is not the record root`),
  ...earlierRoot(head.toLowerCase(), heads, store),
});

function checkStore(
  store: Store,
  earlier: EarlierCheck | null,
  { head, onProgress, ...options }: Omit<VerifyOptions, 'resume' | 'onStore'>,
): VerifyReport {
  // The derivation of trials needs what is checked first. Of several faults the check reports a damaged event first.
  const basis = settled(() => checkBasis(store, onProgress));
  const isSound = 'found' in basis && basis.found.badFoundation === null;
  const chains = checkEvents(store, isSound ? chainCheck(store) : null, earlier, onProgress);
  const isEmpty = !chains.heads.some(({ chain }) => isTrialChain(chain));
  if (chains.bad === null && isEmpty && store.trials.withoutEvents() === undefined) {
    throw new AssizeError(
      'store-unreadable',
      'the store holds no trials. A copied store needs its -wal file next to it; if nothing was run yet, there is nothing to verify',
      { file: store.path },
    );
  }
  const badBefore = chains.bad ?? badBeyond(store, chains, foundIn(basis));
  // Also where something else is bad: who signed the events that hold.
  const logged = chains.bad === null ? checkLog(logOf(store), options) : null;
  const firstBad = badBefore ?? logged?.bad ?? checkFile(store);
  const root = firstBad === null ? rootHash(chains.heads) : null;
  const earlierReport = earlier?.finish(root);
  const isWhole = (earlierReport?.chains_not_read ?? 0) === 0;
  // Also where something else is bad: what the events say is then known to be as it was. Hashes of chains that were not read
  // show nothing.
  const isCompared = head !== undefined && chains.bad === null && isWhole;
  const ending = isCompared ? endingIn(chains.heads, head.toLowerCase()) : null;
  const adopted = adoptionOf(store);
  const headFound = isCompared ? ending !== null : null;
  const since = logged?.since ?? null;
  const sound = isOfOtherLog(since, logged?.log ?? null) ? 'other-log' : isWhole ? 'intact' : 'partly-read';
  const inventedOpen = firstBad === null ? store.trials.inventedOpen() : 0;
  const held = firstBad === null ? heldIn(store) : [];
  const inPart = held.filter((each) => each.held < each.planned);
  return {
    result: firstBad !== null || headFound === false ? 'tampered' : sound,
    store: store.path,
    kind: 'store',
    ...(firstBad === null ? { experiments: store.experiments.names() } : {}),
    ...(held.length === 0 ? {} : { held }),
    ...(inPart.length === 0 ? {} : { held_in_part: inPart }),
    ...(store.format < newestVersion ? { format: { now: store.format, after_writing: newestVersion } } : {}),
    trials: chains.bad === null ? chains.trials : 0,
    events: chains.events,
    texts: chains.bad === null ? foundIn(basis).texts : 0,
    standin: firstBad === null ? store.trials.invented() : 0,
    not_ended: firstBad === null ? store.trials.notEnded() : 0,
    ...(inventedOpen === 0 ? {} : { standin_not_ended: inventedOpen }),
    left_out: 0,
    root,
    signer: logged?.signerKnown === true ? 'known' : 'unknown',
    head_matches: headFound,
    head_of: ending === null || ending === 'root' ? null : chainIn(store, ending.chain),
    log: logged?.log ?? null,
    since,
    erasures: firstBad === null ? erasuresOf(store) : null,
    erasure_unfinished: store.erasures.uncleaned(),
    ...(earlierReport === undefined ? {} : { earlier: earlierReport }),
    ...(adopted === null ? {} : { adopted }),
    ...(firstBad === null ? {} : { roots: rootsOf(chains.bad === null && isWhole ? rootHash(chains.heads) : null, null) }),
    first_bad:
      firstBad === null ? (headFound === false ? otherRecord(head ?? '', chains.heads, store) : null) : placed(store, firstBad),
    ...(firstBad === null ? {} : countedIn(store, roomOf(store))),
  };
}

/** Checks a store from its bytes up: chains, texts, projections. @throws store-unreadable where there is nothing to check */
export function verifyStore(store: Store, { resume, onStore, ...options }: VerifyOptions): VerifyReport {
  onStore?.();
  return store.read(() => {
    // Whatever a damaged page holds would look like a change by a person.
    store.checkPages();
    const strange = store.schemaProblem();
    // Of other tables nothing is read: a view in their place need not end.
    if (strange !== null) return tampered(store, faultOfKind('schema', strange));
    const earlier = resume === undefined ? null : openEarlierCheck(resume, store);
    try {
      return checkStore(store, earlier, options);
    } finally {
      earlier?.close();
    }
  });
}
