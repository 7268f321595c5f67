import { swapTitles } from '../../../core/figures/swapText.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { type Swap, swaps } from '../../../shared/swaps.ts';

export interface CounterbalanceChoice {
  readonly swap: Swap;
  readonly title: string;
  readonly does: string;
}

/** What can be exchanged in an arm; nothing while its parameters do not fit. */
export function counterbalanceChoices(protocol: string, params: Readonly<Record<string, unknown>>): CounterbalanceChoice[] {
  try {
    const rules = findProtocol(protocol)?.bind(params).swaps ?? {};
    return swaps.flatMap((swap) => {
      const rule = rules[swap];
      if (rule === undefined) return [];
      return [{ swap, title: capitalized(swapTitles[swap]), does: rule.does }];
    });
  } catch {
    // Parameters that are being written are checked by the plan.
    return [];
  }
}
