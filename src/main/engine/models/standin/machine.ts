import type { StandinModel } from './models.ts';
import type { MachineProfile } from './profiles.ts';
import { VideoMemory } from './videoMemory.ts';

/** A refusal with the status that Ollama would send. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Slot {
  busy: boolean;
  /** Prompt and answer that its cache holds. */
  held: string;
  usedAt: number;
}

interface Loaded {
  readonly model: StandinModel;
  readonly numCtx: number;
  readonly size: number;
  readonly slots: Slot[];
  readonly readyAt: number;
  keepUntil: number;
  usedAt: number;
}

interface Waiting {
  readonly model: StandinModel;
  readonly numCtx: number;
  readonly prompt: string;
  readonly grant: (grant: { loaded: Loaded; slot: Slot; fresh: boolean }) => void;
}

/** A slot held by one request. */
export interface Lease {
  /** Milliseconds of loading that this request caused or waited for. */
  readonly loadMs: number;
  /** Part of the prompt, 0 to 1, that the cache spares. */
  readonly cached: number;
  /** Milliseconds per token at this moment. */
  promptMs(): number;
  decodeMs(): number;
  /** Frees the slot; `held` is what its cache keeps. */
  release(held: string, keepMs: number): void;
}

export interface RunningModel {
  readonly model: StandinModel;
  readonly numCtx: number;
  readonly size: number;
  readonly sizeVideo: number;
  readonly expiresAt: Date;
}

/** Waits; rejects as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error('aborted'));
    };
    if (signal.aborted) return reject(new Error('aborted'));
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function commonPrefix(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}

/** Memory, slots and queue of an imitated machine. */
export class Machine {
  readonly #profile: MachineProfile;
  /** Models move to it and off it as it grows and shrinks. */
  readonly videoMemory: VideoMemory;
  #loaded: Loaded[] = [];
  #queue: Waiting[] = [];
  #clock = 0;

  constructor(profile: MachineProfile) {
    this.#profile = profile;
    this.videoMemory = new VideoMemory(profile.videoMemory);
  }

  /** Whether work takes time. */
  get timed(): boolean {
    return this.#profile.timed;
  }

  /** Tokens in one streamed line. */
  get chunkTokens(): number {
    return this.#profile.chunkTokens;
  }

