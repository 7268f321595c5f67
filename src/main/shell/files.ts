import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FromEngine, ToEngine } from '../../shared/api/control.ts';
import type { Upload } from '../../shared/api/dataFiles.ts';
import { AssizeError, badInput } from '../../shared/errors.ts';
import type { SupervisorState } from '../engine/service/supervisor.ts';
import { refuseForeignPath } from '../engine/store/location.ts';

/** What file work needs of the engine: the supervisor has it. */
export interface EngineLine {
  send(message: ToEngine): boolean;
  onMessage(listener: (message: FromEngine) => void): () => void;
  onState(listener: (state: SupervisorState) => void): () => void;
}

/** The system's dialogs; null where the user chose nothing. */
export interface FileDialogs {
  chooseFile(): Promise<string | null>;
  choosePlace(fileName: string): Promise<string | null>;
}

const longestName = 150;

/** Chosen files that are remembered for an engine that comes after a death. */
const mostRemembered = 100;

const engineAway = () => new AssizeError('internal', 'The engine is starting. Try again in a moment.');

/** A name for the save dialog that is no path and no special name on any system. */
export function plainFileName(name: string): string {
  const plain = name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, longestName);
  return plain === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `assize-${plain || 'export'}` : plain;
}

/** Copies so that the target is at no time half written; it is replaced if it exists, as the dialog has asked about. */
async function copyWhole(from: string, to: string): Promise<void> {
  const half = join(dirname(to), `.${basename(to)}.${randomBytes(6).toString('hex')}.part`);
  try {
    await copyFile(from, half, constants.COPYFILE_EXCL);
    const handle = await open(half, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(half, to);
  } catch (error) {
    await rm(half, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new AssizeError(
      'bad-input',
      `The export could not be written there (${code ?? 'unknown error'}). Choose another place.`,
    );
  }
}

/** Files between user and engine: paths stay on this side of the page. */
export function fileManager(engine: EngineLine, dialogs: FileDialogs) {
  let requests = 0;
  const announced: ToEngine[] = [];
  engine.onState((state) => {
    if (state === 'ready') for (const message of announced) engine.send(message);
  });

  const announce = async (path: string): Promise<Upload> => {
    refuseForeignPath(path, 'file');
    const state = await stat(path).catch(() => null);
    if (!state?.isFile()) throw badInput('This is no file that can be read. Choose a CSV, TSV or JSONL file.');
    const upload = { upload: randomBytes(24).toString('base64url'), fileName: basename(path), bytes: state.size };
    const message: ToEngine = { kind: 'upload', ...upload, path, temporary: false };
    if (!engine.send(message)) throw engineAway();
    announced.push(message);
    announced.splice(0, announced.length - mostRemembered);
    return upload;
  };

  const take = (file: string) =>
    new Promise<{ path: string; fileName: string } | null>((resolve, reject) => {
      requests += 1;
      const request = requests;
      const end = () => {
        stopMessages();
        stopStates();
      };
      const stopMessages = engine.onMessage((message) => {
        if (message.kind !== 'taken' || message.request !== request) return;
        end();
        resolve(message.file);
      });
      // An engine that changes its state while it is asked has died, and the export with it.
      const stopStates = engine.onState(() => {
        end();
        reject(engineAway());
      });
      if (engine.send({ kind: 'take', request, file })) return;
      end();
      reject(engineAway());
    });

  return {
    async chooseFile() {
      const path = await dialogs.chooseFile();
      return path === null ? null : announce(path);
    },
    async takeFile(path: string) {
      return path === '' ? null : announce(path);
    },
    async saveExport(file: string, fileName: string) {
      const place = await dialogs.choosePlace(plainFileName(fileName));
      if (place === null) return false;
      const taken = await take(file);
      if (taken === null) throw new AssizeError('not-found', 'This export is no longer there. Make it again.');
      await copyWhole(taken.path, place).finally(() => rm(taken.path, { force: true }));
      return true;
    },
  };
}
