import type { Launch } from '../../../shared/api/control.ts';
import type { HardwareManager } from '../hardware/hardwareManager.ts';
import type { ModelSpeed } from '../lab/callEstimate.ts';
import type { ModelManager } from '../models/library/modelManager.ts';
import type { CopyWatch } from '../newStores.ts';
import type { Queries } from '../queries/pool.ts';
import type { Changes } from './changes.ts';
import type { DaemonManager } from './daemon.ts';
import type { FileHandles } from './files.ts';
import type { KnownFaults } from './knownFaults.ts';
import type { Network } from './network.ts';
import type { ProgressBoard } from './progressBoard.ts';
import type { RunManager } from './runs.ts';
import type { SettingsFile } from './settings.ts';
import type { StoreAccess } from './storeAccess.ts';

/** Records that pages read in place of the one that the program began with. */
export interface GivenRecords {
  /** Copies and checks an upload, which is used up. @returns the record's handle. Throws not-found, store-unreadable, bad-input */
  read(upload: string): Promise<string>;
  /** Makes a store of the user's own of a store, and opens it. @returns its handle. Throws as `adopt` does */
  copy(from: string, into: string, watch: CopyWatch): Promise<string>;
  /** Opens such a copy. @returns its handle */
  openCopy(path: string): string;
  /** What a page that reads the record is answered from. Throws not-found. */
  service(record: string): Service;
  /** Closes a given record and removes its copy for reading; a copy of the user's own stays open. */
  leave(record: string): Promise<void>;
  close(): Promise<void>;
}

/** What the handlers of requests share. Most parts are files of this folder. */
export interface Service {
  readonly launch: Launch;
  /** Why the store is from elsewhere, as it was found at the first question; null for the user's own. */
  elsewhere(): string | null;
  readonly store: StoreAccess;
  readonly queries: Queries;
  readonly settings: SettingsFile;
  readonly files: FileHandles;
  readonly given: GivenRecords;
  readonly network: Network;
  readonly daemon: DaemonManager;
  readonly runs: Omit<RunManager, 'recover'>;
  readonly hardware: HardwareManager;
  readonly changes: Changes;
  readonly progress: ProgressBoard;
  readonly knownFaults: KnownFaults;
  /** Reviewers and trials whose verdict was shown to them since this start of the engine: their answer is not blind. */
  readonly shownVerdicts: Set<string>;
  readonly models: ModelManager;
  /** What was measured of models since this start of the engine, by `ModelSpeed.of`. */
  readonly measured: Map<string, ModelSpeed>;
}
