import type { BrowserContext, Page, Request } from '@playwright/test';

/** What pages of a context did that a person would not see. */
export interface Watch {
  /** Addresses asked for outside the page's origin, WebSockets among them. */
  readonly foreign: string[];
  /** All addresses asked for, in order. */
  readonly requested: string[];
  /** Messages that the pages sent to the engine, as text. */
  readonly sent: string[];
  /** Errors of the console and of scripts. */
  readonly errors: string[];
  readonly dialogs: string[];
  /** Violations of the content policy. */
  readonly violations: string[];
  readonly popups: string[];
}

/** What the browser reports when a connection ends under it; the page says so to the user. */
const connectionEnded = /WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/engine' failed/;

/** Watches everything that pages of a context do from now on. */
export async function watch(context: BrowserContext, origin: string): Promise<Watch> {
  const seen: Watch = { foreign: [], requested: [], sent: [], errors: [], dialogs: [], violations: [], popups: [] };
  const own = [`${origin}/`, `${origin.replace('http', 'ws')}/`];
  const note = (url: string) => {
    seen.requested.push(url);
    if (!/^(?:data|blob|about):/.test(url) && !own.some((start) => url.startsWith(start))) seen.foreign.push(url);
  };
  context.on('request', (request: Request) => note(request.url()));
  context.on('weberror', (error) => seen.errors.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !connectionEnded.test(message.text())) seen.errors.push(message.text());
  });
  context.on('dialog', (dialog) => {
    seen.dialogs.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.exposeBinding('noteViolation', (_source, text: string) => void seen.violations.push(text));
  await context.addInitScript(() => {
    const note = (globalThis as unknown as { noteViolation(text: string): void }).noteViolation;
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      note(`${effectiveDirective} ${blockedURI} ${sample}`),
    );
  });
  const attach = (page: Page) => {
    page.on('popup', (popup) => seen.popups.push(popup.url()));
    page.on('websocket', (socket) => {
      note(socket.url());
      socket.on('framesent', ({ payload }) => seen.sent.push(typeof payload === 'string' ? payload : payload.toString('utf8')));
    });
  };
  context.pages().forEach(attach);
  context.on('page', attach);
  return seen;
}
