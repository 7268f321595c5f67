import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { contentPolicy } from '../../shared/api/contentPolicy.ts';

/** What the page may never use. */
const closedFeatures = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'interest-cohort',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

const permissionsPolicy = closedFeatures.map((name) => `${name}=()`).join(', ');

/**
 * Headers of every answer.
 * @param host the request's `Host`, checked; undefined where it was refused
 */
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

export function answerJson(response: ServerResponse, status: number, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  answer(response, status, 'application/json; charset=utf-8', `${JSON.stringify(value)}\n`, headers);
}

function answer(response: ServerResponse, status: number, type: string, text: string, headers: OutgoingHttpHeaders): void {
  const unread = hasUnreadBody(response.req) ? { connection: 'close' } : {};
  response.writeHead(status, { ...headers, ...unread, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

const hasUnreadBody = (request: IncomingMessage) =>
  !request.complete && (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined);
