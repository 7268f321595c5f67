import { z } from 'zod';
import { uploadHandleSchema } from './dataFiles.ts';

/**
 * Between a host and its engine process. Screens have no part in it: it is where paths and handles meet.
 * Under Electron a connection brings its own MessagePort; the loopback host sends the connection's messages
 * as `data`.
 */
const connection = z.int().min(1);
const bytesOrText = z.union([z.string(), z.instanceof(Uint8Array)]);

export const toEngineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('connect'), connection }),
  z.strictObject({ kind: z.literal('data'), connection, data: bytesOrText }),
  z.strictObject({ kind: z.literal('disconnect'), connection }),
  /** A file that the user has chosen, or that was received and lies in a temporary place. */
  z.strictObject({
    kind: z.literal('upload'),
    upload: uploadHandleSchema,
    path: z.string(),
    fileName: z.string(),
    bytes: z.int().min(0),
    temporary: z.boolean(),
  }),
  /** Asks for the file behind an export's handle, which can be used only once. */
  z.strictObject({ kind: z.literal('take'), request: z.int(), file: uploadHandleSchema }),
  /** Ends runs in order and then the process. */
  z.strictObject({ kind: z.literal('stop') }),
]);
export type ToEngine = z.infer<typeof toEngineSchema>;

export const fromEngineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  /** A page has spoken, and the store is about to be opened: once, where `awaitPage` was asked for. */
  z.strictObject({ kind: z.literal('heard') }),
  z.strictObject({ kind: z.literal('data'), connection, data: bytesOrText }),
  z.strictObject({
    kind: z.literal('taken'),
    request: z.int(),
    /** Null where no such export waits. */
    file: z.strictObject({ path: z.string(), fileName: z.string() }).nullable(),
  }),
  /** The engine cannot start, and starting it again would not help. */
  z.strictObject({ kind: z.literal('refuse'), code: z.string(), message: z.string() }),
]);
export type FromEngine = z.infer<typeof fromEngineSchema>;

/** What a host passes to the engine process at its start, as one JSON word of the command line. */
export const launchSchema = z.strictObject({
  store: z.string(),
  /** Folder of the bundled samples. */
  resources: z.string(),
  incarnation: z.int().min(1),
  /** The start of the program, the same for all of its engine processes and for no other start's. */
  session: z.string().min(1).max(64),
  /** Leaves the store alone until a page has spoken, so that a host whose window never opens has not touched it. */
  awaitPage: z.boolean().optional(),
});
export type Launch = z.infer<typeof launchSchema>;
