// One line for each trial: what lists and statistics know of it.

import { changesCase } from '../../../core/cases/changedCase.ts';
import { furtherSeed, trialSeed } from '../../../core/record/identity.ts';
import { heardSpeeches } from '../../../core/record/withheld.ts';
import { isCorrect } from '../../../core/statistics/accuracy.ts';
import { firstAnswerOf } from '../../../core/trajectory/queues.ts';
import { type Change, changeText, type TrialChange } from '../../../shared/changes.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import { beliefSchema, beliefSourceSchema, outcomeSchema, predictionSchema } from '../../../shared/domain.ts';
import { isImported } from '../../../shared/imported.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { type TrialLine, unstarted } from '../../../shared/trialLine.ts';
import type { FrozenExperiment, PlannedTrial } from '../lab/frozen.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';

const strings = (json: string): string[] => {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
};

function planned(frozen: FrozenExperiment, trial: PlannedTrial): TrialLine {
  const arm = frozen.arms.find(({ name }) => name === trial.arm);
  const swap = frozen.swapOf(trial.arm);
  const decidedBy = frozen.definition.dataset.label?.decidedBy;
  return {
    ...unstarted,
    experiment: frozen.name,
    // Each row has its own copy of the string: lines share that of the experiment.
    arm: arm?.name ?? trial.arm,
    protocol: arm?.protocol ?? '',
    protocol_version: arm?.protocolVersion ?? 0,
    trial: trial.id,
    case: trial.caseId,
    replicate: trial.replicate,
    seed: trial.seed,
    swap,
    base_arm: frozen.baseOf(trial.arm),
    ...(arm?.prompts === undefined ? {} : { prompts: arm.prompts }),
    ...(decidedBy === undefined ? {} : { decided_by: decidedBy }),
  };
}

/** Values that are read once: most trials have the same models, and many the same verdict or belief. */
const mostAlike = 1000;

function fieldReaders() {
  const parsed = <T>(schema: { parse(value: unknown): T }) => {
    const read = readOnce((json: string) => schema.parse(JSON.parse(json)), mostAlike);
    return (json: string | null): T | null => (json === null ? null : read(json));
  };
  return { listOf: readOnce(strings), beliefOf: parsed(beliefSchema), predictionOf: parsed(predictionSchema) };
}
type FieldReaders = ReturnType<typeof fieldReaders>;

function readRow(row: TrialRow, { listOf, beliefOf, predictionOf }: FieldReaders): Partial<TrialLine> {
  return {
    attempt: row.attempt,
    status: row.status,
    outcome: row.outcome === null ? null : outcomeSchema.parse(row.outcome),
    incomplete: row.incomplete === 1,
    inconsistent: row.inconsistent === 1,
    prediction: predictionOf(row.prediction),
    confidence: row.confidence,
    belief: beliefOf(row.belief),
    belief_source: row.belief_source === null ? null : beliefSourceSchema.parse(row.belief_source),
    calls: row.calls,
    attempts: row.attempts,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    model_ms: row.model_ms,
    wall_ms: row.wall_ms,
    models: listOf(row.models),
    backends: listOf(row.backends),
    ambiguous: row.ambiguous === null ? null : row.ambiguous === 1,
    head_hash: row.head_hash,
    standin: row.standin === 1,
  };
}

/** What is recorded of a trial; of one whose row cannot be read, what its chain amounts to. */
function recorded(store: Store, row: TrialRow, readers: FieldReaders): Partial<TrialLine> {
  try {
    return readRow(row, readers);
  } catch {
    return readRow(store.trials.derive(row.trial, parseChain(store.events.chain(row.trial))), readers);
  }
}

/** The change of an arm as it is in one case; null for a case that was erased. */
function changeIn(frozen: FrozenExperiment, arm: string, change: Change, id: string, kase: DatasetCase | null): TrialChange {
  const { kind, expect } = change;
  const seeds = furtherSeed(change);
  const about = {
    ...{ kind, text: changeText(change) },
    ...(expect === undefined ? {} : { expect }),
    ...(kind === 'withhold' ? { speech: change.speech } : {}),
    ...(kind === 'replace' ? { replaced: { speech: change.speech, text: change.text } } : {}),
    ...(kind === 'truncate'
      ? { truncated: { heard: heardSpeeches(change, trialSeed(frozen.definition.seed, id, 0)), of: change.speeches } }
      : {}),
    ...(seeds === 0 ? {} : { seeds }),
  };
  if (!changesCase(change)) return { ...about, applies: true, from: null, to: null };
  if (kase === null) return { ...about, applies: null, from: null, to: null };
  const [before, after] = [frozen.case(kase), frozen.changedCase(arm, kase)];
  const applies = after.facts !== before.facts || after.question !== before.question;
  const valueIn = ({ facts }: typeof before) =>
    kind === 'attribute' && applies ? (facts.find(({ name }) => name === change.attribute)?.value ?? null) : null;
  const names = [...new Set(before.facts.map(({ name }) => name))];
  const isLeftOut = change.kind === 'facts' && applies && Object.values(change.facts).every((value) => value === null);
  const leftOut = isLeftOut
    ? { left_out: { facts: names.filter((name) => Object.hasOwn(change.facts, name)).toSorted(), of: names.length } }
    : {};
  return { ...about, ...leftOut, applies, from: valueIn(before), to: valueIn(after) };
}

