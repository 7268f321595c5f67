import Database from 'better-sqlite3';

/** Methods of a statement that answer with the statement itself. */
const manners = new Set(['pluck', 'raw', 'expand']);

function lazily(compile: () => Database.Statement): Database.Statement {
  let compiled: Database.Statement | undefined;
  const chosen: string[] = [];
  const bound = new Map<string, unknown>();
  const lazy: Database.Statement = new Proxy({} as Database.Statement, {
    get(_target, name: string) {
      const known = bound.get(name);
      if (known !== undefined) return known;
      if (compiled === undefined && manners.has(name))
        return () => {
          chosen.push(name);
          return lazy;
        };
      if (compiled === undefined) {
        compiled = compile();
        for (const manner of chosen) Reflect.get(compiled, manner).call(compiled);
      }
      const value = Reflect.get(compiled, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(compiled);
      bound.set(name, method);
      return method;
    },
  });
  return lazy;
}

/** A database whose statements are compiled at first use: queries need few, and older stores lack some tables. */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  const db = new Database(file, options);
  const compile = db.prepare.bind(db);
  db.prepare = ((sql: string) => lazily(() => compile(sql))) as typeof db.prepare;
  return db;
}
