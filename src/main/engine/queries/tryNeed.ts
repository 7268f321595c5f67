import type { TryNeed } from '../../../shared/api/trials.ts';
import { badInput } from '../../../shared/errors.ts';
import { contextNeeds } from '../lab/contextNeeds.ts';
import { refuseUnfitCases } from '../lab/experimentFile.ts';
import { rehearseArm } from '../lab/plan.ts';
import { prepareTry, type TryRequest } from '../lab/tryOut.ts';
import type { FileQuery } from './query.ts';

/** What the longest prompt of a try would need of the context, from a rehearsal with invented answers. Throws bad input. */
export const tryNeed: FileQuery<TryRequest, TryNeed> = {
  needs: 'no store',
  async run(request) {
    // Nothing of it is recorded: any time will do for its name.
    const { prepared, data } = prepareTry(request, new Date(0));
    refuseUnfitCases(prepared, data.labels, data.multiLabel);
    const [arm] = prepared.arms;
    if (arm === undefined) throw badInput('there is nothing to rehearse');
    const rehearsal = await rehearseArm(prepared, data, arm);
    const [need] = contextNeeds(prepared, data, () => rehearsal);
    if (need === undefined) throw badInput('a protocol without calls needs no context', { field: '--protocol' });
    const { prompt, numPredict, numCtx, fits } = need;
    return { prompt, numPredict, numCtx, fits };
  },
};
