import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Supervisor } from '../../main/engine/service/supervisor.ts';
import { openTemporaryFolder } from '../../main/engine/temporaryFolder.ts';
import type { ToEngine } from '../../shared/api/control.ts';
import type { Upload } from '../../shared/api/dataFiles.ts';
import { systemCode } from '../../shared/errors.ts';
import { answerJson } from './answers.ts';
import type { Token } from './token.ts';

export interface UploadLimits {
  readonly bytes: number;
  /** Milliseconds without a byte after which the sender is taken to be gone. */
  readonly stallMs: number;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

const mostNameLength = 255;

/** The name that the page gave the file: shown to the user, and no part of any path. Throws Refusal. */
function readFileName(header: string | string[] | undefined): string {
  let name = '';
  try {
    name = decodeURIComponent(String(header ?? ''));
  } catch {
    // An empty name is refused below.
  }
  if (name === '' || name.length > mostNameLength || /[\p{Cc}/\\]/u.test(name)) {
    throw new Refusal(400, `The file needs a name of at most ${mostNameLength} characters, without slashes.`);
  }
  return name;
}

/** Takes files from the page into its own folder, and sends the engine their handles. */
export async function openUploads(supervisor: Supervisor, token: Token, limits: UploadLimits) {
  const folder = openTemporaryFolder('uploads');
  const announced: (ToEngine & { kind: 'upload' })[] = [];
  // A restarted engine knows nothing of the files of the one before it.
  const stopStates = supervisor.onState((state) => {
    if (state === 'ready') for (const upload of announced) if (existsSync(upload.path)) supervisor.send(upload);
  });

  function bytesTooMany(): Refusal {
    return new Refusal(413, `The file is larger than ${limits.bytes} bytes, the most that can be sent.`);
  }

  /** Writes the body to a file. Throws Refusal; then there is no file. */
  async function receive(request: IncomingMessage, path: string): Promise<number> {
    let bytes = 0;
    async function* measured(): AsyncGenerator<Buffer> {
      // Kept open on a refusal, which would otherwise not reach the sender.
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length;
        if (bytes > limits.bytes) throw bytesTooMany();
        yield chunk;
      }
    }
    const { socket } = request;
    const onStall = () => request.destroy(new Error('the sender is gone'));
    socket.setTimeout(limits.stallMs, onStall);
    try {
      // Opened before anything is read: a stream that still opens its file would make it after a refusal has removed it.
      const file = await open(path, 'wx', 0o600);
      await pipeline(measured, file.createWriteStream());
      return bytes;
    } catch (error) {
      await rm(path, { force: true });
      if (error instanceof Refusal) throw error;
      const full = systemCode(error) === 'ENOSPC';
      throw full ? new Refusal(507, 'The disk is full.') : new Refusal(400, 'The file did not arrive whole.');
    } finally {
      socket.setTimeout(0);
      socket.off('timeout', onStall);
    }
  }

  async function take(request: IncomingMessage): Promise<Upload> {
    const { authorization = '', 'content-length': length = '0', 'x-file-name': header } = request.headers;
    const given = /^Bearer ([A-Za-z0-9_-]+)$/.exec(authorization)?.[1] ?? '';
    if (!token.matches(given)) throw new Refusal(401, 'This is not the token of this program.');
    const fileName = readFileName(header);
    if (Number(length) > limits.bytes) throw bytesTooMany();
    const upload = randomBytes(24).toString('base64url');
    const path = join(folder, upload);
    const bytes = await receive(request, path);
    const announcement = { kind: 'upload', upload, path, fileName, bytes, temporary: true } as const;
    if (!supervisor.send(announcement)) {
      await rm(path, { force: true });
      throw new Refusal(503, 'The engine is starting again. Send the file once more in a moment.');
    }
    announced.push(announcement);
    return { upload, fileName, bytes };
  }

  return {
    async answer(request: IncomingMessage, response: ServerResponse) {
      try {
        answerJson(response, 200, await take(request));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (!response.destroyed) answerJson(response, error.status, { code: 'bad-input', message: error.message });
      }
    },
    async close() {
      stopStates();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
