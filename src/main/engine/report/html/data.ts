// Reads from the record all that a report shows.
import { z } from 'zod';
import { shownFacts } from '../../../../core/cases/columnNames.ts';
import { shownArmNames } from '../../../../core/figures/armNames.ts';
import { beliefChanges, statements } from '../../../../core/figures/beliefChanges.ts';
import { drawnLabel } from '../../../../core/figures/swapText.ts';
import { textsIn } from '../../../../core/prompts/textsIn.ts';
import { findProtocol } from '../../../../core/protocols/index.ts';
import { lastAttempt } from '../../../../core/record/fold.ts';
import { preparationChain } from '../../../../core/record/identity.ts';
import { separator } from '../../../../core/record/trialCourt.ts';
import { stabilityText } from '../../../../core/telling/changeTables.ts';
import { timesOf } from '../../../../core/telling/findingTexts.ts';
import { forReaders } from '../../../../core/telling/forReaders.ts';
import { rulingOf } from '../../../../core/telling/mainReasons.ts';
import { judgedText } from '../../../../core/telling/reviewTables.ts';
import { stepsOf } from '../../../../core/trajectory/trajectory.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import type { Prediction } from '../../../../shared/domain.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { EventPayload, RecordEvent } from '../../../../shared/events.ts';
import { damageOf } from '../../audit/damage.ts';
import { checkpointView } from '../../checkpoint/checkpoints.ts';
import { erasureOfTrial } from '../../lab/erasedData.ts';
import { type FrozenExperiment, loadFrozen } from '../../lab/frozen.ts';
import { retrialName } from '../../lab/retrial.ts';
import { toldTitle } from '../../lab/tryOut.ts';
import { firstJudgedText, saidOfTrial } from '../../reviews/ledger.ts';
import { adoptionOfExperiment } from '../../store/origin.ts';
import { parseChain } from '../../store/parseChain.ts';
import type { Store } from '../../store/store.ts';
import { speechNamesIn } from '../readTrials.ts';
import { defaultResamples, statistics } from '../statistics.ts';
import { transcriptEntry } from '../transcriptEntries.ts';
import { lineReader, plannedAs, sameCaseTrials, trialLines } from '../trialLines.ts';

export const setupSchema = z.object({
  backend: z.string(),
  url: z.string().optional(),
  version: z.string().nullish(),
  digest: z.string().nullish(),
  model: z.string(),
  standin: z.boolean().nullish(),
});
export type CallSetup = z.infer<typeof setupSchema>;

export interface SharedCall {
  /** Step of this trial, with the attempt. */
  readonly step: string;
  readonly call: RecordedCall;
}

export interface RecordedCall {
  readonly payload: EventPayload<'call-answer'>;
  /** Null where the text was erased. */
  readonly setup: CallSetup | null;
}

const lastAttemptOf = /\/attempt-(\d+)$/;

/** The calls behind the shared answers that a trial took, every attempt of them. */
function sharedCalls(attempt: readonly RecordEvent[], prepared: () => RecordedCall[]): SharedCall[] {
  const shares = attempt.flatMap((event) => (event.kind === 'answer-share' ? [event.payload] : []));
  if (shares.length === 0) return [];
  const byKey = new Map(prepared().map((call) => [call.payload.key, call]));
  return shares.flatMap(({ key, call: { key: made } }) =>
    Array.from({ length: Number(lastAttemptOf.exec(made)?.[1] ?? 1) }, (_none, index) => index + 1).flatMap((number) => {
      const call = byKey.get(made.replace(lastAttemptOf, `/attempt-${number}`));
      return call === undefined ? [] : [{ step: `${key}/attempt-${number}`, call }];
    }),
  );
}

/** The messages of calls, as they were sent; null where a text of one was erased. */
function messagesOf(calls: readonly EventPayload<'call-answer'>[], read: (part: string) => string | undefined) {
  const messages = calls.flatMap((call) => call.messages.map(([role, parts]) => ({ role, parts: parts.map(read) })));
  return messages.every(({ parts }) => parts.every((part) => part !== undefined))
    ? messages.map(({ role, parts }) => ({ role, content: parts.join(separator) }))
    : null;
}

/** Step of the call that gave the ruling: the last one of who ruled with an answer that could be used; undefined where a rule made it of several. */
function decidingStep(entries: readonly TranscriptEntry[]): string | undefined {
  const ruling = rulingOf({ entries });
  const asked = entries.filter((entry) => entry.kind === 'call' || entry.kind === 'share');
  const last = asked.findLast(
    ({ role, seq, failure, rejected }) => role === ruling?.role && seq < ruling.seq && failure === null && rejected === null,
  );
  return last?.kind === 'share' ? `${last.key}/attempt-${last.attempts ?? 1}` : last?.key;
}