/** Makes lines of one experiment's trials; `row` is what is recorded of a trial that has begun. */
export function lineReader(
  store: Store,
  frozen: FrozenExperiment,
): (trial: PlannedTrial, row: TrialRow | undefined) => TrialLine {
  // A case is on trial once for every arm and replicate, and unpacking it is the dear part.
  const known = new Map<string, Pick<TrialLine, 'case' | 'truth' | 'groups' | 'weight' | 'change'>>();
  const describe = (arm: string, id: string) => {
    const stored = store.datasets.caseOfId(frozen.dataset.id, id);
    const kase = stored === undefined ? undefined : store.datasets.outline(stored.ref);
    const { truth = null, groups = {}, weight } = kase ?? {};
    const change = frozen.changeOf(arm);
    return {
      case: id,
      truth,
      groups,
      ...(weight === undefined ? {} : { weight }),
      ...(change === undefined || stored === undefined || kase === undefined
        ? {}
        : { change: changeIn(frozen, arm, change, id, store.erasures.has(stored.ref) ? null : kase) }),
    };
  };
  const caseOf = ({ arm, caseId }: PlannedTrial) => {
    const key = frozen.changeOf(arm) === undefined ? caseId : JSON.stringify([arm, caseId]);
    const found = known.get(key) ?? describe(arm, caseId);
    known.set(key, found);
    return found;
  };
  const readers = fieldReaders();
  return (trial, row) => {
    const line = {
      ...planned(frozen, trial),
      ...(row === undefined ? {} : recorded(store, row, readers)),
      ...caseOf(trial),
    };
    const { outcome, truth, prediction } = line;
    const comparable = outcome === 'decided' && truth !== null;
    return { ...line, correct: comparable ? prediction !== null && isCorrect(truth, prediction) : null };
  };
}

/**
 * A line with what takes a look into the trial: its first answer, and how many answers it took over. Null and 0 where what the
 * store has of its course cannot be read.
 */
export function withCourse(store: Store, line: TrialLine): TrialLine {
  const none = { ...line, first_answer: null, deliberation: null };
  if (line.status !== 'done') return none;
  try {
    const trajectory = store.trajectories.of(line.trial);
    const { requests: reused = 0 } = trajectory.answers.reused ?? {};
    return { ...none, reused, ...(line.outcome === 'decided' ? firstAnswerOf(line, trajectory) : {}) };
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    // Damage is named elsewhere: one trial must not hide the others.
    return none;
  }
}

/** The plan that a recorded trial was begun by. */
export const plannedAs = (row: TrialRow): PlannedTrial => ({
  id: row.trial,
  arm: row.arm,
  caseId: row.case_id,
  replicate: row.replicate,
  seed: row.seed,
});

/** Trials of one case in one arm that are listed. */
export const mostRuns = 20;

/** All trials of a trial's case, its own arm first: first replicates, the trial itself, and all that a file brought. */
export function sameCaseTrials(store: Store, frozen: FrozenExperiment, { arm, caseId, replicate }: PlannedTrial): PlannedTrial[] {
  const first = Array.from({ length: mostRuns }, (_, place) => place);
  const own = frozen.arms.filter(({ name }) => name === arm);
  return [...own, ...frozen.arms.filter(({ name }) => name !== arm)].flatMap((one) => {
    const places = one.name === arm && replicate >= mostRuns ? [...first, replicate] : first;
    const trials = places.map((place) => frozen.trialOf(one.name, caseId, place));
    return isImported(one)
      ? trials.flatMap(({ id }) => store.trials.get(id) ?? []).map(plannedAs)
      : trials.filter((each) => each.replicate < frozen.definition.replicates);
  });
}

/** One line for each planned trial of an experiment, arms in the order of the file, cases in sample order. */
export function* trialLines(store: Store, frozen: FrozenExperiment, only?: string): Generator<TrialLine> {
  const rowsOf = store.trials.byArm(frozen.name);
  let arm: string | null = null;
  const rows = new Map<string, TrialRow>();
  const lineOf = lineReader(store, frozen);
  for (const trial of frozen.trials()) {
    if (only !== undefined && trial.id !== only) continue;
    // Rows are larger than lines: those of one arm at a time.
    if (trial.arm !== arm) {
      rows.clear();
      arm = trial.arm;
      for (const row of rowsOf(arm)) rows.set(row.trial, row);
    }
    yield lineOf(trial, rows.get(trial.id));
  }
}
