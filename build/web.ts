// Builds the program where it is stale, and serves its screens: `assize web` from the sources.
import { main } from '../src/headless/main.ts';
import { freshen } from './fresh.ts';
import { program } from './products.ts';

await freshen([program]);
process.exitCode = await main(['web', ...process.argv.slice(2)]);
