// Builds what is stale, and opens Assize: in Electron if its runtime can be had and works here, else in the browser.
import { join } from 'node:path';
import { main } from '../src/headless/main.ts';
import { openerOf } from '../src/headless/web/places.ts';
import { obtainElectron } from './fetchElectron.ts';
import { freshen } from './fresh.ts';
import { openElectron } from './openElectron.ts';
import { program } from './products.ts';
import { root } from './repository.ts';
import { readStartText } from './startText.ts';

const { store, fetchAgain, browser, forWeb } = readStartText(process.argv.slice(2));
const log = join(root, 'out/electron.log');

/** Opens Electron and returns its exit code, or says why the browser has to do; null where it was asked for. */
async function tryElectron(): Promise<number | string | null> {
  if (browser) return null;
  if (openerOf(process) === null) return 'There is no screen here.';
  const electron = obtainElectron(fetchAgain);
  if ('missing' in electron) return electron.missing;
  const outcome = await openElectron(electron.executable, store, log);
  return typeof outcome === 'number' ? outcome : `${outcome} What it wrote is in ${log}.`;
}

await freshen([program]);
const outcome = await tryElectron();
if (typeof outcome === 'number') process.exitCode = outcome;
else {
  if (outcome !== null) console.error(`${outcome} Assize opens in the browser instead, with the same screens.`);
  process.exitCode = await main(['web', ...forWeb]);
}
