import { type Layer, layersOf, type StandinDisk } from './disk.ts';
import type { Exchange } from './exchange.ts';
import { HttpError, pause } from './machine.ts';
import { defaultModels, fullName, inventModel, type StandinModel } from './models.ts';
import type { MachineProfile } from './profiles.ts';
import { unit } from './random.ts';

/** A line of a pull that is about to be sent. */
export interface PullMoment {
  readonly model: string;
  /** Requests for this model before this one. */
  readonly earlier: number;
  /** Lines of this answer before this one. */
  readonly lines: number;
  readonly status: string;
}

/**
 * `cut` breaks the connection off after what was said, `reset` at once, `end` ends the stream in good order and too early;
 * an error ends it with its words, as Ollama tells what went wrong.
 */
export type PullFault = 'cut' | 'reset' | 'end' | { readonly error: string };
export type DecidePullFault = (moment: PullMoment) => PullFault | null;

/** Breaks off so many of the lines, always the same ones. */
export const cutShare =
  (share: number): DecidePullFault =>
  ({ model, earlier, lines }) =>
    unit('pull-cut', model, String(earlier), String(lines)) < share ? 'cut' : null;

interface PullLine {
  readonly status: string;
  readonly digest?: string;
  readonly total?: number;
  readonly completed?: number;
}

/** Milliseconds between two lines of a layer. */
const tickMs = 60;
/** Lines of a layer where nothing takes time. */
const steps = 4;

/** A layer that is being fetched, for everybody who waits for it. */
class Download {
  readonly #layer: Layer;
  readonly #disk: StandinDisk;
  readonly #profile: MachineProfile;
  #waiting = 0;
  #at = 0;

  constructor(layer: Layer, disk: StandinDisk, profile: MachineProfile) {
    this.#layer = layer;
    this.#disk = disk;
    this.#profile = profile;
  }

  /** Fetches as long as somebody waits; what is fetched stays on the disk. */
  async wait(report: (completed: number) => Promise<void>, signal: AbortSignal): Promise<void> {
    if (this.#waiting === 0) this.#at = performance.now();
    this.#waiting += 1;
    try {
      while (!this.#disk.whole.has(this.#layer.digest)) {
        if (this.#profile.timed) await pause(tickMs, signal);
        await report(this.#advance());
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  #advance(): number {
    const { digest, total } = this.#layer;
    if (this.#disk.whole.has(digest)) return total;
    const now = performance.now();
    const fetched = this.#profile.timed ? (this.#profile.pullRate * (now - this.#at)) / 1000 : total / steps;
    this.#at = now;
    const completed = Math.min(total, Math.round((this.#disk.partial.get(digest) ?? 0) + fetched));
    if (completed < total) {
      this.#disk.partial.set(digest, completed);
    } else {
      this.#disk.partial.delete(digest);
      this.#disk.whole.add(digest);
    }
    return completed;
  }
}

const validName = /^[\w][\w.\-/:]*$/;

/** `/api/pull`: what is there is not fetched again, what was begun is gone on with, and who asks for the same shares it. */
export class Pulls {
  readonly #disk: StandinDisk;
  readonly #profile: MachineProfile;
  readonly #fault: DecidePullFault;
  readonly #downloads = new Map<string, Download>();
  readonly #asked = new Map<string, number>();
  #running = 0;

  constructor(disk: StandinDisk, profile: MachineProfile, fault: DecidePullFault) {
    this.#disk = disk;
    this.#profile = profile;
    this.#fault = fault;
  }

  /** Requests that are being answered. */
  get running(): number {
    return this.#running;
  }

  /** Answers a request; `keep` is told the model when all of it is there. */
  async answer(exchange: Exchange, name: string, stream: boolean, keep: (model: StandinModel) => boolean): Promise<void> {
    if (!validName.test(name)) throw new HttpError(400, 'invalid model name');
    this.#running += 1;
    try {
      await this.#pull(exchange, name, stream, keep);
    } finally {
      this.#running -= 1;
    }
  }

  async #pull(exchange: Exchange, name: string, stream: boolean, keep: (model: StandinModel) => boolean): Promise<void> {
    const model = defaultModels.find((candidate) => candidate.name === fullName(name)) ?? inventModel(name);
    const earlier = this.#asked.get(model.name) ?? 0;
    this.#asked.set(model.name, earlier + 1);
    const fail = (error: string): void => {
      if (!stream) throw new HttpError(500, error);
      exchange.finish({ error });
    };
    let lines = 0;
    const report = async (line: PullLine): Promise<void> => {
      const fault = this.#fault({ model: model.name, earlier, lines, status: line.status });
      lines += 1;
      if (fault !== null) throw new Broken(fault);
      if (stream) await exchange.line(line);
    };
    try {
      await report({ status: 'pulling manifest' });
      if (/^missing\b/i.test(name)) throw new Broken({ error: 'pull model manifest: file does not exist' });
      for (const layer of layersOf(model)) await this.#pullLayer(layer, report, exchange.signal);
      for (const status of ['verifying sha256 digest', 'writing manifest']) await report({ status });
      if (keep(model)) await report({ status: 'removing unused layers' });
      // The last line can go wrong too: the model is there then, and asking again finds it.
      await this.#last(exchange, stream, this.#fault({ model: model.name, earlier, lines, status: 'success' }));
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      if (error.fault === 'cut') await exchange.cut();
      else if (error.fault === 'reset') exchange.reset();
      else if (error.fault === 'end') exchange.endEarly();
      else fail(error.fault.error);
    }
  }

  async #last(exchange: Exchange, stream: boolean, fault: PullFault | null): Promise<void> {
    if (fault !== null) throw new Broken(fault);
    if (stream) exchange.finish({ status: 'success' });
    else exchange.json(200, { status: 'success' });
  }

  async #pullLayer(layer: Layer, report: (line: PullLine) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { digest, total } = layer;
    const tell = (completed: number): Promise<void> => {
      // Ollama leaves a zero out.
      const line = { status: `pulling ${digest.slice(0, 12)}`, digest: `sha256:${digest}`, total };
      return report(completed === 0 ? line : { ...line, completed });
    };
    if (this.#disk.whole.has(digest)) return tell(total);
    let download = this.#downloads.get(digest);
    if (download === undefined) {
      download = new Download(layer, this.#disk, this.#profile);
      this.#downloads.set(digest, download);
    }
    await tell(this.#disk.partial.get(digest) ?? 0);
    await download.wait(tell, signal);
    this.#downloads.delete(digest);
  }
}

/** A pull that does not end well. */
class Broken extends Error {
  readonly fault: PullFault;

  constructor(fault: PullFault) {
    super('the pull breaks off');
    this.fault = fault;
  }
}
