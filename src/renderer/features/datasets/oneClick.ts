import { armNameSeparator } from '../../../core/figures/armNames.ts';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import { callsOf, firstProtocol, protocolTitle } from '../protocols/acceptance.ts';
import type { Preferred } from '../protocols/backends.ts';
import { casesOf, firstSplit, splitSizes } from './definition.ts';

/** Cases of the trial by one click: few enough to watch. */
const fewCases = 5;

export type OneClick =
  | {
      readonly possible: true;
      readonly draft: DraftInput;
      readonly cases: number;
      readonly protocol: string;
      /** Calls of all trials, retries not counted. */
      readonly calls: { min: number; max: number } | null;
    }
  | { readonly possible: false; readonly why: string };

/** The experiment that one press starts: a few cases, the first protocol that takes them, the preferred model. */
export function oneClick(entry: DataFile, { backend, server, model }: Omit<Preferred, 'why' | 'away'>): OneClick {
  const kinds = casesOf(entry);
  const protocol = firstProtocol(kinds);
  if (protocol === null) return { possible: false, why: 'No protocol of this version tries such cases yet.' };
  const sizes = splitSizes(entry.cases, entry.definition.split);
  const from = firstSplit(sizes);
  if (from === null) return { possible: false, why: 'The data set has no cases.' };
  const cases = Math.min(fewCases, sizes[from]);
  const each = callsOf(protocol, {}, kinds);
  return {
    possible: true,
    cases,
    protocol,
    calls: each === null ? null : { min: each.min * cases, max: each.max * cases },
    draft: {
      entry: entry.id,
      sample: { from, n: cases },
      backend,
      arms: [
        { name: [protocolTitle(protocol), model].join(armNameSeparator), protocol, cast: { '*': { model, backend: server } } },
      ],
    },
  };
}
