// An index of what was said in the trials of a store: a separate file with nothing but what the record has.
import type { Database } from 'better-sqlite3';
import { withCacheDatabase } from './cacheDatabase.ts';

export interface Place {
  readonly trial: string;
  readonly seq: number;
}

export const mostCounted = 1_000;

const schema = {
  version: 3,
  sql: `
    CREATE TABLE trials (trial TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE said (id INTEGER PRIMARY KEY, trial TEXT NOT NULL, seq INTEGER NOT NULL, experiment TEXT NOT NULL);
    CREATE INDEX said_of_trial ON said (trial);
    -- Three letters and more, anywhere in a word; one or two: beginnings of words and pairs of letters of scripts without spaces.
    CREATE VIRTUAL TABLE parts USING fts5(text, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1');
    CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, prefix='1 2', tokenize='unicode61')`,
};

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

function openSearchIndex(db: Database) {
  const heads = db.prepare<[], { trial: string; head: string }>('SELECT trial, head FROM trials');
  const ofTrial = db.prepare<[string], number>('SELECT id FROM said WHERE trial = ?').pluck();
  const deletions = ['said WHERE id', 'parts WHERE rowid', 'words WHERE rowid'].map((of) => db.prepare(`DELETE FROM ${of} = ?`));
  const forget = db.prepare('DELETE FROM trials WHERE trial = ?');
  const know = db.prepare('INSERT OR REPLACE INTO trials VALUES (?, ?)');
  const place = db.prepare('INSERT INTO said (trial, seq, experiment) VALUES (?, ?, ?)');
  const intoParts = db.prepare('INSERT INTO parts (rowid, text) VALUES (?, ?)');
  const intoWords = db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');

  const drop = (trial: string): void => {
    for (const id of ofTrial.all(trial)) for (const deletion of deletions) deletion.run(id);
    forget.run(trial);
  };
  return {
    /** Trial -> head of the chain that was indexed. */
    heads: (): Map<string, string> => new Map(heads.all().map(({ trial, head }) => [trial, head])),
    /** Runs changes as one. */
    together: <T>(work: () => T): T => db.transaction(work).immediate(),
    drop,
    /** Replaces what was known of a trial by what was said in it. */
    put(trial: string, head: string, experiment: string, said: readonly { readonly seq: number; readonly text: string }[]): void {
      drop(trial);
      for (const { seq, text } of said) {
        const { lastInsertRowid: id } = place.run(trial, seq, experiment);
        const composed = text.normalize('NFC');
        intoParts.run(id, composed);
        intoWords.run(id, pairs(composed));
      }
      know.run(trial, head);
    },
    /**
     * Where all terms are said, the newest first. `count`: matches, counted up to `mostCounted`.
     * @param experiment of only these trials; null: of all
     */
    find(terms: readonly string[], experiment: string | null, limit: number, offset = 0): { places: Place[]; count: number } {
      const long = terms.filter((term) => Array.from(term).length > 2);
      const short = terms.filter((term) => Array.from(term).length <= 2);
      const conditions = [
        ...(long.length > 0 ? ['rowid IN (SELECT rowid FROM parts WHERE parts MATCH :parts)'] : []),
        ...(short.length > 0 ? ['rowid IN (SELECT rowid FROM words WHERE words MATCH :words)'] : []),
      ];
      // One table leads, so that its newest rows come one by one; the other and the experiment are looked up only for these.
      const [leading, rest] = long.length > 0 ? ['parts', conditions.slice(1)] : ['words', []];
      const where = [`${leading} MATCH :${leading}`, ...rest, ...(experiment === null ? [] : ['said.experiment = :experiment'])];
      const from = `FROM ${leading} JOIN said ON said.id = ${leading}.rowid WHERE ${where.join(' AND ').replaceAll('rowid IN', `${leading}.rowid IN`)}`;
      const given = {
        ...(long.length > 0 ? { parts: long.map(phrase).join(' AND ') } : {}),
        ...(short.length > 0 ? { words: short.map((term) => `${phrase(term)}*`).join(' AND ') } : {}),
        ...(experiment === null ? {} : { experiment }),
      };
      const places = db
        .prepare<[object], Place>(
          `SELECT said.trial, said.seq ${from} ORDER BY ${leading}.rowid DESC LIMIT ${limit} OFFSET ${offset}`,
        )
        .all(given);
      const count = db.prepare<[object], number>(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${mostCounted})`).pluck();
      return { places, count: count.get(given) ?? 0 };
    },
  };
}

export type SearchIndex = ReturnType<typeof openSearchIndex>;

/** Works with the index at a path. @param path `:memory:` for one that is not kept */
export const withSearchIndex = <T>(path: string, work: (index: SearchIndex) => T): T =>
  withCacheDatabase(path, schema, (db) => work(openSearchIndex(db)));
