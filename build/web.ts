// Builds the screens where they are stale, and serves them: `assize web` from the sources.
import { main } from '../src/headless/main.ts';
import { freshen } from './fresh.ts';
import { screens } from './products.ts';

await freshen([screens]);
process.exitCode = await main(['web', ...process.argv.slice(2)]);
