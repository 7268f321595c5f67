// The host of the screens in a browser, and the files that they upload.
import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Supervisor } from '../../main/engine/service/supervisor.ts';
import { openTemporaryFolder } from '../../main/engine/temporaryFolder.ts';
import type { FromEngine, ToEngine } from '../../shared/api/control.ts';
import { type Upload, uploadHandleSchema } from '../../shared/api/dataFiles.ts';
import { systemCode } from '../../shared/errors.ts';
import { answerJson, answerScreen, answerText, guardHeaders, type Screens } from './answers.ts';
import { engineSockets, type SocketLimits } from './engineSockets.ts';
import { mintToken, type Token } from './token.ts';

/** Names of this machine in an address; any port, since a tunnel changes it. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Why a request is not answered, as a sentence for the sender; null where nothing is wrong. A foreign
 * `Host` means that another name was made to lead here (DNS rebinding), a foreign `Origin` or
 * `Sec-Fetch-Site` that another site's page has sent the request.
 * @param needsOrigin whether the request must name its origin: those that change something, and WebSockets
 */
function refusalOf({ headersDistinct }: IncomingMessage, needsOrigin: boolean): string | null {
  const [host, ...moreHosts] = headersDistinct.host ?? [];
  if (host === undefined || moreHosts.length > 0 || !ownHost.test(host)) {
    return 'This address is not on this machine. Open the link that the program printed.';
  }
  const origins = headersDistinct.origin ?? [];
  if ((needsOrigin && origins.length === 0) || origins.some((origin) => origin !== `http://${host}`)) {
    return 'Only the page that this program serves may ask for this. Open the link that the program printed.';
  }
  const sites = headersDistinct['sec-fetch-site'] ?? [];
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) {
    return 'Another page led here. Copy the link that the program printed into the address bar.';
  }
  return null;
}

const loopback = '127.0.0.1';

export interface WebLimits {
  readonly sockets: SocketLimits;
  readonly uploads: UploadLimits;
}

export const usualLimits: WebLimits = {
  sockets: { connections: 16, message: 2 ** 20, waiting: 32 * 2 ** 20, tokenMs: 5_000, pingMs: 30_000 },
  uploads: { bytes: 2 ** 30, stallMs: 60_000 },
};

interface WebHost {
  /** With the token in its fragment, which browsers keep to themselves. */
  readonly url: string;
  readonly port: number;
  /** Ends every connection and removes what was received. The supervisor is its owner's. */
  close(): Promise<void>;
}

/** Serves the page and the engine on 127.0.0.1 only. @param port 0 for any that is free. Throws the errors of `listen`. */
export async function startWebHost(options: {
  supervisor: Supervisor;
  screens: Screens;
  port: number;
  /** Called with an error that no request should have met; the page sees a plain 500. */
  onError: (error: unknown) => void;
  limits?: WebLimits;
}): Promise<WebHost> {
  const { supervisor, screens, onError, limits = usualLimits } = options;
  const token = mintToken();
  const downloads = openDownloads(supervisor);
  const sockets = engineSockets(supervisor, token, limits.sockets);
  // A large file may take long over a tunnel; one that stalls is cut off by the uploads themselves.
  const server = createServer({ requestTimeout: 0, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method } = request;
    const refusal = refusalOf(request, method !== 'GET' && method !== 'HEAD');
    for (const [name, value] of Object.entries(guardHeaders(refusal === null ? request.headers.host : undefined))) {
      if (value !== undefined) response.setHeader(name, value);
    }
    if (refusal !== null) answerText(response, 403, refusal);
    else if (url === '/uploads' && method === 'POST') await uploads.answer(request, response);
    else if (url.startsWith('/files/') && method === 'GET') await downloads.answer(url.slice('/files/'.length), response);
    else answerScreen(screens, request, response);
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onError(error);
      if (response.headersSent) response.destroy();
      else answerText(response, 500, 'Something went wrong; the program’s terminal shows what.');
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    const refusal = refusalOf(request, true);
    if (refusal !== null) refuseUpgrade(socket, '403 Forbidden', refusal);
    else if (request.url !== '/engine') refuseUpgrade(socket, '404 Not Found', 'There is nothing at this address.');
    else sockets.upgrade(request, socket, head);
  });

  const uploads = await openUploads(supervisor, token, limits.uploads);
  const close = async () => {
    sockets.close();
    downloads.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([closed, uploads.close()]);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: loopback, port: options.port, exclusive: true }, resolve);
    });
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return { url: `http://${loopback}:${port}/#token=${token.text}`, port, close };
}

function refuseUpgrade(socket: Duplex, status: string, sentence: string): void {
  const body = `${sentence}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

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

/** Asks the engine for the files behind the handles that it gave the page. */
function openDownloads(supervisor: Supervisor) {
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
    async answer(handle: string, response: ServerResponse) {
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

async function sendOnce({ path, fileName }: NonNullable<Taken>, response: ServerResponse): Promise<void> {
  try {
    const { size } = await stat(path);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': attachment(fileName),
    });
    await pipeline(createReadStream(path), response).catch(() => {
      // The reader has gone away; the cut answer shows it.
    });
  } finally {
    await rm(path, { force: true });
  }
}

interface UploadLimits {
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
async function openUploads(supervisor: Supervisor, token: Token, limits: UploadLimits) {
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
