import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { contentPolicy } from '../../shared/api/contentPolicy.ts';
import { systemCode } from '../../shared/errors.ts';

/** What the page may never use. */
const permissionsPolicy = [
  'accelerometer autoplay browsing-topics camera clipboard-read display-capture encrypted-media gamepad geolocation',
  'gyroscope hid identity-credentials-get idle-detection interest-cohort keyboard-map local-fonts magnetometer microphone',
  'midi otp-credentials payment picture-in-picture publickey-credentials-create publickey-credentials-get',
  'screen-wake-lock serial speaker-selection storage-access usb window-management xr-spatial-tracking',
]
  .join(' ')
  .replaceAll(/\S+/g, '$&=()')
  .replaceAll(' ', ', ');

/** Headers of every answer. @param host the request's `Host`, checked; undefined where it was refused */
export function guardHeaders(host: string | undefined): OutgoingHttpHeaders {
  // Not every browser takes 'self' to cover WebSockets, and no policy can name an IPv6 address.
  const engine = host === undefined || host.startsWith('[') ? [] : [`ws://${host}`];
  return {
    'content-security-policy': contentPolicy(engine),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissionsPolicy,
    'cache-control': 'no-store',
  };
}

/** Answers in plain text, and reads no further into an unwanted body. */
export function answerText(response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
  answer(response, status, 'text/plain; charset=utf-8', `${text}\n`, headers);
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  answer(response, status, 'application/json; charset=utf-8', `${JSON.stringify(value)}\n`, {});
}

function answer(response: ServerResponse, status: number, type: string, text: string, headers: OutgoingHttpHeaders): void {
  const unread = hasUnreadBody(response.req) ? { connection: 'close' } : {};
  response.writeHead(status, { ...headers, ...unread, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

const hasUnreadBody = (request: IncomingMessage) =>
  !request.complete && (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

interface Screen {
  readonly type: string;
  readonly bytes: Buffer;
  readonly cache: string;
}

/** The built page by the paths of its addresses. Requests look a path up and never reach the disk. */
export type Screens = ReadonlyMap<string, Screen>;

/** Reads the built page without symbolic links; null where it was not built. Throws on a file without a known media type. */
export function readScreens(folder: string): Screens | null {
  const screens = new Map<string, Screen>();
  for (const path of filesIn(folder)) {
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`no media type is known for ${path}`);
    // Names of built files hold a hash of their content; the page itself does not.
    const cache = path === 'index.html' ? 'no-store' : 'private, max-age=31536000, immutable';
    screens.set(`/${path}`, { type, bytes: readFileSync(join(folder, path)), cache });
  }
  const page = screens.get('/index.html');
  return page === undefined ? null : screens.set('/', page);
}

function filesIn(folder: string, prefix = ''): string[] {
  try {
    return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
      const path = `${prefix}${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, `${path}/`);
      return entry.isFile() ? [path] : [];
    });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Answers GET and HEAD with a file of the page, everything else with 404 or 405. */
export function answerScreen(screens: Screens, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    answerText(response, 405, 'This address can only be read.', { allow: 'GET, HEAD' });
    return;
  }
  const screen = screens.get(request.url ?? '');
  if (screen === undefined) {
    answerText(response, 404, 'There is nothing at this address.');
    return;
  }
  response.writeHead(200, {
    'content-type': screen.type,
    'content-length': screen.bytes.length,
    'cache-control': screen.cache,
  });
  response.end(request.method === 'HEAD' ? undefined : screen.bytes);
}
