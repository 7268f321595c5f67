// Tells a trial by plain vote from its events.
import { benchOf } from '../../figures/bench.ts';
import type { Telling } from '../../telling/blocks.ts';
import { benchBlock, precedentsSection, verdictSection } from '../../telling/sections.ts';

/** A trial by plain vote: the examples, every vote with its reason, the count. */
export const voteTelling: Telling<{ readonly voters: number }> = {
  title: 'Votes',
  tell: (trial, { voters }) => {
    const bench = benchBlock(trial, benchOf(trial.entries), {
      roles: Array.from({ length: voters }, (_none, index) => `voter${index + 1}`),
      stepOf: (role) => `vote/${role}`,
      inTurn: false,
      advocates: new Map(),
    });
    return [
      ...precedentsSection(trial, 'Examples'),
      { id: 'bench', title: 'The voters', aside: 'each alone, none knowing the others', blocks: [bench] },
      verdictSection(trial),
    ];
  },
};