/** What the changes of an experiment about one trial did to it; null where there is no such experiment, or no pair with two verdicts. */
function stabilityOf(store: Store, retrial: string): string | null {
  if (store.experiments.get(retrial) === undefined) return null;
  if (damageOf(store, retrial).damaged > 0) return 'the record of these trials fails its check, so nothing is said of them.';
  const report = statistics(store, retrial, { quick: true, resamples: defaultResamples, cache: null }, () => undefined);
  return stabilityText(forReaders({ ...report, ...speechNamesIn(store, loadFrozen(store, retrial)) }));
}

/** All that a report shows, as the record has it: nothing in it depends on when or where it is printed. */
export type ReportData = Readonly<ReturnType<typeof reportData>>;

export const importOf = ({ entries }: ReportData) => entries.find((entry) => entry.kind === 'import');

/** Reads everything about one trial. Throws not-found for an unknown experiment or trial and for a trial that has not begun. */
export function reportData(store: Store, experiment: string, trial: string) {
  const latest = loadFrozen(store, experiment);
  const row = store.trials.get(trial);
  const head = store.events.head(trial);
  if (row === undefined || row.experiment !== experiment || head === undefined) {
    throw new AssizeError(
      'not-found',
      `experiment ${JSON.stringify(experiment)} has no record of trial ${JSON.stringify(trial)}; an export of trials lists those that have begun`,
      '--trial',
    );
  }
  const events = parseChain(store.events.chain(trial));
  const attempt = lastAttempt(events);
  const [open] = attempt;
  if (open?.kind !== 'trial-open') throw new Error(`trial ${trial} does not begin with trial-open`);
  const { freeze, at: opened } = open.payload;
  const frozen = loadFrozen(store, experiment, freeze);
  const arm = frozen.arms.find(({ name }) => name === open.payload.arm);
  const program = store.experiments.history(experiment).find(({ hash }) => hash === freeze)?.payload.assize;
  if (arm === undefined || program === undefined) throw new Error(`trial ${trial} has no arm in its experiment`);
  const kase = frozen.changedCase(arm.name, store.datasets.outline(open.payload.case));
  const read = (ref: string) => store.blobs.get(ref) ?? null;
  const entries = attempt.flatMap((event) => transcriptEntry(event, read) ?? []);
  const callsIn = (chain: readonly RecordEvent[]) =>
    chain.flatMap((event): RecordedCall[] => {
      if (event.kind !== 'call-answer') return [];
      const setup = read(event.payload.setup);
      return [{ payload: event.payload, setup: setup === null ? null : setupSchema.parse(JSON.parse(setup)) }];
    });
  const calls = callsIn(attempt);
  /** In the order in which the trial took their answers. */
  const shared = sharedCalls(attempt, () => callsIn(parseChain(store.events.chain(preparationChain(experiment)))));
  const part = (of: string) => store.blobs.part(of, frozen.dataset.id);
  const asked = [...calls.map((call) => ({ step: call.payload.key, call })), ...shared];
  const messages = messagesOf(
    asked.map(({ call }) => call.payload),
    part,
  );
  const step = decidingStep(entries);
  const sent = messagesOf(
    asked.flatMap(({ step: of, call }) => (of === step ? [call.payload] : [])),
    part,
  );
  const bound = frozen.protocol(arm);
  const claims = bound?.claims(kase, frozen.swapOf(arm.name)) ?? {};
  const registered = findProtocol(arm.protocol, arm.protocolVersion);
  const templates = Object.entries(arm.templates).map(([name, hash]) => ({ name, hash, text: read(hash) }));
  const texts = messages?.map(({ content }) => content);
  const used = texts && textsIn(texts, templates, registered?.prompts ?? {});
  /** Templates that the arm asks with, in order of their names; `text` is null where it was erased, `isUsed` undefined where that is not known. */
  const prompts = templates.map((each) => ({ ...each, isUsed: used?.has(each.name) }));
  const root = store.events.root();
  const said = saidOfTrial(store, experiment, trial);
  const planned = plannedAs(row);
  const lineOf = lineReader(store, latest);
  const line = lineOf(planned, row);
  const tried = Map.groupBy(
    sameCaseTrials(store, latest, planned).map((each) => lineOf(each, store.trials.get(each.id))),
    (each) => each.arm,
  );
  const shownNames = shownArmNames(latest.arms.map(({ name }) => name));
  return {
    line,
    /** The trials of the same case in the same arm, as far as they are listed, this one among them. */
    runs: tried.get(arm.name) ?? [],
    /** The same of the other arms that are no change of one, nor what this one is a change of, under the names that these are shown with; `all`: how many trials there are. */
    otherMethods: [...tried]
      .filter(([each]) => each !== arm.name && each !== latest.baseOf(arm.name) && !latest.isVaried(each))
      .map(([each, runs]) => ({
        name: shownNames.get(each) ?? each,
        runs,
        all: timesOf(runs, latest.definition.replicates),
      })),
    replicates: latest.definition.replicates,
    /** Columns of a table that no model read. */
    leftOut: latest.definition.dataset.kind === 'tabular' ? latest.definition.dataset.exclude : [],
    kase: { ...kase, facts: shownFacts(kase.facts, latest.definition.dataset) },
    /** The name of a case from Try a case; null for others, which have an id. */
    title: toldTitle(latest.definition, kase.question),
    /** The erasure that took texts of the trial; null where none did. */
    erased: erasureOfTrial(store, attempt),
    entries,
    calls,
    shared,
    beliefs: beliefChanges(statements(stepsOf(entries)), drawnLabel(claims, kase.positive)),
    /** Wall times of the attempt, ISO 8601; `closed` is null while it runs. */
    opened,
    closed: attempt.flatMap((event) => (event.kind === 'trial-close' ? [event.payload.at] : []))[0] ?? null,
    arm,
    terms: frozen.terms(arm),
    runtime: frozen.definition.runtime,
    /** Title and paper, and parameters that change nothing here; null where this program does not have the protocol's version. */
    protocol: registered === undefined ? null : { title: registered.title, paper: registered.paper, unused: bound?.unused ?? [] },
    /** Labels that the court could choose; fewer than those of the case where two are in dispute. */
    choices: bound?.contested(kase.labels) ?? kase.labels,
    /** Role -> label that it argues for; where sides were drawn, as they were. */
    claims: { ...claims, ...entries.findLast((entry) => entry.kind === 'sides')?.sides },
    prompts,
    /** What the call that gave the ruling was sent; null where no single one did, or a text of it was erased. */
    deciding: step === undefined || sent === null ? null : { step, messages: sent },
    others: otherCases(store, latest, root, { arm: arm.name, case: row.case_id }),
    /** Version of the program that froze the experiment. */
    program,
    freeze,
    head,
    events: events.length,
    root,
    adopted: adoptionOfExperiment(store, experiment),
    checkpoint: checkpointView(store),
    /** What changes did to it, in a sentence; null where it was not tried again. */
    again: stabilityOf(store, retrialName(trial)),
    /** How many people answered for it and whether they agree, in a sentence; null where no one did. */
    judged: judgedText({ head, ...said }, line.prediction),
    /** The same of the first replicate, of a later one. */
    firstJudged: firstJudgedText(store, line),
    /** What people judged of it, commented and settled. */
    said: { head, ...said },
  };
}

