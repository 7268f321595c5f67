import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Supervisor } from '../../main/engine/service/supervisor.ts';
import type { FromEngine } from '../../shared/api/control.ts';
import { uploadHandleSchema } from '../../shared/api/dataFiles.ts';
import { answerText } from './answers.ts';

type Taken = (FromEngine & { kind: 'taken' })['file'];

/** `Content-Disposition` of RFC 6266: a name in ASCII for old readers, and the real one as RFC 5987 has it. */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  const extended = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

export interface Downloads {
  /** Hands out the export behind a handle, once. */
  answer(handle: string, response: ServerResponse): Promise<void>;
  close(): void;
}

/** Asks the engine for the files behind the handles that it gave the page. */
export function openDownloads(supervisor: Supervisor): Downloads {
  const waiting = new Map<number, (file: Taken | 'engine-down') => void>();
  let lastRequest = 0;
  const settle = (request: number, file: Taken | 'engine-down') => {
    waiting.get(request)?.(file);
    waiting.delete(request);
  };
  const stopMessages = supervisor.onMessage((message) => {
    if (message.kind === 'taken') settle(message.request, message.file);
  });
  const stopStates = supervisor.onState((state) => {
    if (state !== 'ready') for (const request of waiting.keys()) settle(request, 'engine-down');
  });

  function take(file: string): Promise<Taken | 'engine-down'> {
    lastRequest += 1;
    const request = lastRequest;
    return new Promise((resolve) => {
      waiting.set(request, resolve);
      if (!supervisor.send({ kind: 'take', request, file })) settle(request, 'engine-down');
    });
  }

  return {
    async answer(handle, response) {
      const known = uploadHandleSchema.safeParse(handle);
      const file = known.success ? await take(known.data) : null;
      if (file === 'engine-down') {
        answerText(response, 503, 'The engine is starting again. Export once more in a moment.');
        return;
      }
      if (file === null) {
        answerText(response, 404, 'This file does not exist, or was already downloaded. Export again.');
        return;
      }
      await sendOnce(file, response);
    },
    close() {
      stopMessages();
      stopStates();
      for (const request of waiting.keys()) settle(request, 'engine-down');
    },
  };
}

/** Sends a file that the engine has released, and removes it. */
async function sendOnce({ path, fileName }: NonNullable<Taken>, response: ServerResponse): Promise<void> {
  try {
    const { size } = await stat(path);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': attachment(fileName),
    });
    await pipeline(createReadStream(path), response).catch(() => {
      // Whoever fetched it has gone away; the cut answer tells them.
    });
  } finally {
    await rm(path, { force: true });
  }
}
