import { homedir } from 'node:os';

/** The user's own folder. Null for an account that has none, as containers run programs under: without an entry and without HOME. */
export function homeFolder(): string | null {
  try {
    return homedir() || null;
  } catch {
    return null;
  }
}
