import { createBodySchema, namedBodySchema } from './bodies.ts';
import { servedContextOf } from './chatCompletions.ts';
import { layersOf, type StandinDisk } from './disk.ts';
import { type Exchange, parseBody } from './exchange.ts';
import { HttpError, type Machine } from './machine.ts';
import { defaultModels, fakeDigest, fullName, inventModel, type StandinModel } from './models.ts';
import type { Pulls } from './pulls.ts';
import { modelInfo } from './shapes.ts';

function detailsOf(model: StandinModel): object {
  return {
    parent_model: '',
    format: 'gguf',
    family: model.family,
    families: [model.family],
    parameter_size: model.parameters,
    quantization_level: model.quantization,
  };
}

/** The models that the stand-in has, and the endpoints about them. */
export class Library {
  readonly #models: Map<string, StandinModel>;
  readonly #anyModel: boolean;
  readonly #machine: Machine;
  readonly #disk: StandinDisk;
  readonly pulls: Pulls;

  constructor(names: readonly string[] | undefined, anyModel: boolean, machine: Machine, disk: StandinDisk, pulls: Pulls) {
    const listed = names?.map((name) => defaultModels.find((model) => model.name === fullName(name)) ?? inventModel(name));
    disk.models ??= new Map((listed ?? defaultModels).map((model) => [model.name, model]));
    this.#models = disk.models;
    for (const model of this.#models.values()) for (const { digest } of layersOf(model)) disk.whole.add(digest);
    this.#anyModel = anyModel;
    this.#machine = machine;
    this.#disk = disk;
    this.pulls = pulls;
  }

  /** The model that a request names. Throws `HttpError` 404. */
  find(name: string): StandinModel {
    const model = this.#models.get(fullName(name)) ?? (this.#anyModel ? inventModel(name) : undefined);
    if (model === undefined) throw new HttpError(404, `model '${name}' not found`);
    return model;
  }

  tags(exchange: Exchange): void {
    const models = [...this.#models.values()].map((model) => ({
      name: model.name,
      model: model.name,
      modified_at: model.modifiedAt,
      size: model.size,
      digest: model.digest,
      details: detailsOf(model),
    }));
    exchange.json(200, { models });
  }

  /** The models as an OpenAI-compatible server lists them. */
  served(exchange: Exchange): void {
    const data = [...this.#models.values()].map((model) => ({
      id: model.name,
      object: 'model',
      created: 0,
      owned_by: 'stand-in',
      max_model_len: servedContextOf(model),
    }));
    exchange.json(200, { object: 'list', data, any_model: this.#anyModel });
  }

  ps(exchange: Exchange): void {
    const models = this.#machine.running().map(({ model, numCtx, size, sizeVideo, expiresAt }) => ({
      name: model.name,
      model: model.name,
      size,
      digest: model.digest,
      details: detailsOf(model),
      expires_at: expiresAt.toISOString(),
      size_vram: sizeVideo,
      context_length: numCtx,
    }));
    exchange.json(200, { models });
  }

  show(exchange: Exchange, body: Buffer): void {
    const { model: name, verbose } = parseBody(namedBodySchema, body);
    const model = this.find(name);
    exchange.json(200, {
      modelfile: `FROM ${model.name}\n`,
      parameters: '',
      template: '{{ .Prompt }}',
      license: 'No weights stand behind this name: the answers come from the stand-in.',
      details: detailsOf(model),
      model_info: modelInfo(model, verbose),
      capabilities: model.capabilities,
      modified_at: model.modifiedAt,
    });
  }

  delete(exchange: Exchange, body: Buffer): void {
    const { model } = parseBody(namedBodySchema, body);
    const gone = this.#models.get(fullName(model));
    if (gone === undefined) throw new HttpError(404, `model '${model}' not found`);
    this.#models.delete(gone.name);
    // A model with another name can have the same files.
    const kept = new Set([...this.#models.values()].flatMap(layersOf).map(({ digest }) => digest));
    for (const { digest } of layersOf(gone)) if (!kept.has(digest)) this.#disk.whole.delete(digest);
    this.#machine.unload(fullName(model));
    exchange.text(200, 'application/json; charset=utf-8', '');
  }

  async create(exchange: Exchange, body: Buffer): Promise<void> {
    const { model, from, files, stream } = parseBody(createBodySchema, body);
    if (from === undefined && files === undefined) throw new HttpError(400, "neither 'from' or 'files' was specified");
    const base = from === undefined ? inventModel(model) : this.find(from);
    const created: StandinModel = {
      ...base,
      name: fullName(model),
      digest: fakeDigest(`${base.digest} ${model}`),
      modifiedAt: new Date().toISOString(),
    };
    this.#models.set(created.name, created);
    if (!stream) return exchange.json(200, { status: 'success' });
    for (const status of ['gathering model components', `using existing layer sha256:${base.digest}`, 'writing manifest']) {
      await exchange.line({ status });
    }
    exchange.finish({ status: 'success' });
  }

  async pull(exchange: Exchange, body: Buffer): Promise<void> {
    const { model: name, stream } = parseBody(namedBodySchema, body);
    await this.pulls.answer(exchange, name, stream, (model) => {
      const before = this.#models.get(model.name);
      this.#models.set(model.name, { ...model, modifiedAt: new Date().toISOString() });
      return before !== undefined && before.digest !== model.digest;
    });
  }
}
