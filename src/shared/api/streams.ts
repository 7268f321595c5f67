import { z } from 'zod';

/**
 * Streams to screens. Every frame carries its stream's id and its number, counted from 0; the screen
 * acknowledges the highest number it has dealt with. Beyond `mostUnacknowledged` frames the engine sends
 * none, and then one `gap`: what came in between is read anew from the given place.
 */
export const mostUnacknowledged = 256;

/** Least time between two frames that only replace each other: tokens, progress, status. Milliseconds. */
export const frameIntervalMs = 100;

/** Wraps the kinds of a stream's frames with what every frame carries. */
export function framesOf<Body extends z.core.$ZodDiscriminatedUnion | z.ZodType>(body: Body) {
  return z.strictObject({ stream: z.string().max(64), frame: z.int().min(0), body });
}

export const acknowledgementSchema = z.strictObject({ stream: z.string().max(64), frame: z.int().min(0) });
