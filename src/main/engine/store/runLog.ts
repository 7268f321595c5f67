import type { Connection } from './connection.ts';

export type RunEvent = 'run-start' | 'run-pause' | 'run-resume' | 'run-end' | 'run-interrupt';

/** What happened to runs: starts, pauses, resumes. Information only, outside every chain. */
export interface RunLog {
  add(experiment: string, event: RunEvent, detail?: Readonly<Record<string, unknown>>): void;
  of(experiment: string): { at: string; event: string; detail: string }[];
}

export function openRunLog(db: Connection): RunLog {
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT INTO run_log (at, experiment, event, detail) VALUES (?, ?, ?, ?)',
  );
  const select = db.prepare<[string], { at: string; event: string; detail: string }>(
    'SELECT at, event, detail FROM run_log WHERE experiment = ? ORDER BY id',
  );
  return {
    add(experiment, event, detail = {}) {
      insert.run(new Date().toISOString(), experiment, event, JSON.stringify(detail));
    },
    of: (experiment) => select.all(experiment),
  };
}
