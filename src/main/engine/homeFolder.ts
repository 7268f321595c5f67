import { homedir } from 'node:os';
import { attempt } from './attempt.ts';

/** The user's own folder. Null for an account that has none, as containers run programs under: without an entry and without HOME. */
export const homeFolder = (): string | null => attempt(() => homedir() || null, null);
