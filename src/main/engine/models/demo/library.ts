// The demo model's list of models, and the endpoints about them.
import { namedBodySchema, servedContext } from './bodies.ts';
import { type Exchange, Failure, parseBody } from './exchange.ts';
import { type DemoModel, fullName, modelInfo, modelNamed, usualModels } from './models.ts';
import { type DemoDisk, layersOf, type Pulls } from './pulls.ts';
import type { Slots } from './slots.ts';

const detailsOf = ({ family, billions, capabilities }: DemoModel): object => ({
  format: 'gguf',
  family,
  parameter_size: billions < 1 ? `${Math.round(billions * 1000)}M` : `${billions.toFixed(1)}B`,
  quantization_level: capabilities.includes('embedding') ? 'F16' : 'Q4_K_M',
});

const listed = (model: DemoModel) => {
  const { name, size, digest } = model;
  return { name, model: name, size, digest, details: detailsOf(model) };
};

/** The models that the demo model has, and the endpoints about them. @param names absent: the usual small open ones */
export function openLibrary(names: readonly string[] | undefined, anyModel: boolean, slots: Slots, disk: DemoDisk, pulls: Pulls) {
  disk.models ??= new Map((names?.map(modelNamed) ?? usualModels()).map((model) => [model.name, model]));
  const { models } = disk;
  for (const { digest } of [...models.values()].flatMap(layersOf)) disk.whole.add(digest);
  let gpuShare = 1;
  /** The model that a request names. Throws `Failure` 404. */
  const find = (name: string): DemoModel => {
    const model = models.get(fullName(name)) ?? (anyModel ? modelNamed(name) : undefined);
    if (model === undefined) throw new Failure(404, `model '${name}' not found`);
    return model;
  };
  return {
    find,
    /** From now on `/api/ps` says that this share of each loaded model, 0 to 1, is on a GPU; 1 before. */
    showGpuShare: (share: number): void => {
      gpuShare = share;
    },
    tags: (exchange: Exchange): void =>
      exchange.json(200, {
        models: [...models.values()].map((model) => ({ ...listed(model), modified_at: '2025-06-01T09:00:00Z' })),
      }),
    /** The models as an OpenAI-compatible server lists them. */
    served: (exchange: Exchange): void => {
      const data = [...models.values()].map(({ name, contextLength }) => ({
        ...{ id: name, object: 'model', created: 0, owned_by: 'stand-in' },
        max_model_len: Math.min(contextLength, servedContext),
      }));
      exchange.json(200, { object: 'list', data, any_model: anyModel });
    },
    ps: (exchange: Exchange): void => {
      const loaded = slots.running().map(({ model, numCtx, keepUntil }) => ({
        ...listed(model),
        expires_at: new Date(Date.now() + keepUntil - performance.now()).toISOString(),
        size_vram: Math.round(model.size * gpuShare),
        context_length: numCtx,
      }));
      exchange.json(200, { models: loaded });
    },
    show: (exchange: Exchange, body: Buffer): void => {
      const model = find(parseBody(namedBodySchema, body).model);
      const license = 'No weights stand behind this name: the answers come from the stand-in.';
      exchange.json(200, { license, details: detailsOf(model), model_info: modelInfo(model), capabilities: model.capabilities });
    },
    remove: (exchange: Exchange, body: Buffer): void => {
      const { model } = parseBody(namedBodySchema, body);
      const gone = models.get(fullName(model));
      if (gone === undefined) throw new Failure(404, `model '${model}' not found`);
      models.delete(gone.name);
      for (const { digest } of layersOf(gone)) disk.whole.delete(digest);
      slots.unload(gone.name);
      exchange.text(200, '');
    },
    pull: (exchange: Exchange, body: Buffer): Promise<void> => {
      const { model, stream } = parseBody(namedBodySchema, body);
      const whole = modelNamed(model);
      return pulls.answer(exchange, whole, stream, () => void models.set(whole.name, whole));
    },
  };
}
