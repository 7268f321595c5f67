// An index of the words of a store, in a separate file with nothing but what the record has: what was said of its cases, and their facts.
import type { Database } from 'better-sqlite3';
import { withCacheDatabase } from './cacheDatabase.ts';

/** Where a text is: its place in the trial, chain or list that it was read from, and the experiment or data set of that. */
export interface Place {
  readonly source: string;
  readonly seq: number;
  readonly of: string;
}

export const mostCounted = 1_000;

const tablesOf = (shelf: string) => `
    CREATE TABLE ${shelf}_sources (source TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE ${shelf} (id INTEGER PRIMARY KEY, source TEXT NOT NULL, seq INTEGER NOT NULL, "of" TEXT NOT NULL);
    CREATE INDEX ${shelf}_of_source ON ${shelf} (source);
    -- Three letters and more, anywhere in a word; one or two: beginnings of words and pairs of letters of scripts without spaces.
    CREATE VIRTUAL TABLE ${shelf}_parts USING fts5(text, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
    CREATE VIRTUAL TABLE ${shelf}_words USING fts5(text, content='', contentless_delete=1, prefix='1 2', tokenize='unicode61');`;

const schema = { version: 4, sql: `${tablesOf('said')} ${tablesOf('cases')} SELECT 1` };

/** Runs of scripts that put no space between words. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu;

/** Each pair of letters of such a run as a word, and its last letter. */
function pairs(text: string): string {
  return text.replaceAll(withoutSpaces, (run) => {
    const letters = Array.from(run);
    return ` ${letters.map((letter, at) => `${letter}${letters[at + 1] ?? ''}`).join(' ')} `;
  });
}

const phrase = (term: string) => `"${term.replaceAll('"', '""')}"`;

/** What is looked for: words and phrases in double quotes, all of which have to be there. */
export function termsOf(sought: string): string[] {
  return Array.from(
    sought
      .normalize('NFC')
      .replaceAll(/\p{Cc}/gu, ' ')
      .matchAll(/"([^"]+)"|([^\s"]+)/gu),
    ([, quoted, word]) => (quoted ?? word ?? '').trim(),
  ).filter((term) => term !== '');
}

function openShelf(db: Database, shelf: 'said' | 'cases') {
  const [parts, words] = [`${shelf}_parts`, `${shelf}_words`];
  const heads = db.prepare<[], { source: string; head: string }>(`SELECT source, head FROM ${shelf}_sources`);
  const ofSource = db.prepare<[string], number>(`SELECT id FROM ${shelf} WHERE source = ?`).pluck();
  const deletions = [`${shelf} WHERE id`, `${parts} WHERE rowid`, `${words} WHERE rowid`].map((of) =>
    db.prepare(`DELETE FROM ${of} = ?`),
  );
  const forget = db.prepare(`DELETE FROM ${shelf}_sources WHERE source = ?`);
  const know = db.prepare(`INSERT OR REPLACE INTO ${shelf}_sources VALUES (?, ?)`);
  const place = db.prepare(`INSERT INTO ${shelf} (source, seq, "of") VALUES (?, ?, ?)`);
  const intoParts = db.prepare(`INSERT INTO ${parts} (rowid, text) VALUES (?, ?)`);
  const intoWords = db.prepare(`INSERT INTO ${words} (rowid, text) VALUES (?, ?)`);

  const drop = (source: string): void => {
    for (const id of ofSource.all(source)) for (const deletion of deletions) deletion.run(id);
    forget.run(source);
  };
  return {
    /** Source -> hash of what was indexed of it. */
    heads: (): Map<string, string> => new Map(heads.all().map(({ source, head }) => [source, head])),
    /** Runs changes as one. */
    together: <T>(work: () => T): T => db.transaction(work).immediate(),
    drop,
    /** Replaces the texts of a source. @param of its experiment or data set */
    put(source: string, head: string, of: string, texts: readonly { readonly seq: number; readonly text: string }[]): void {
      drop(source);
      for (const { seq, text } of texts) {
        const { lastInsertRowid: id } = place.run(source, seq, of);
        const composed = text.normalize('NFC');
        intoParts.run(id, composed);
        intoWords.run(id, pairs(composed));
      }
      know.run(source, head);
    },
    /**
     * Where all terms are, the newest first. `count`: matches, counted up to `mostCounted`.
     * @param of only what is of this experiment or data set; null: all
     * @param limit negative: none
     */
    find(terms: readonly string[], of: string | null, limit: number, offset = 0): { places: Place[]; count: number } {
      const long = terms.filter((term) => Array.from(term).length > 2);
      const short = terms.filter((term) => Array.from(term).length <= 2);
      // One table leads, so that its newest rows come one by one; the other and the source are looked up only for these.
      const leading = long.length > 0 ? parts : words;
      const both = long.length > 0 && short.length > 0;
      const where = [
        `${leading} MATCH :${leading}`,
        ...(both ? [`${leading}.rowid IN (SELECT rowid FROM ${words} WHERE ${words} MATCH :${words})`] : []),
        ...(of === null ? [] : [`${shelf}."of" = :of`]),
      ];
      const from = `FROM ${leading} JOIN ${shelf} ON ${shelf}.id = ${leading}.rowid WHERE ${where.join(' AND ')}`;
      const given = {
        ...(long.length > 0 ? { [parts]: long.map(phrase).join(' AND ') } : {}),
        ...(short.length > 0 ? { [words]: short.map((term) => `${phrase(term)}*`).join(' AND ') } : {}),
        ...(of === null ? {} : { of }),
      };
      const places = db
        .prepare<[object], Place>(
          `SELECT ${shelf}.source, ${shelf}.seq, ${shelf}."of" ${from} ORDER BY ${leading}.rowid DESC LIMIT ${limit} OFFSET ${offset}`,
        )
        .all(given);
      const count = db.prepare<[object], number>(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${mostCounted})`).pluck();
      return { places, count: count.get(given) ?? 0 };
    },
  };
}

const openSearchIndex = (db: Database) => ({
  /** What was said in trials, and of them by people: of each experiment. */
  said: openShelf(db, 'said'),
  /** Facts of cases: of each data set. */
  cases: openShelf(db, 'cases'),
});

export type Shelf = ReturnType<typeof openShelf>;
export type SearchIndex = ReturnType<typeof openSearchIndex>;

/** Works with the index at a path. @param path `:memory:` for one that is not kept */
export const withSearchIndex = <T>(path: string, work: (index: SearchIndex) => T): T =>
  withCacheDatabase(path, schema, (db) => work(openSearchIndex(db)));
