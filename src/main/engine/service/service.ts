import type { Launch } from '../../../shared/api/control.ts';
import type { DaemonLog, DaemonStatus } from '../../../shared/api/daemon.ts';
import type { BackendChoice, Run, Settings } from '../../../shared/api/engine.ts';
import type { Outcome } from '../../../shared/domain.ts';
import type { HardwareManager } from '../hardware/hardwareManager.ts';
import type { ModelSpeed } from '../lab/pastCalls.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';
import type { ModelManager } from '../models/library/modelManager.ts';
import type { MovingServer } from '../models/movingOllama.ts';
import type { QueryInput, QueryName, QueryOutput } from '../queries/queries.ts';
import type { QueryProgress, TellProgress } from '../queries/query.ts';
import type { Store } from '../store/store.ts';

/** What the handlers of requests share. Each part is a file of its own in this folder. */
export interface Service {
  readonly launch: Launch;
  readonly store: StoreAccess;
  readonly queries: Queries;
  readonly settings: SettingsFile;
  readonly files: FileHandles;
  readonly network: Network;
  readonly daemon: DaemonManager;
  readonly runs: RunManager;
  readonly hardware: HardwareManager;
  readonly changes: Changes;
  readonly progress: ProgressBoard;
  readonly models: ModelManager;
  /** What was measured of models since this start of the engine, by `ModelSpeed.of`. */
  readonly measured: Map<string, ModelSpeed>;
}

/** The store of this engine. Another program may write to it while no run is under way here. */
export interface StoreAccess {
  readonly path: string;
  /** Runs an action on the store opened for writing; the store stays open while any action is under way. Throws store-in-use. */
  write<T>(action: (store: Store) => T | Promise<T>): Promise<T>;
  /** Throws store-unreadable where the file that is open no longer lies at its path: what is written there would be lost. */
  checkPlace(): void;
  /** Whether another program is writing to the store now. */
  writtenElsewhere(): boolean;
}

/** Queries in worker threads, each in one read transaction of its own. */
export interface Queries {
  /** @param onProgress told how far it is, by queries that take their time */
  run<Name extends QueryName>(
    name: Name,
    input: QueryInput<Name>,
    signal?: AbortSignal,
    onProgress?: TellProgress,
  ): Promise<QueryOutput<Name>>;
}

/** How far long answers are. */
export interface ProgressBoard {
  of(name: string): QueryProgress | null;
  /** Shows the progress that an action tells of until it ends. */
  during<T>(name: string, action: (tell: TellProgress) => Promise<T>): Promise<T>;
  /** Returns what ends the listening. */
  onChange(listener: () => void): () => void;
}

/** Settings in a file beside the store. */
export interface SettingsFile {
  read(): Settings;
  change(patch: { [Key in keyof Settings]?: Settings[Key] | undefined }): Settings;
}

export interface KnownFile {
  readonly path: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly temporary: boolean;
}

/** Files by handle: uploads that hosts announced, exports that wait to be taken once. */
export interface FileHandles {
  announce(upload: string, file: KnownFile): void;
  /** Throws not-found. */
  upload(upload: string): KnownFile;
  /** Forgets an upload that is done with, and removes its file where it is a temporary one. */
  release(upload: string): Promise<void>;
  /** A new file in the engine's temporary folder, and the handle under which it can be taken. */
  reserve(fileName: string): { file: string; path: string };
  /** An export that still waits to be taken; null where there is none behind the handle. */
  waiting(file: string): { path: string; fileName: string } | null;
  take(file: string): KnownFile | null;
  close(): Promise<void>;
}

/** The way out of the engine, made anew when the allowed hosts change. */
export interface Network {
  /** One for all: its requests go by the settings of their moment. Asked for, it ends calls that these forbid. */
  dispatcher(): NetworkDispatcher;
  /** Connections over all dispatchers so far. */
  connections(): { host: string; count: number; loopback: boolean }[];
  refused(): number;
  /** Address of a backend; starts the demo model at its first use. */
  url(backend: BackendChoice): Promise<string>;
  close(): Promise<void>;
}

