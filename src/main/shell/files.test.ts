import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FromEngine, ToEngine } from '../../shared/api/control.ts';
import { toEngineSchema } from '../../shared/api/control.ts';
import { uploadSchema } from '../../shared/api/dataFiles.ts';
import { AssizeError } from '../../shared/errors.ts';
import type { SupervisorState } from '../engine/service/supervisor.ts';
import { fileManager, plainFileName } from './files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assize-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const handle = 'h'.repeat(32);

/** A file manager over an engine with given answers. */
function open(
  answer: (message: ToEngine, tell: (message: FromEngine) => void, state: (state: SupervisorState) => void) => boolean,
) {
  const messages = new Set<(message: FromEngine) => void>();
  const states = new Set<(state: SupervisorState) => void>();
  const sent: ToEngine[] = [];
  const dialogs: { open: string | null; place: string | null; names: string[] } = { open: null, place: null, names: [] };
  const files = fileManager(
    {
      send(message) {
        sent.push(toEngineSchema.parse(message));
        return answer(
          message,
          (reply) => {
            for (const listener of [...messages]) listener(reply);
          },
          (state) => {
            for (const listener of [...states]) listener(state);
          },
        );
      },
      onMessage: (listener) => {
        messages.add(listener);
        return () => void messages.delete(listener);
      },
      onState: (listener) => {
        states.add(listener);
        return () => void states.delete(listener);
      },
    },
    {
      chooseFile: () => Promise.resolve(dialogs.open),
      choosePlace: (fileName) => {
        dialogs.names.push(fileName);
        return Promise.resolve(dialogs.place);
      },
    },
  );
  const enter = (state: SupervisorState) => {
    for (const listener of [...states]) listener(state);
  };
  // One listener stays, which sends a new engine the files.
  return { files, sent, dialogs, enter, listening: () => messages.size + states.size - 1 };
}

const failureOf = async (promise: Promise<unknown>): Promise<AssizeError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AssizeError)) throw new Error(`an AssizeError was expected, not ${String(error)}`);
  expect(error.message).not.toContain(folder);
  return error;
};

describe('a data file', () => {
  it('is announced to the engine with its path and to the page without', async () => {
    const { files, sent, dialogs } = open(() => true);
    dialogs.open = join(folder, 'cases.csv');
    writeFileSync(dialogs.open, 'a,b\n1,2\n');
    const upload = uploadSchema.parse(await files.chooseFile());
    expect(upload).toMatchObject({ fileName: 'cases.csv', bytes: 8 });
    expect(sent).toEqual([{ kind: 'upload', ...upload, path: dialogs.open, temporary: false }]);
    const again = await files.takeFile(dialogs.open);
    expect(again?.upload).not.toBe(upload.upload);
  });

  it('is announced again to the engine that comes after a death', async () => {
    const { files, sent, enter } = open(() => true);
    writeFileSync(join(folder, 'cases.csv'), 'a\n');
    await files.takeFile(join(folder, 'cases.csv'));
    enter('restarting');
    expect(sent).toHaveLength(1);
    enter('ready');
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
  });

  it('is null where the user chose none, or a script made it up', async () => {
    const { files, sent } = open(() => true);
    expect([await files.chooseFile(), await files.takeFile('')]).toEqual([null, null]);
    expect(sent).toEqual([]);
  });

  it.each([
    ['a folder', () => folder],
    ['a missing file', () => join(folder, 'none.csv')],
    ['a device', () => '/dev/null'],
    ['a path with NUL', () => `${folder}/a\0.csv`],
  ])('is refused where it is %s', async (_name, path) => {
    const { files, sent } = open(() => true);
    expect((await failureOf(files.takeFile(path()))).message).toContain('Choose a CSV, TSV or JSONL file');
    expect(sent).toEqual([]);
  });

  it.each(['\\\\server\\share\\a.csv', '//server/share/a.csv', '\\\\.\\pipe\\x', '\\\\?\\C:\\a.csv'])(
    'security 29: %s is refused before it is looked at',
    async (path) => {
      expect((await failureOf(open(() => true).files.takeFile(path))).message).toContain('UNC and device paths');
    },
  );

  it('must wait for the engine', async () => {
    const { files } = open(() => false);
    writeFileSync(join(folder, 'a.csv'), '');
    expect((await failureOf(files.takeFile(join(folder, 'a.csv')))).message).toContain('Try again');
  });
});

