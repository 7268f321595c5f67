import { createBodySchema, namedBodySchema } from './bodies.ts';
import { servedContextOf } from './chatCompletions.ts';
import { type Exchange, parseBody } from './exchange.ts';
import { HttpError, type Machine, pause } from './machine.ts';
import { defaultModels, fakeDigest, fullName, inventModel, type StandinModel } from './models.ts';
import type { MachineProfile } from './profiles.ts';

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
  readonly #profile: MachineProfile;
  /** Bytes of each layer that broken-off pulls have fetched. */
  readonly #fetched = new Map<string, number>();

  constructor(names: readonly string[] | undefined, anyModel: boolean, machine: Machine, profile: MachineProfile) {
    const listed = names?.map((name) => defaultModels.find((model) => model.name === fullName(name)) ?? inventModel(name));
    this.#models = new Map((listed ?? defaultModels).map((model) => [model.name, model]));
    this.#anyModel = anyModel;
    this.#machine = machine;
    this.#profile = profile;
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
    const model = this.find(parseBody(namedBodySchema, body).model);
    exchange.json(200, {
      modelfile: `FROM ${model.name}\n`,
      parameters: '',
      template: '{{ .Prompt }}',
      license: 'No weights stand behind this name: the answers come from the stand-in.',
      details: detailsOf(model),
      model_info: {
        'general.architecture': model.family,
        'general.parameter_count': Math.round(Number.parseFloat(model.parameters) * (model.parameters.endsWith('M') ? 1e6 : 1e9)),
        [`${model.family}.context_length`]: model.contextLength,
        [`${model.family}.embedding_length`]: model.embeddingLength,
      },
      capabilities: model.capabilities,
      modified_at: model.modifiedAt,
    });
  }

  delete(exchange: Exchange, body: Buffer): void {
    const { model } = parseBody(namedBodySchema, body);
    if (!this.#models.delete(fullName(model))) throw new HttpError(404, `model '${model}' not found`);
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
    const report = async (value: object): Promise<void> => {
      if (stream) await exchange.line(value);
    };
    await report({ status: 'pulling manifest' });
    if (/^missing\b/i.test(name)) {
      const error = 'pull model manifest: file does not exist';
      if (!stream) throw new HttpError(500, error);
      return exchange.finish({ error });
    }
    const model = defaultModels.find((candidate) => candidate.name === fullName(name)) ?? inventModel(name);
    for (const [part, total] of [
      ['weights', model.size - 2100],
      ['template', 1600],
      ['parameters', 500],
    ] as const) {
      await this.#pullLayer(fakeDigest(`${model.name} ${part}`), total, report, exchange.signal);
    }
    await report({ status: 'verifying sha256 digest' });
    await report({ status: 'writing manifest' });
    this.#models.set(model.name, { ...model, modifiedAt: new Date().toISOString() });
    if (stream) exchange.finish({ status: 'success' });
    else exchange.json(200, { status: 'success' });
  }

  async #pullLayer(digest: string, total: number, report: (value: object) => Promise<void>, signal: AbortSignal): Promise<void> {
    const stepMs = 100;
    const step = this.#profile.timed ? (this.#profile.pullRate * stepMs) / 1000 : total / 4;
    let completed = this.#fetched.get(digest) ?? 0;
    const layer = { status: `pulling ${digest.slice(0, 12)}`, digest: `sha256:${digest}`, total };
    await report({ ...layer, completed });
    while (completed < total) {
      if (this.#profile.timed) await pause(stepMs, signal);
      completed = Math.min(total, Math.round(completed + step));
      this.#fetched.set(digest, completed);
      await report({ ...layer, completed });
    }
    this.#fetched.delete(digest);
  }
}
