import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { exitCode } from '../../shared/errors.ts';
import type { ElectronModule } from './electronModule.ts';
import type { FileDialogs } from './files.ts';

/** Files that the engine can read. */
const dataFiles = [
  { name: 'Tables (CSV, TSV, JSON Lines, Parquet, Excel)', extensions: ['csv', 'tsv', 'jsonl', 'ndjson', 'parquet', 'xlsx'] },
  { name: 'Records (stores, bundles)', extensions: ['db', 'zip'] },
  { name: 'All files', extensions: ['*'] },
];

export function fileDialogs({ app, dialog }: Pick<ElectronModule, 'app' | 'dialog'>, window: () => BrowserWindow): FileDialogs {
  return {
    async chooseFile() {
      const { canceled, filePaths } = await dialog.showOpenDialog(window(), { properties: ['openFile'], filters: dataFiles });
      return canceled ? null : (filePaths[0] ?? null);
    },
    async choosePlace(fileName) {
      const { canceled, filePath } = await dialog.showSaveDialog(window(), {
        defaultPath: join(app.getPath('downloads'), fileName),
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      });
      return canceled || filePath === '' ? null : filePath;
    },
  };
}

/** Says why the program cannot start, and ends it. Works before Electron is ready. */
export function refuseStart({ app, dialog }: Pick<ElectronModule, 'app' | 'dialog'>, error: unknown): void {
  dialog.showErrorBox('Assize cannot start', error instanceof Error ? error.message : String(error));
  app.exit(exitCode.badInput);
}

/** What the page cannot say itself, because it or its engine is gone. */
export function notices({ dialog }: Pick<ElectronModule, 'dialog'>, window: () => BrowserWindow) {
  const ask = async (message: string, detail: string, yes: string) => {
    const { response } = await dialog.showMessageBox(window(), {
      type: 'error',
      message,
      detail,
      buttons: [yes, 'Quit'],
      defaultId: 0,
      cancelId: 1,
    });
    return response === 0;
  };
  return {
    /** The page was loaded again after its process had died. */
    reloaded() {
      void dialog.showMessageBox(window(), {
        type: 'info',
        message: 'The screens ended unexpectedly and were loaded again.',
        detail: 'The engine kept running: runs continued and nothing is lost.',
      });
    },
    /** The page died again: whether to load it once more. */
    askAgain: () => ask('The screens ended unexpectedly again.', 'Runs continue until you quit.', 'Load them again'),
    /** The engine died too often: whether to start it once more. */
    askEngineAgain: (reason: string) => ask('The engine has ended.', `${reason} What was recorded is safe.`, 'Start it again'),
    async engineRefused(reason: string) {
      await dialog.showMessageBox(window(), {
        type: 'error',
        message: 'The engine cannot start.',
        detail: reason,
        buttons: ['Quit'],
      });
    },
  };
}
