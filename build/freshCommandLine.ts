import { freshen } from './fresh.ts';
import { commandLine } from './products.ts';

/** Before tests that start processes: builds the command line where it is missing or older than its sources. */
export const setup = (): Promise<void> => freshen([commandLine]);