describe('an export', () => {
  const makeExport = () => {
    mkdirSync(join(folder, 'engine'));
    writeFileSync(join(folder, 'engine/x'), 'trial,outcome\n');
    return { path: join(folder, 'engine/x'), fileName: 'trials.csv' };
  };

  it('is copied to the chosen place, in place of what is there, and removed at its source', async () => {
    const file = makeExport();
    const { files, dialogs, sent, listening } = open((message, tell) => {
      if (message.kind !== 'take') return false;
      tell({ kind: 'taken', request: message.request + 1, file: null });
      tell({ kind: 'taken', request: message.request, file });
      return true;
    });
    mkdirSync(join(folder, 'chosen'));
    dialogs.place = join(folder, 'chosen/out.csv');
    writeFileSync(dialogs.place, 'an older and longer export');
    expect(await files.saveExport(handle, 'trials.csv')).toBe(true);
    expect(readFileSync(dialogs.place, 'utf8')).toBe('trial,outcome\n');
    expect(readdirSync(join(folder, 'chosen'))).toEqual(['out.csv']);
    expect(readdirSync(join(folder, 'engine'))).toEqual([]);
    expect(sent).toEqual([{ kind: 'take', request: 1, file: handle }]);
    expect(dialogs.names).toEqual(['trials.csv']);
    expect(listening()).toBe(0);
  });

  it('waits in the engine while the user chooses no place', async () => {
    const { files, sent } = open(() => true);
    expect(await files.saveExport(handle, 'trials.csv')).toBe(false);
    expect(sent).toEqual([]);
  });

  it('that cannot be written leaves nothing behind', async () => {
    const file = makeExport();
    const { files, dialogs } = open((message, tell) => {
      if (message.kind === 'take') tell({ kind: 'taken', request: message.request, file });
      return true;
    });
    dialogs.place = join(folder, 'missing/out.csv');
    expect((await failureOf(files.saveExport(handle, 'x'))).message).toContain('ENOENT');
    mkdirSync(join(folder, 'taken'));
    mkdirSync(join(folder, 'taken/out.csv'));
    writeFileSync(file.path, 'x');
    dialogs.place = join(folder, 'taken/out.csv');
    await failureOf(files.saveExport(handle, 'x'));
    expect(readdirSync(join(folder, 'taken'))).toEqual(['out.csv']);
  });

  it('that is no longer there is reported', async () => {
    const { files, dialogs } = open((message, tell) => {
      if (message.kind === 'take') tell({ kind: 'taken', request: message.request, file: null });
      return true;
    });
    dialogs.place = join(folder, 'out.csv');
    expect(await failureOf(files.saveExport(handle, 'x'))).toMatchObject({ code: 'not-found' });
  });

  it('the wait for it ends when the engine dies or is away', async () => {
    const dying = open((_message, _tell, state) => {
      state('restarting');
      return true;
    });
    dying.dialogs.place = join(folder, 'out.csv');
    expect((await failureOf(dying.files.saveExport(handle, 'x'))).message).toContain('Try again');
    const away = open(() => false);
    away.dialogs.place = join(folder, 'out.csv');
    await failureOf(away.files.saveExport(handle, 'x'));
    expect([dying.listening(), away.listening()]).toEqual([0, 0]);
  });
});

it.each([
  ['trials.csv', 'trials.csv'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Windows\\x.csv', 'C__Windows_x.csv'],
  ['.bashrc', 'bashrc'],
  ['a\0b\u202etxt.csv', 'a_b_txt.csv'],
  ['...', 'assize-export'],
  ['CON', 'assize-CON'],
  ['nul.csv', 'assize-nul.csv'],
  ['x'.repeat(400), 'x'.repeat(150)],
  ['Übersicht – 3.csv', 'Übersicht – 3.csv'],
])('a save dialog is offered %j as %j', (name, plain) => {
  expect(plainFileName(name)).toBe(plain);
});