/** Trials of an arm on other cases whose truth is known. */
export type OtherCases = ReturnType<typeof otherCases>;

/** Case -> whether its trials were decided correctly; null: no decision. */
type Verdicts = Map<string, { readonly correct: (boolean | null)[]; readonly truth: Prediction }>;

/** A bundle asks for each trial in turn: what one root of the record says is read once. */
const known = new WeakMap<Store, { readonly key: string; readonly arms: Map<string, Verdicts> }>();

function verdictsOf(store: Store, frozen: FrozenExperiment, root: string): Map<string, Verdicts> {
  const key = `${root} ${frozen.name}`;
  const found = known.get(store);
  if (found?.key === key) return found.arms;
  const arms = new Map<string, Verdicts>();
  for (const { arm, case: id, status, truth, correct } of trialLines(store, frozen, undefined)) {
    if (status !== 'done' || truth === null) continue;
    const verdicts: Verdicts = arms.get(arm) ?? new Map();
    arms.set(arm, verdicts);
    const known = verdicts.get(id);
    if (known === undefined) verdicts.set(id, { correct: [correct], truth });
    else known.correct.push(correct);
  }
  known.set(store, { key, arms });
  return arms;
}

/** The single label that is right in most of the decided ones; null where several can apply, or there are none. */
function commonestOf(truths: readonly Prediction[]) {
  const labels = truths.filter((truth) => typeof truth === 'string');
  const counted = [...Map.groupBy(labels, (label) => label)].map(([label, all]) => ({ label, right: all.length }));
  return counted.toSorted((one, other) => other.right - one.right)[0] ?? null;
}

/** Decided trials, the cases that these are of, and how many of the trials are right. */
const countsOf = (decided: readonly { readonly id: string; readonly correct: boolean | null }[]) => ({
  n: decided.length,
  cases: new Set(decided.map(({ id }) => id)).size,
  right: decided.filter(({ correct }) => correct === true).length,
});

/** @param root of the whole record, which names its state */
export function otherCases(store: Store, frozen: FrozenExperiment, root: string, of: { arm: string; case: string }) {
  const all = verdictsOf(store, frozen, root).get(of.arm) ?? new Map<string, never>();
  const others = [...all].flatMap(([id, { correct, truth }]) =>
    id === of.case ? [] : correct.map((each) => ({ id, correct: each, truth })),
  );
  const decided = others.filter(({ correct }) => correct !== null);
  return {
    ...countsOf(decided),
    /** The same of each single right answer, in the order of their names. */
    sides: [...Map.groupBy(decided, ({ truth }) => truth)]
      .flatMap(([label, some]) => (typeof label === 'string' ? [{ label, ...countsOf(some) }] : []))
      .toSorted((one, other) => (one.label < other.label ? -1 : 1)),
    /** Ones without a decision. */
    undecided: others.length - decided.length,
    commonest: commonestOf(decided.map(({ truth }) => truth)),
  };
}
