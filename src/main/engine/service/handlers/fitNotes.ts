import { AssizeError } from '../../../../shared/errors.ts';
import { fullModelName, type NeededModels } from '../../lab/backends.ts';
import type { ModelDesk } from '../../models/library/modelDesk.ts';

/**
 * Warns of models that will not be wholly on the GPU, or nowhere, with the context of their calls and one slot. It is an
 * estimate, and never in the way of a plan: where the server does not answer, or is a stand-in without weights, there is none.
 * @param needed tokens of context by model, of the Ollama of the settings
 */
export async function fitNotes(
  models: Pick<ModelDesk, 'read' | 'fits'>,
  needed: NeededModels,
  signal: AbortSignal,
): Promise<string[]> {
  const contexts = new Set([...needed.values()].filter((context) => context > 0));
  if (contexts.size === 0) return [];
  try {
    if ((await models.read(signal)).standin) return [];
    const lists = await Promise.all([...contexts].map((context) => models.fits({ context, slots: 1 }, signal)));
    const fits = lists.flat();
    return [...needed].flatMap(([name, context]) => {
      const fit = fits.find((each) => each.context === context && fullModelName(each.model) === fullModelName(name));
      return fit?.verdict === 'no' || fit?.verdict === 'partly' ? [`model ${name}: ${fit.reason}`] : [];
    });
  } catch (error) {
    if (error instanceof AssizeError) return [];
    throw error;
  }
}
