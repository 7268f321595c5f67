// Finds where something was said in trials, or written of them, in the index that it brings up to date first.
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { namerAmong, turnNames } from '../../../core/figures/speakers.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { reviewChain } from '../../../core/record/identity.ts';
import { wordsOf } from '../../../core/record/texts.ts';
import { heardInsteadOf } from '../../../core/telling/unheard.ts';
import type { SearchHit, SearchRequest, SearchResult } from '../../../shared/api/search.ts';
import type { EventKind, EventPayload, RecordEvent } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { caseAsRead, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { isTold, toldTitle } from '../lab/tryOut.ts';
import { searchFolder } from '../report/statisticsCache.ts';
import { readableAnswer } from '../report/transcriptEntries.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import { type ReviewLedger, readReviews } from '../reviews/ledger.ts';
import { cacheDatabaseOf } from '../store/cacheDatabase.ts';
import { parseChain } from '../store/parseChain.ts';
import { mostCounted, type Place, type Shelf, termsOf, withSearchIndex } from '../store/searchIndex.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import type { Query, TellProgress } from './query.ts';
import { textOf } from './trial.ts';

const mostHits = 50;
/** Trials that are indexed between two looks at whether somebody waits. */
const together = 50;
/** Characters of a hit before and after what was found first. */
const [before, after] = [90, 210];

/** Events in which somebody says, thinks or decides something in words. The notes of a settled round are those of its belief. */
const saying: readonly EventKind[] = [
  ...(['utterance-make', 'belief-update', 'opinion-rate', 'argument-evaluate', 'recommendation-make'] as const),
  ...(['subtopics-settle', 'debate-stop', 'proposal-make', 'panel-score', 'answer-give', 'answer-compare'] as const),
  ...(['moderation-give', 'position-assign', 'ruling-give', 'answer-share', 'step-take'] as const),
];

/** How a model was asked and why its answer failed: no one said that. */
const unsaid = ['setup', 'trained', 'failure'];

/** @param but fields whose words do not count */
const textsIn = (store: Store, event: RecordEvent, but: readonly string[] = []): string[] =>
  wordsOf(event, textOf(store), new Set([...unsaid, ...but]))
    .map(readableAnswer)
    .filter((text) => text !== '');

const saidIn = (store: Store, event: RecordEvent, but: readonly string[] = []): string => textsIn(store, event, but).join('\n');

const sayings = (store: Store, trial: string): RecordEvent[] =>
  lastAttempt(parseChain(store.events.ofKinds(trial, [...saying, 'trial-open']))).filter(({ kind }) => saying.includes(kind));

interface Said {
  readonly seq: number;
  readonly text: string;
}

const roleOf = ({ payload }: RecordEvent): string => ('role' in payload ? payload.role : 'judge');

/** Speeches first, then the ruling. */
const importance = ({ kind }: RecordEvent): number => (kind === 'utterance-make' ? 0 : kind === 'ruling-give' ? 1 : 2);

/** What was said in a trial. What somebody says word for word in a speech or ruling and has again in notes counts once. */
function saidInTrial(store: Store, trial: string): Said[] {
  const known = new Set<string>();
  return sayings(store, trial)
    .toSorted((one, other) => importance(one) - importance(other))
    .map((event) => {
      const keyOf = (text: string) => JSON.stringify([roleOf(event), text]);
      const texts = textsIn(store, event).filter((text) => event.kind === 'utterance-make' || !known.has(keyOf(text)));
      for (const text of texts) known.add(keyOf(text));
      return { seq: event.seq, text: texts.join('\n') };
    })
    .toSorted((one, other) => one.seq - other.seq);
}

interface Statement extends Said {
  readonly kind: EventKind;
  readonly by: string;
  readonly trial: string | null;
  /** Place of the speech that a comment is on. */
  readonly at: number | null;
}

/** What people wrote of an experiment and its trials, as far as it is in force and was not erased. */
function statementsIn({ reviews, comments, adjudications, signOffs }: ReviewLedger): Statement[] {
  return [
    ...reviews.map((each) => ({ ...each, kind: 'review-give' as const, text: each.reason, at: null })),
    ...comments.map((each) => ({ ...each, kind: 'comment-give' as const, text: each.comment, at: each.utterance })),
    ...adjudications.map((each) => ({ ...each, kind: 'review-adjudicate' as const, text: each.reason, at: null })),
    ...signOffs.map((each) => ({ ...each, kind: 'record-sign' as const, text: each.reason, trial: null, at: null })),
  ]
    .map(({ seq, kind, reviewer: by, trial, at, text }) => ({ seq, kind, by, trial, at, text: text ?? '' }))
    .toSorted((one, other) => one.seq - other.seq);
}

function bringUpToDate(store: Store, index: Shelf, tell: TellProgress): void {
  const known = index.heads();
  const trials = store.trials.ended().map(({ trial: source, experiment, head_hash: head }) => ({ source, experiment, head }));
  const reviews = store.experiments.names().flatMap((experiment) => {
    const source = reviewChain(experiment);
    const head = store.events.head(source);
    return head === undefined ? [] : [{ source, experiment, head }];
  });
  const sources = [...trials, ...reviews];
  const present = new Set(sources.map(({ source }) => source));
  const gone = [...known.keys()].filter((source) => !present.has(source));
  if (gone.length > 0) index.together(() => gone.forEach(index.drop));
  const missing = sources.filter(({ source, head }) => known.get(source) !== head);
  for (let done = 0; done < missing.length; done += together) {
    tell({ share: done / missing.length, what: 'search', counted: { done, of: missing.length } });
    index.together(() => {
      for (const { source, experiment, head } of missing.slice(done, done + together)) {
        const said =
          source === reviewChain(experiment) ? statementsIn(readReviews(store, experiment)) : saidInTrial(store, source);
        index.put(
          source,
          head,
          experiment,
          said.filter(({ text }) => text !== ''),
        );
      }
    });
  }
}

/** As the index compares words: without capitals and accents. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The part of a text around the first term that it has, cut into what was looked for and what was not. */
export function excerpt(text: string, terms: readonly string[]): SearchHit['pieces'] {
  const pattern = new RegExp(terms.map((term) => RegExp.escape(term)).join('|'), 'giu');
  const first = text.search(pattern);
  const [from, to] = [Math.max(0, first - before), Math.max(0, first) + after];
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  const pieces: SearchHit['pieces'][number][] = [];
  let at = 0;
  for (const { 0: found, index } of shown.matchAll(pattern)) {
    pieces.push({ text: shown.slice(at, index), isFound: false }, { text: found, isFound: true });
    at = index + found.length;
  }
  return [...pieces, { text: shown.slice(at), isFound: false }].filter(({ text: part }) => part !== '');
}

function titleOf(store: Store, frozen: FrozenExperiment, { arm, case_id }: TrialRow): string | null {
  const stored = isTold(frozen.definition) ? store.datasets.caseOfId(frozen.dataset.id, case_id) : undefined;
  if (stored === undefined) return null;
  return toldTitle(frozen.definition, caseAsRead(frozen, arm, store.datasets.outline(stored.ref)).question);
}

/** The trial of a hit. `spoken`: its speeches, by which lists call its arm */
function foundTrial(
  store: Store,
  frozen: FrozenExperiment,
  row: TrialRow,
  spoken: readonly EventPayload<'utterance-make'>[],
): NonNullable<SearchHit['of']> {
  const names = shownArmNames(
    frozen.arms.map(({ name }) => name),
    namerAmong(spoken),
  );
  return {
    ...{ trial: row.trial, case: row.case_id, replicate: row.replicate, replicates: frozen.definition.replicates },
    ...{ arm: names.get(row.arm) ?? row.arm, protocol: row.protocol, standin: row.standin === 1 },
    title: titleOf(store, frozen, row),
  };
}

const speechesIn = (events: readonly RecordEvent[]) => events.filter((event) => event.kind === 'utterance-make');

function hitInTrial(store: Store, { source, seq, of: experiment }: Place, terms: readonly string[]): SearchHit | null {
  const row = store.trials.get(source);
  const said = sayings(store, source);
  const event = said.find((each) => each.seq === seq);
  if (row === undefined || event === undefined) return null;
  const frozen = loadFrozen(store, experiment);
  const aloud = saidIn(store, event, ['plan']);
  // The answer that holds a plan may repeat the speech.
  const spoken = speechesIn(said).map(({ payload }) => payload);
  const speech = event.kind === 'utterance-make' ? event.payload : null;
  const isPlan = speech !== null && !terms.some((term) => folded(aloud).includes(folded(term)));
  const { change } = lineReader(store, frozen)(plannedAs(row), row);
  return {
    ...{ experiment, seq, kind: event.kind, of: foundTrial(store, frozen, row, spoken), at: seq },
    ...{ by: roleOf(event), isPerson: false },
    turn: speech === null ? null : (turnNames(spoken)[spoken.indexOf(speech)] ?? null),
    isPlan,
    isUnheard: speech !== null && heardInsteadOf(speech, change, spoken) !== undefined,
    pieces: excerpt(isPlan ? saidIn(store, event, ['text', 'outside']) : aloud, terms),
  };
}

function hitInReviews(
  store: Store,
  { seq, of: experiment }: Place,
  statements: readonly Statement[],
  terms: readonly string[],
): SearchHit | null {
  const found = statements.find((each) => each.seq === seq);
  const row = found?.trial == null ? undefined : store.trials.get(found.trial);
  if (found === undefined) return null;
  const { kind, by, at, text } = found;
  const spoken = row === undefined ? [] : speechesIn(sayings(store, row.trial)).map(({ payload }) => payload);
  return {
    ...{ experiment, seq, kind, at, by, isPerson: true, turn: null, isPlan: false, isUnheard: false },
    of: row === undefined ? null : foundTrial(store, loadFrozen(store, experiment), row, spoken),
    pieces: excerpt(text, terms),
  };
}

/** Where something was said, in all ended trials and by people of them: what is new on the record is added to the index first. */
export const search: Query<SearchRequest, SearchResult> = {
  run(store, { sought, experiment, offset = 0, limit = mostHits }, tell) {
    const terms = termsOf(sought);
    if (terms.length === 0) return { hits: [], count: 0, mostCounted };
    return withSearchIndex(cacheDatabaseOf(searchFolder(), store.path), ({ said: index }) => {
      bringUpToDate(store, index, tell);
      const { places, count } = index.find(terms, experiment, limit, offset);
      const statements = readOnce((name: string) => statementsIn(readReviews(store, name)));
      const hits = places.flatMap((place) => {
        const isReview = place.source === reviewChain(place.of);
        return (isReview ? hitInReviews(store, place, statements(place.of), terms) : hitInTrial(store, place, terms)) ?? [];
      });
      return { hits, count, mostCounted };
    });
  },
  withoutStore: () => ({ hits: [], count: 0, mostCounted }),
};
