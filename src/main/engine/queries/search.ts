// Finds where something was said, in the index that it brings up to date first.
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { namerAmong, turnNames } from '../../../core/figures/speakers.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { wordsOf } from '../../../core/record/texts.ts';
import type { SearchHit, SearchRequest, SearchResult } from '../../../shared/api/search.ts';
import type { EventKind, RecordEvent } from '../../../shared/events.ts';
import { caseAsRead, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { isTold, toldTitle } from '../lab/tryOut.ts';
import { searchFolder } from '../report/statisticsCache.ts';
import { readableAnswer } from '../report/transcriptEntries.ts';
import { cacheDatabaseOf } from '../store/cacheDatabase.ts';
import { parseChain } from '../store/parseChain.ts';
import { mostCounted, type Place, type SearchIndex, termsOf, withSearchIndex } from '../store/searchIndex.ts';
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
const saidIn = (store: Store, event: RecordEvent, but: readonly string[] = []): string =>
  wordsOf(event, textOf(store), new Set([...unsaid, ...but]))
    .map(readableAnswer)
    .filter((text) => text !== '')
    .join('\n');

function bringUpToDate(store: Store, index: SearchIndex, tell: TellProgress): void {
  const known = index.heads();
  const ended = store.trials.ended();
  const present = new Set(ended.map(({ trial }) => trial));
  const gone = [...known.keys()].filter((trial) => !present.has(trial));
  if (gone.length > 0) index.together(() => gone.forEach(index.drop));
  const missing = ended.filter(({ trial, head_hash: head }) => known.get(trial) !== head);
  for (let done = 0; done < missing.length; done += together) {
    tell({ share: done / missing.length, what: 'search', counted: { done, of: missing.length } });
    index.together(() => {
      for (const { trial, experiment, head_hash: head } of missing.slice(done, done + together)) {
        const events = lastAttempt(parseChain(store.events.ofKinds(trial, [...saying, 'trial-open'])));
        const said = events
          .filter(({ kind }) => saying.includes(kind))
          .map((event) => ({ seq: event.seq, text: saidIn(store, event) }));
        index.put(
          trial,
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
  const pieces: SearchHit['pieces'] = [];
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

function hitOf(store: Store, { trial, seq }: Place, terms: readonly string[]): SearchHit | null {
  const row = store.trials.get(trial);
  const said = lastAttempt(parseChain(store.events.ofKinds(trial, [...saying, 'trial-open'])));
  const event = said.find((each) => each.seq === seq);
  if (row === undefined || event === undefined) return null;
  const frozen = loadFrozen(store, row.experiment);
  const aloud = saidIn(store, event, ['plan']);
  // The answer that holds a plan may repeat the speech.
  const uttered = said.filter((each) => each.kind === 'utterance-make');
  const spoken = uttered.map(({ payload }) => payload);
  const isPlan = event.kind === 'utterance-make' && !terms.some((term) => folded(aloud).includes(folded(term)));
  return {
    ...{ trial, experiment: row.experiment, case: row.case_id, replicate: row.replicate, seq, kind: event.kind },
    arm:
      shownArmNames(
        frozen.arms.map(({ name }) => name),
        namerAmong(spoken),
      ).get(row.arm) ?? row.arm,
    ...{ protocol: row.protocol, standin: row.standin === 1 },
    title: titleOf(store, frozen, row),
    replicates: frozen.definition.replicates,
    role: 'role' in event.payload ? event.payload.role : 'judge',
    turn: event.kind === 'utterance-make' ? (turnNames(spoken)[uttered.indexOf(event)] ?? null) : null,
    isPlan,
    pieces: excerpt(isPlan ? saidIn(store, event, ['text', 'outside']) : aloud, terms),
  };
}

/** Where something was said, in all ended trials: what is new on the record is added to the index first. */
export const search: Query<SearchRequest, SearchResult> = {
  run(store, { sought, experiment, offset = 0, limit = mostHits }, tell) {
    const terms = termsOf(sought);
    if (terms.length === 0) return { hits: [], count: 0, mostCounted };
    return withSearchIndex(cacheDatabaseOf(searchFolder(), store.path), (index) => {
      bringUpToDate(store, index, tell);
      const { places, count } = index.find(terms, experiment, limit, offset);
      return { hits: places.flatMap((place) => hitOf(store, place, terms) ?? []), count, mostCounted };
    });
  },
  withoutStore: () => ({ hits: [], count: 0, mostCounted }),
};
