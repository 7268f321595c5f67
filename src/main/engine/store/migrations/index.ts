import { record } from './0001-record.ts';
import { docket } from './0002-docket.ts';
import { trajectories } from './0003-trajectories.ts';
import { log } from './0004-log.ts';
import { erasures } from './0005-erasures.ts';

/** Every schema change in order; a released one is never edited. */
export const migrations: readonly { readonly version: number; readonly sql: string }[] = [
  record,
  docket,
  trajectories,
  log,
  erasures,
];

export const newestVersion = migrations.at(-1)?.version ?? 0;
