// Reads what was said in trials, as counts of words.
import { mentionsIn } from '../../../core/figures/mentions.ts';
import { speechNames } from '../../../core/figures/speakers.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import type { ReportedTrial } from '../../../core/statistics/measures/heldTrials.ts';
import type { MeasuredSpeech, SpokenArm } from '../../../core/statistics/measures/languageStatistics.ts';
import { languageOf, repetitionIn } from '../../../core/text/debateLanguage.ts';
import type { Fact } from '../../../shared/domain.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** Trials of an arm that are read, the first of the sample, whose order is random. */
const mostRead = 1000;

const stepOf = (key: string) => key.split('/')[0] ?? key;

/** What was said and measured in a trial; nothing where its chain is damaged, which the report itself names. */
export function eventsOf(store: Store, trial: string): readonly RecordEvent[] {
  try {
    return lastAttempt(
      parseChain(store.events.ofKinds(trial, ['trial-open', 'utterance-make', 'measure-take', 'exchange-measure'])),
    );
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    return [];
  }
}

/** The speeches of a trial; those whose words were erased are left out. */
function speechesOf(store: Store, trial: string, facts: readonly Fact[]): MeasuredSpeech[] {
  const events = eventsOf(store, trial);
  const levels = new Map<string, number>();
  for (const { kind, payload } of events) {
    if (kind === 'measure-take' && payload.name === 'contentiousness') levels.set(stepOf(payload.key), payload.value);
    if (kind === 'exchange-measure' && payload.contentiousness !== null) levels.set(stepOf(payload.key), payload.contentiousness);
  }
  const said = events.flatMap(({ kind, payload }) => {
    if (kind !== 'utterance-make') return [];
    const text = store.blobs.get(payload.text);
    return text === undefined ? [] : [{ role: payload.role, step: stepOf(payload.key), text }];
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
export function readLanguage(store: Store, frozen: FrozenExperiment, lines: readonly ReportedTrial[]): SpokenArm[] {
  const finished = lines.filter((line) => line.status === 'done' && line.calls > 0 && !isVaried(line));
  return [...Map.groupBy(finished, ({ arm }) => arm)].flatMap(([arm, mine]) => {
    // In an arm in which no one speaks, none of many trials has a speech.
    const isSpoken = mine.slice(0, 20).some(({ trial }) => store.trajectories.of(trial).speeches.length > 0);
    if (!isSpoken) return [];
    const trials = mine.slice(0, mostRead).map((line) => {
      const stored = store.datasets.caseOfId(frozen.dataset.id, line.case);
      const isKept = stored !== undefined && !store.erasures.has(stored.ref);
      const facts = isKept ? frozen.changedCase(arm, store.datasets.outline(stored.ref)).facts : [];
      return { case: line.case, groups: line.groups, speeches: speechesOf(store, line.trial, facts) };
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
