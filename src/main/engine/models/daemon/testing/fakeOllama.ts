import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FakeBehaviour {
  /** Before it listens. */
  readonly startMs?: number;
  /** Its first lives find their port taken. */
  readonly takenPorts?: number;
  /** Its first lives end at once. */
  readonly earlyDeaths?: number;
  /** Its first lives end soon after they listen. */
  readonly lateDeaths?: number;
  /** What it says when it ends late. */
  readonly lastWords?: string;
  /** How long it takes to end when it is asked to. */
  readonly endMs?: number;
  /** It does not hear SIGINT. */
  readonly deaf?: boolean;
  /** It starts a process in its group that does not hear SIGINT. */
  readonly child?: boolean;
  readonly chatter?: boolean;
  readonly cloud?: 'off' | 'on' | 'untold';
  readonly version?: string;
  /** It is the demo model, which answers calls. */
  readonly standin?: boolean;
}

const fixture = resolve(import.meta.dirname, 'fakeOllama.fixture.ts');
const variable = 'FAKE_OLLAMA_MARK';

function bearing(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      if (pid === process.pid) return false;
      try {
        // What has ended and was not taken note of has no environment any more.
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${variable}=${mark}`);
      } catch {
        return false;
      }
    });
}

export type FakeOllama = ReturnType<typeof fakeOllama>;

/** A program that behaves, or misbehaves, as `ollama serve` can: a real process with a real port. */
export function fakeOllama(behaviour: FakeBehaviour = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-ollama-'));
  const program = join(folder, 'ollama');
  const journal = join(folder, 'lives.jsonl');
  const mark = randomUUID();
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const words = JSON.stringify({ ...behaviour, journal });
  writeFileSync(program, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(fixture)} ${quoted(words)} "$@"\n`);
  chmodSync(program, 0o755);
  const survivors = () => bearing(mark);
  return {
    /** A file that can be run like `ollama`. */
    program,
    folder,
    /** For the environment that it is started with: `survivors` looks for it. */
    env: { [variable]: mark },
    lives(): { pid: number; env: Record<string, string> }[] {
      if (!existsSync(journal)) return [];
      // The last line may be about to be written.
      const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    survivors,
    /** Resolves when there are none, throws where some stay. */
    async gone() {
      for (let tries = 0; survivors().length > 0; tries++) {
        if (tries > 600) throw new Error(`still there: ${survivors().join(', ')}`);
        await sleep(50);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
