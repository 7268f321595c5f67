import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage, CallFailure, type CompletionRequest, type CompletionResult } from '../../../../shared/model.ts';
import { kept } from '../../testing/kept.ts';
import { createDispatcher, type NetworkDispatcher } from '../dispatcher.ts';
import { ollamaModel } from '../ollama.ts';
import type { LanguageModel } from '../port.ts';
import { serveOllama, type TestServer } from './server.ts';

export const request: CompletionRequest = {
  model: 'm:1',
  messages: [
    { role: 'system', content: 'You judge.' },
    { role: 'user', content: 'Zoë: “guilty?” 😀' },
  ],
  schema: {
    type: 'object',
    properties: { zeta: { type: 'string', maxLength: 9 }, alpha: { enum: ['YES', 'NO'] } },
    required: ['zeta', 'alpha'],
    additionalProperties: false,
  },
  options: { temperature: 0.7, seed: 2_147_483_647, numCtx: 2048, numPredict: 64, topP: undefined, minP: 0.05 },
};

export interface Asking {
  /** Texts that were printed; must be empty at the end of each test. */
  readonly printed: unknown[][];
  /** The dispatcher of this test; a test may put another in its place. */
  dispatcher: NetworkDispatcher;
  serving(chat: RequestListener): Promise<TestServer>;
  model(url: string, limits?: { timeoutMs?: number; idleMs?: number }): LanguageModel;
  ask(url: string, limits?: { timeoutMs?: number; idleMs?: number; signal?: AbortSignal }): Promise<CompletionResult>;
}

/** Sets up each test of a file, and holds each to printing nothing. */
export function asking(): Asking {
  const shared: Asking = {
    printed: [],
    dispatcher: createDispatcher({ allowedHosts: [] }),
    serving: async (chat) => kept(await serveOllama(chat)),
    model: (url, limits = {}) => ollamaModel(shared.dispatcher, { url, timeoutMs: 60_000, idleMs: 60_000, ...limits }),
    ask: (url, { signal, ...limits } = {}) => shared.model(url, limits).complete(request, signal ?? new AbortController().signal),
  };

  beforeEach(() => {
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...words) => shared.printed.push(words));
    }
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => shared.printed.push([text]) > 0);
    }
    shared.dispatcher = createDispatcher({ allowedHosts: [] });
  });

  afterEach(async () => {
    await shared.dispatcher.close();
    vi.restoreAllMocks();
    expect(shared.printed.splice(0), 'nothing is ever printed').toEqual([]);
  });

  return shared;
}

export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail');
}

/** Class, kind and message of what a call failed with, in one line. */
export async function verdictOn(call: Promise<unknown>): Promise<string> {
  const error = await failureOf(call);
  if (error instanceof CallFailure) return `${error.kind}${error.permanent ? ' for good' : ''}: ${error.message}`;
  if (error instanceof BackendOutage) return `outage: ${error.message}`;
  if (error instanceof AssizeError) return `${error.code}: ${error.message}`;
  throw error;
}

/** An answer with HTTP 200 made of these texts, each its own chunk. */
export const streams =
  (...texts: readonly (string | Uint8Array)[]): RequestListener =>
  async (_request, response) => {
    for (const text of texts) {
      response.write(text);
      await sleep(1);
    }
    response.end();
  };
