// What statistics read of trials: their paths to a verdict, and what was said in them.

import { shownFacts } from '../../../core/cases/columnNames.ts';
import { mentionsIn } from '../../../core/figures/mentions.ts';
import { speechNames } from '../../../core/figures/speakers.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { sumCounts } from '../../../core/statistics/answerCounts.ts';
import type { ReportedTrial } from '../../../core/statistics/measures/heldTrials.ts';
import type { MeasuredSpeech, SpokenArm } from '../../../core/statistics/measures/languageStatistics.ts';
import type { RoundCounts } from '../../../core/statistics/measures/reportNotes.ts';
import { languageOf, repetitionIn } from '../../../core/text/debateLanguage.ts';
import { pleadingOf } from '../../../core/trajectory/pleading.ts';
import { trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { unheardIn, type VerdictPath, verdictPath } from '../../../core/trajectory/verdictPath.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import type { EventKind, RecordEvent } from '../../../shared/events.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { AnswerCounts } from '../../../shared/statistics.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { type BadRecord, isTextOf } from '../audit/chain.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

export interface TrialReadings {
  /** The paths to the verdicts of decided trials, by trial. Trials without their own ruling have none. */
  readonly paths: ReadonlyMap<string, VerdictPath>;
  /** How the answers to the requests of ended trials were read, by arm; arms without requests are not in it. */
  readonly answers: ReadonlyMap<string, AnswerCounts>;
  /** Rounds of debates that are rated, by arm, and how many of them did not pass. */
  readonly rounds: ReadonlyMap<string, RoundCounts>;
  /** How many judges voted for each label, by trial; trials without several judges are not in it. */
  readonly votes: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** Reads the ended trials. @param claimsOf role -> label by an arm's rules @param onRead gets how many are read */
export function readTrials(
  store: Store,
  lines: readonly ReportedTrial[],
  claimsOf: (arm: string) => Readonly<Record<string, string>>,
  onRead: (done: number, of: number) => void,
): TrialReadings {
  const ended = lines.filter(({ status }) => status === 'done');
  const paths = new Map<string, VerdictPath>();
  const answers = new Map<string, AnswerCounts>();
  const rounds = new Map<string, RoundCounts>();
  const votes = new Map<string, Readonly<Record<string, number>>>();
  const isBare = store.trajectories.bareAmong(ended[0]?.experiment ?? '');
  const nothing = trajectoryOf([]);
  ended.forEach((line, index) => {
    const { trial, arm, outcome, change } = line;
    const trajectory = isBare(line) ? nothing : store.trajectories.of(trial);
    const before = answers.get(arm);
    if (trajectory.answers.requests > 0) {
      answers.set(arm, before === undefined ? trajectory.answers : sumCounts([before, trajectory.answers]));
    }
    const { settled, unreliable } = rounds.get(arm) ?? { settled: 0, unreliable: 0 };
    const failed = trajectory.rounds.filter(({ result }) => result === 'unreliable').length;
    rounds.set(arm, { settled: settled + trajectory.rounds.length, unreliable: unreliable + failed });
    const path = outcome === 'decided' ? verdictPath(trajectory) : null;
    const silenced = change?.speech ?? change?.replaced?.speech;
    const unheard = silenced === undefined ? null : unheardIn(trajectory, silenced);
    if (path !== null)
      paths.set(trial, { ...path, pleading: pleadingOf(trajectory, claimsOf(arm)), ...(unheard === null ? {} : { unheard }) });
    const bench = trajectory.ruling?.votes ?? null;
    // Debaters who agree are no judges.
    if (bench !== null && bench.asked > 1 && bench.decidedBy !== 'agreement') votes.set(trial, bench.counts);
    onRead(index + 1, ended.length);
  });
  return { paths, answers, rounds, votes };
}

/** Trials of an arm that are read, the first of the sample, whose order is random. */
const mostRead = 1000;

const stepOf = (key: string) => key.split('/')[0] ?? key;

const saidAndMeasured: readonly EventKind[] = ['trial-open', 'utterance-make', 'measure-take', 'exchange-measure'];

/** What was said and measured in a trial, or its events of other kinds; nothing where its chain is damaged, which the report itself names. */
export function eventsOf(store: Store, trial: string, kinds = saidAndMeasured): readonly RecordEvent[] {
  try {
    return lastAttempt(parseChain(store.events.ofKinds(trial, kinds)));
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    return [];
  }
}

/** The speeches of a trial; those whose words were erased or changed are left out. @param onChanged gets the latter */
function speechesOf(
  store: Store,
  { trial, salt, facts }: { trial: string; salt: Uint8Array; facts: readonly ShownFact[] },
  onChanged: (fault: BadRecord) => void,
): MeasuredSpeech[] {
  const events = eventsOf(store, trial);
  const levels = new Map<string, number>();
  for (const { kind, payload } of events) {
    if (kind === 'measure-take' && payload.name === 'contentiousness') levels.set(stepOf(payload.key), payload.value);
    if (kind === 'exchange-measure' && payload.contentiousness !== null) levels.set(stepOf(payload.key), payload.contentiousness);
  }
  const said = events.flatMap(({ seq, kind, payload }) => {
    if (kind !== 'utterance-make') return [];
    const { text: ref, role, key } = payload;
    const bytes = store.blobs.bytes(ref);
    if (bytes === undefined) return [];
    if (isTextOf(ref, salt, bytes)) return [{ role, step: stepOf(key), text: bytes.toString() }];
    onChanged({ trial, seq, kind, problem: `text ${ref} does not have its hash` });
    return [];
  });
  const repetition = repetitionIn(said.map(({ text }) => text));
  return said.map(({ role, step, text }, place) => {
    const counts = languageOf(text);
    const each = (count: number) => (100 * count) / (counts?.words ?? 1);
    const values = counts && {
      ...{ words: counts.words, hedging: each(counts.hedging), certainty: each(counts.certainty) },
      ...{ concession: each(counts.concession), agreement: each(counts.agreement), tone: each(counts.tone) },
      repetition: repetition[place] ?? null,
      facts_cited: new Set(mentionsIn(text, facts).map(({ fact }) => fact)).size,
    };
    return { role, step, contentiousness: levels.get(step) ?? null, values };
  });
}

/** What was said in the finished trials of each arm that is no changed other one; nothing of arms in which no one speaks. */
export function readLanguage(
  store: Store,
  frozen: FrozenExperiment,
  lines: readonly ReportedTrial[],
  onChanged: (fault: BadRecord) => void,
): SpokenArm[] {
  const { id, salt } = frozen.dataset;
  const finished = lines.filter((line) => line.status === 'done' && line.calls > 0 && !isVaried(line));
  return [...Map.groupBy(finished, ({ arm }) => arm)].flatMap(([arm, mine]) => {
    // In an arm in which no one speaks, none of many trials has a speech.
    const isSpoken = mine.slice(0, 20).some(({ trial }) => store.trajectories.of(trial).speeches.length > 0);
    if (!isSpoken) return [];
    const trials = mine.slice(0, mostRead).map((line) => {
      const stored = store.datasets.caseOfId(id, line.case);
      const isKept = stored !== undefined && !store.erasures.has(stored.ref);
      const read = isKept ? frozen.changedCase(arm, store.datasets.outline(stored.ref)).facts : [];
      const facts = shownFacts(read, frozen.definition.dataset);
      return { case: line.case, groups: line.groups, speeches: speechesOf(store, { trial: line.trial, salt, facts }, onChanged) };
    });
    return [{ arm, trials, of: mine.length }];
  });
}

/** Trials of an arm that are looked at: where a turn was forfeited, others have it. */
const mostNamed = 20;

/** Of the arms whose speeches some other arm keeps from the court, by their keys. */
export function speechNamesIn(store: Store, frozen: FrozenExperiment): Pick<StatsReport, 'speech_names'> {
  const changed = frozen.arms.flatMap(({ name }) => frozen.changeOf(name) ?? []);
  const arms = new Set(changed.flatMap((change) => ('speech' in change || 'speeches' in change ? [change.of] : [])));
  if (arms.size === 0) return {};
  const finished = store.trials.heads(frozen.name).filter(({ status }) => status === 'done');
  const named = [...arms].map((arm) => {
    const trials = finished.filter((each) => each.arm === arm).slice(0, mostNamed);
    const spoken = trials.map(({ trial }) =>
      eventsOf(store, trial).flatMap(({ kind, payload }) => (kind === 'utterance-make' ? [payload] : [])),
    );
    const [most = []] = spoken.toSorted((one, other) => other.length - one.length);
    return [arm, Object.fromEntries(speechNames(most))] as const;
  });
  return { speech_names: Object.fromEntries(named) };
}