/** The server that a run asks. */
export interface HeldServer {
  readonly url: string;
  /** Absent where its address is fixed. */
  readonly moving?: MovingServer;
  /** Slots of each model of our own; null where it is not ours. */
  readonly slots: number | null;
  /** The run has ended. */
  release(): Promise<void>;
}

/** The Ollama that runs are asked of: another's that is attached to, or our own, which is started and ended here. */
export interface DaemonManager {
  /** As it was when it was last looked at; our own as it is. */
  status(): DaemonStatus;
  /** Asks the server now. */
  look(signal?: AbortSignal): Promise<DaemonStatus>;
  /** The newest lines of our own. */
  log(): DaemonLog;
  /** Address that Ollama is asked at: that of our own while it is ready, else the configured one. */
  url(): string;
  /** Whether our own, where it is what is asked, is in reproducible mode; null where another one is asked. */
  mode(): 'reproducible' | 'slots' | null;
  /** Slots of each model of our own as it was started, where it is what is asked; null where another one is. */
  slots(): number | null;
  /** Told that the status changed, or that there are new lines. While anybody listens the server is looked at now and then. Returns what ends the listening. */
  onChange(listener: (what: 'status' | 'log') => void): () => void;
  /** Looks again and, where nothing answers, starts our own. Resolves when it answers or cannot be started. */
  start(): Promise<DaemonStatus>;
  /** As `start`, where the settings say that our own is to be started; otherwise nothing. Throws nothing. */
  ensure(): Promise<void>;
  /**
   * As `ensure`, for a run: what it is given stays until it is released, whatever address is set meanwhile. Throws
   * interrupted when the signal fires.
   */
  hold(signal: AbortSignal): Promise<HeldServer>;
  /** Ends our own; any other is left alone. */
  stop(): Promise<DaemonStatus>;
  /** The configured address may have changed: our own, which took the place of another one, is ended as soon as no run asks it. */
  moved(): Promise<void>;
  /** Ends our own for good. */
  close(): Promise<void>;
}

/** Starts, holds and ends runs; at most one per experiment. */
export interface RunManager {
  all(): readonly Run[];
  of(experiment: string): Run | null;
  /** Goes on with an experiment that is frozen on the record. */
  start(experiment: string, how: { backend: BackendChoice; concurrency: number; retry: readonly Outcome[] }): void;
  pause(experiment: string): void;
  /** Goes on with a paused run; `retry` names outcomes that get a further attempt besides. */
  resume(experiment: string, retry: readonly Outcome[]): void;
  /** Ends a run, or dismisses an interrupted one. Throws bad-input where there is none, store-in-use. */
  stop(experiment: string): Promise<void>;
  /** Looks at the record again: which runs were interrupted and have still something to do. */
  review(): Promise<void>;
  /** Stops all runs and waits until what they hold is on the record. */
  close(): Promise<void>;
}

/** The answer that is being written, as far as it goes. */
export interface TrialTokens {
  readonly key: string;
  readonly role: string;
  readonly text: string;
}

/** Told that a trial began or ended, that its chain grew, or what is being written. */
export type TrialListener = (what: 'line' | 'events' | TrialTokens) => void;

/** Tells streams what changed. Every `on…` returns what ends the listening. */
export interface Changes {
  /** A trial began or ended, or its chain grew. */
  trial(experiment: string, trial: string, what: 'line' | 'events'): void;
  /** The answer in progress of a trial that somebody watches. */
  tokens(trial: string, key: string, role: string, text: string): void;
  watched(trial: string): boolean;
  /** The status of the engine or of a run. */
  status(): void;
  onTrial(trial: string, listener: TrialListener): () => void;
  /** Told when a trial of the experiment began or ended. */
  onExperiment(experiment: string, listener: () => void): () => void;
  onStatus(listener: () => void): () => void;
  /** The present place among the changes of trials. */
  cursor(): string;
  /**
   * Trials of an experiment that began or ended after a place, at most `most`, and the place up to which that is
   * so. Null where the place is of another engine process or too long ago.
   */
  after(cursor: string, experiment: string, most: number): { trials: string[]; cursor: string } | null;
}
