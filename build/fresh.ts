import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.ts';

/** Something that is built from sources when they have changed. */
export interface Product {
  /** What it is, for the user who waits for it. */
  readonly name: string;
  /** A file of it, whose time of change is that of the sources it was built from. */
  readonly output: string;
  /** Files and folders, a folder with a slash at its end, from the root. */
  readonly sources: readonly string[];
  build(): Promise<unknown>;
}

const changedAt = (path: string, base: string) => statSync(join(base, path)).mtimeMs;

/** A source and all that is in it, folders too: a file may be gone from one. */
function parts(source: string, base: string): string[] {
  if (!source.endsWith('/')) return [source];
  return [source, ...readdirSync(join(base, source), { recursive: true, encoding: 'utf8' }).map((path) => join(source, path))];
}

/** Whether a product is missing or older than its sources. */
export function isStale({ output, sources }: Pick<Product, 'output' | 'sources'>, base = root): boolean {
  if (!existsSync(join(base, output))) return true;
  const built = changedAt(output, base);
  return sources.flatMap((source) => parts(source, base)).some((path) => changedAt(path, base) > built);
}

/** Builds what is stale, in order. */
export async function freshen(products: readonly Product[], base = root): Promise<void> {
  for (const product of products) {
    if (!isStale(product, base)) continue;
    console.error(`Building ${product.name} …`);
    // A source that changes meanwhile is newer than the product.
    const begun = new Date();
    await product.build();
    utimesSync(join(base, product.output), begun, begun);
  }
}
