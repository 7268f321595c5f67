import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import type { VerifyReport } from '../../../../shared/outputs.ts';

const script = resolve(import.meta.dirname, '../../../../../docs/record-format/verify.py');

const reportSchema = z.object({
  result: z.enum(['intact', 'tampered', 'unreadable', 'chains intact']),
  root: z.string().nullish(),
  first_bad: z
    .object({
      trial: z.string().nullable(),
      seq: z.number().nullable(),
      kind: z.string(),
      problem: z.string(),
      uses: z.array(z.object({ trial: z.string(), what: z.string() })).optional(),
      passage: z.object({ text: z.string(), more: z.number() }).optional(),
      meaning: z.string(),
    })
    .nullish(),
  /** What to do, and of an intact store what is proved. */
  next: z.array(z.string()).optional(),
  log: z.object({ cosigned: z.int() }).nullish(),
});
type PythonReport = z.infer<typeof reportSchema>;

/** The published second verifier, kept running: starting Python for each of many stores would take too long. */
interface PythonVerifier {
  verify(store: string): Promise<PythonReport>;
  /** Only the chains: what is left to check after an erasure. */
  chains(store: string): Promise<PythonReport>;
  close(): void;
}

const driver = `
import contextlib, json, pathlib, sqlite3, sys
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]).parent))
import verify
for line in sys.stdin:
    what, path = json.loads(line)
    try:
        with contextlib.ExitStack() as stack:
            if what == 'chains':
                try:
                    verify.check_chains(verify.open_store(pathlib.Path(path), stack))
                    report = {'result': 'chains intact'}
                except verify.Tampered as tampered:
                    report = {'result': 'tampered', 'first_bad': tampered.args[0]}
            else:
                report = verify.verify(pathlib.Path(path), stack)
                report['next'] = verify.advice(report)
    except (verify.Unreadable, sqlite3.Error, OSError) as error:
        report = {'result': 'unreadable', 'problem': str(error)}
    except Exception as error:
        report = {'result': repr(error)}
    # A name that is not UTF-8 is kept as lone surrogates, which JSON in Python would print as such.
    print(json.dumps(report), flush=True)
`;

/** Why the second verifier cannot run here, or null. */
export function pythonMissing(): string | null {
  if (!existsSync(script)) return 'docs/record-format/verify.py is not there';
  const { status } = spawnSync('python3', ['-c', 'import sqlite3; assert sqlite3.sqlite_version_info >= (3, 37)']);
  return status === 0 ? null : 'there is no python3 with SQLite 3.37';
}

export function startPythonVerifier(): PythonVerifier {
  const child = spawn('python3', ['-c', driver, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (what: string, store: string): Promise<PythonReport> => {
    child.stdin.write(`${JSON.stringify([what, store])}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the second verifier ended');
    return reportSchema.parse(JSON.parse(value));
  };
  return {
    verify: (store) => ask('all', store),
    chains: (store) => ask('chains', store),
    close: () => child.stdin.end(),
  };
}

/** The second verifier, run with the tests of a file; without Python it agrees with everything, and says so. */
export function secondVerifier() {
  let python: PythonVerifier | undefined;
  beforeAll(() => {
    const missing = pythonMissing();
    if (missing === null) python = startPythonVerifier();
    else process.stdout.write(`verify.py is not compared: ${missing}\n`);
  });
  afterAll(() => python?.close());
  /** Must reach the verdict, and name the place, of the first one. */
  const agrees = async (store: string, { result, root, first_bad }: VerifyReport): Promise<void> => {
    const second = await python?.verify(store);
    if (second === undefined) return;
    const place = [result, first_bad?.trial ?? null, first_bad?.seq ?? null];
    expect([second.result, second.first_bad?.trial ?? null, second.first_bad?.seq ?? null]).toEqual(place);
    expect(second.first_bad?.meaning).toBe(first_bad?.meaning);
    expect(second.first_bad?.passage).toEqual(first_bad?.passage);
    if (result === 'intact') expect(second.root).toBe(root);
  };
  return { verify: async (store: string) => await python?.verify(store), agrees };
}
