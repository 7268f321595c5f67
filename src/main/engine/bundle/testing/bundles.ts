import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { statistics } from '../../report/statistics.ts';
import { openStoreReadOnly } from '../../store/store.ts';
import { withStore } from '../../store/withStore.ts';
import { writeBundle } from '../writeBundle.ts';

export const resources = resolve(import.meta.dirname, '../../../../../resources');

/**
 * Writes a bundle as the program does, in this thread and without resampling: intervals take most of the time, and no
 * verifier derives them again. Returns its bytes. Throws as `writeBundle` does.
 */
export function bundleOf(store: string, experiment: string, out: string, redacted = false): Promise<Uint8Array> {
  return withStore(openStoreReadOnly(store), async (opened) => {
    const report = statistics(opened, experiment, { resamples: 0, cache: null }, () => undefined);
    await writeBundle(opened, experiment, report, out, { redacted, resources }, () => undefined);
    return new Uint8Array(readFileSync(out));
  });
}
