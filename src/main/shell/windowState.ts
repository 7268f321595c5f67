import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const boundsSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) });
const stateSchema = z.strictObject({ bounds: boundsSchema, maximized: z.boolean() });

export type Bounds = z.infer<typeof boundsSchema>;
export type WindowState = z.infer<typeof stateSchema>;

export const smallestWindow = { width: 900, height: 600 } as const;
export const firstWindow = { width: 1320, height: 880 } as const;

/** Part of a window's title bar that must be on some display, in pixels, for the window to be within reach. */
const leastVisible = 100;

function isWithinReach(bounds: Bounds, displays: readonly Bounds[]): boolean {
  return displays.some(({ x, y, width, height }) => {
    const across = Math.min(bounds.x + bounds.width, x + width) - Math.max(bounds.x, x);
    return across >= leastVisible && bounds.y >= y && bounds.y + leastVisible <= y + height;
  });
}

/** The remembered state, or null where there is none or it lies on a display that is no longer there. */
export function readWindowState(file: string, displays: readonly Bounds[]): WindowState | null {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return isWithinReach(state.bounds, displays) ? state : null;
  } catch {
    return null;
  }
}

/** Remembers the state; a disk that refuses costs nothing but the memory. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, JSON.stringify(state));
  } catch {
    return;
  }
}