  /** Loaded models, as long as they are kept. */
  running(): RunningModel[] {
    this.#expire();
    const placed = this.videoMemory.placed(this.#loaded.map(({ size }) => size));
    return this.#loaded.map(({ model, numCtx, size, keepUntil }, index) => ({
      model,
      numCtx,
      size,
      sizeVideo: placed[index] ?? 0,
      expiresAt: new Date(Math.min(keepUntil, Date.now() + 100 * 365 * 86_400_000)),
    }));
  }

  /** Number of requests that hold a slot and that wait for one. */
  load(): { busy: number; waiting: number } {
    const busy = this.#loaded.flatMap(({ slots }) => slots).filter((slot) => slot.busy).length;
    return { busy, waiting: this.#queue.length };
  }

  unload(name: string): void {
    this.#loaded = this.#loaded.filter((loaded) => loaded.model.name !== name || this.#isBusy(loaded));
    this.#pump();
  }

  /** Waits for a slot of the loaded model. */
  async acquire(model: StandinModel, numCtx: number, prompt: string, signal: AbortSignal): Promise<Lease> {
    if (this.#need(model, numCtx) > this.#profile.memory) {
      const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
      throw new HttpError(
        500,
        `model requires more system memory (${gib(this.#need(model, numCtx))}) than is available (${gib(this.#profile.memory)})`,
      );
    }
    const { loaded, slot, fresh } = await this.#enqueue(model, numCtx, prompt, signal);
    const wait = Math.max(0, loaded.readyAt - Date.now());
    const common = this.#profile.prefixCache && prompt.length > 0 ? commonPrefix(slot.held, prompt) / prompt.length : 0;
    const release = (held: string, keepMs: number): void => {
      slot.busy = false;
      slot.held = this.#profile.prefixCache ? held : '';
      this.#clock += 1;
      slot.usedAt = this.#clock;
      loaded.usedAt = this.#clock;
      loaded.keepUntil = keepMs < 0 ? Number.POSITIVE_INFINITY : Date.now() + keepMs;
      this.#pump();
    };
    if (this.#profile.timed && wait > 0) {
      try {
        await pause(wait, signal);
      } catch (error) {
        release('', 300_000);
        throw error;
      }
    }
    const loadMs = this.#profile.timed ? wait : fresh ? (model.size / this.#profile.loadRate) * 1000 : 0;
    const slowness = (): number =>
      (1 + this.#profile.contention * (loaded.slots.filter(({ busy }) => busy).length - 1)) * (model.size / 4.9e9);
    return {
      loadMs,
      cached: common > 0.1 ? common : 0,
      promptMs: () => (1000 / this.#profile.promptRate) * slowness(),
      decodeMs: () => (1000 / this.#profile.decodeRate) * slowness(),
      release,
    };
  }

  #enqueue(
    model: StandinModel,
    numCtx: number,
    prompt: string,
    signal: AbortSignal,
  ): Promise<{ loaded: Loaded; slot: Slot; fresh: boolean }> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Error('aborted'));
      const leave = (): void => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        reject(new Error('aborted'));
        this.#pump();
      };
      const waiting: Waiting = {
        model,
        numCtx,
        prompt,
        grant: (grant) => {
          signal.removeEventListener('abort', leave);
          resolve(grant);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiting);
      this.#pump();
    });
  }

  #isBusy(loaded: Loaded): boolean {
    return loaded.slots.some(({ busy }) => busy);
  }

  #expire(): void {
    const now = Date.now();
    this.#loaded = this.#loaded.filter((loaded) => this.#isBusy(loaded) || loaded.keepUntil > now);
  }

  #need(model: StandinModel, numCtx: number): number {
    // Keys and values of 16 bits, a quarter of the heads kept apart, as in most models of this age.
    const perToken = model.embeddingLength * 32;
    return model.size + numCtx * perToken * Math.min(this.#profile.slots, 8);
  }

  /** Serves the queue in its order, past requests whose model has no free slot. */
  #pump(): void {
    this.#expire();
    for (const waiting of [...this.#queue]) {
      const placed = this.#place(waiting);
      if (placed === 'no-memory') return;
      if (placed === 'no-slot') continue;
      this.#queue = this.#queue.filter((other) => other !== waiting);
      waiting.grant(placed);
    }
  }

  #place({ model, numCtx, prompt }: Waiting): { loaded: Loaded; slot: Slot; fresh: boolean } | 'no-memory' | 'no-slot' {
    let loaded = this.#loaded.find((candidate) => candidate.model.name === model.name);
    if (loaded !== undefined && loaded.numCtx !== numCtx) {
      if (this.#isBusy(loaded)) return 'no-memory';
      this.#loaded = this.#loaded.filter((candidate) => candidate !== loaded);
      loaded = undefined;
    }
    const fresh = loaded === undefined;
    loaded ??= this.#bring(model, numCtx);
    if (loaded === undefined) return 'no-memory';
    const slot = this.#slotFor(loaded, prompt);
    if (slot === undefined) return 'no-slot';
    slot.busy = true;
    return { loaded, slot, fresh };
  }

  /** Loads a model, evicting idle ones from the longest unused on. */
  #bring(model: StandinModel, numCtx: number): Loaded | undefined {
    const size = this.#need(model, numCtx);
    const kept = [...this.#loaded].sort((left, right) => left.usedAt - right.usedAt);
    const total = (): number => kept.reduce((sum, loaded) => sum + loaded.size, 0);
    while (total() + size > this.#profile.memory || kept.length >= this.#profile.maxLoaded) {
      const idle = kept.findIndex((loaded) => !this.#isBusy(loaded));
      if (idle < 0) return undefined;
      kept.splice(idle, 1);
    }
    const loaded: Loaded = {
      model,
      numCtx,
      size,
      slots: [],
      readyAt: Date.now() + (this.#profile.timed ? (model.size / this.#profile.loadRate) * 1000 : 0),
      keepUntil: Number.POSITIVE_INFINITY,
      usedAt: this.#clock,
    };
    this.#loaded = [...kept, loaded];
    return loaded;
  }

  /** The free slot with the longest common prefix, else a new one, else the longest unused. */
  #slotFor(loaded: Loaded, prompt: string): Slot | undefined {
    const free = loaded.slots.filter(({ busy }) => !busy);
    if (this.#profile.prefixCache) {
      const ranked = free
        .map((slot) => ({ slot, common: commonPrefix(slot.held, prompt) }))
        .sort((left, right) => right.common - left.common);
      const best = ranked[0];
      if (best !== undefined && best.common > prompt.length * 0.1) return best.slot;
    }
    if (loaded.slots.length < this.#profile.slots && (this.#profile.prefixCache || free.length === 0)) {
      const slot: Slot = { busy: false, held: '', usedAt: 0 };
      loaded.slots.push(slot);
      return slot;
    }
    return free.sort((left, right) => left.usedAt - right.usedAt)[0];
  }
}
