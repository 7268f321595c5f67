// Builds what is stale, and opens Assize: in Electron where its runtime is to be had, in the browser otherwise.
import { main } from '../src/headless/main.ts';
import { openerOf } from '../src/headless/web/openBrowser.ts';
import { obtainElectron } from './fetchElectron.ts';
import { freshen } from './fresh.ts';
import { openElectron } from './openElectron.ts';
import { electronApp, screens } from './products.ts';
import { readStartWords } from './startWords.ts';

const { store, fetchAgain, browser, forWeb } = readStartWords(process.argv.slice(2));

/** Opens Electron and returns its exit code, or says why the browser has to do; null where it was asked for. */
async function tryElectron(): Promise<number | string | null> {
  if (browser) return null;
  if (openerOf(process) === null) return 'There is no screen here.';
  const electron = obtainElectron(fetchAgain);
  if ('missing' in electron) return electron.missing;
  await freshen([screens, electronApp]);
  return (await openElectron(electron.executable, store)) ?? 'Electron does not run on this system.';
}

const outcome = await tryElectron();
if (typeof outcome === 'number') process.exitCode = outcome;
else {
  if (outcome !== null) console.error(`${outcome} Assize opens in the browser instead, with the same screens.`);
  await freshen([screens]);
  process.exitCode = await main(['web', ...forWeb]);
}
