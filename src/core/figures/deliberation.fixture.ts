import { type DeliberationFigures, deliberationFiguresSchema } from '../../shared/api/deliberation.ts';
import type { BeliefGrounds } from '../../shared/domain.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { drawing, line, trial } from '../statistics/measures/trials.fixture.ts';
import { decidedTrial } from '../trajectory/decidedTrial.ts';
import { trialEvents, yes } from '../trajectory/trajectory.fixture.ts';
import { trajectoryOf } from '../trajectory/trajectory.ts';
import { deliberationFigures } from './deliberation.ts';
import type { DeliberationTerms, EndedTrial } from './endedTrials.ts';

export const claims = { prosecutor: 'YES', defense: 'NO' };
const places = ['prosecutor', 'defense'].flatMap((role) => [1, 2].map((turn) => ({ role, turn })));
places.sort((one, other) => one.turn - other.turn);

/** A trial of agentic-sim with two turns, from P(YES) after each speech; null where the judge's update was lost. */
export function court(
  id: string,
  shares: readonly (number | null)[],
  verdict: number,
  change: Partial<TrialLine> = {},
): EndedTrial {
  const script = trialEvents();
  shares.forEach((share, index) => {
    const { role, turn } = places[index] ?? { role: '', turn: 0 };
    const name = turn === 1 ? 'opening' : 'closing';
    script.says(role, name);
    if (share === null) return;
    script.believes(
      'judge',
      'live',
      share > 0.5 ? 'YES' : 'NO',
      yes(share),
      `${name}/${role}`,
      `turn-${turn}/after-${role}/belief`,
    );
  });
  const prediction = verdict > 0.5 ? 'YES' : 'NO';
  script.rules('judge', prediction, yes(verdict));
  const truth = change.truth === undefined ? 'NO' : change.truth;
  const correct = truth === null ? null : truth === prediction;
  return {
    line: line('court', trial(id, { prediction, truth }), { protocol: 'agentic-sim', correct, ...change, trial: `court/${id}` }),
    decided: decidedTrial(trajectoryOf(script.events), claims, 'YES'),
  };
}

/** A trial that a bench of three decided, after a hearing that said YES. */
export const bench = (id: string, counts: Record<string, number>, prediction: string): EndedTrial => {
  const grounds: BeliefGrounds = {
    verbal: null,
    votes: { asked: 3, counts, failures: {}, decidedBy: 'majority', mean: null },
  };
  const { events } = trialEvents()
    .believes('clerk', 'live', 'YES', yes(0.9), null, 'hearing/clerk/belief')
    .rules('judge', prediction, yes(0.5), grounds);
  return {
    line: line('bench', trial(id, { prediction }), { protocol: 'courtroom', correct: prediction === 'NO' }),
    decided: decidedTrial(trajectoryOf(events), {}, 'YES'),
  };
};

/** What to give `figuresOf` for trials of `debateOverSets`. */
export const setTerms = { labels: ['damp', 'heating', 'noise'], positive: null, multiLabel: true };

/** A trial of debate-feedback about which of three labels apply, from what the judge holds at first and after each round. */
export function debateOverSets(
  id: string,
  beliefs: readonly (readonly [number, number, number])[],
  { truth, prediction }: { readonly truth: string[] | null; readonly prediction: string[] },
): EndedTrial {
  const script = trialEvents();
  const beliefOf = (shares: readonly number[]) =>
    Object.fromEntries(setTerms.labels.map((label, place) => [label, shares[place] ?? 0]));
  beliefs.forEach((shares, round) => {
    const key = round === 0 ? 'initial/judge/belief' : `round-${round}/belief`;
    script.believes('judge', round === 0 ? 'prior' : 'live', prediction, beliefOf(shares), null, key);
  });
  script.rules('judge', prediction, beliefOf(beliefs.at(-1) ?? []));
  return {
    line: line('court', trial(id, { prediction, truth }), { protocol: 'debate-feedback', trial: `court/${id}` }),
    decided: decidedTrial(trajectoryOf(script.events), {}, null),
  };
}

const terms: DeliberationTerms = {
  arms: [
    { name: 'court', protocol: 'agentic-sim' },
    { name: 'bench', protocol: 'courtroom' },
  ],
  labels: ['NO', 'YES'],
  positive: 'YES',
  multiLabel: false,
};
export const figuresOf = (
  trials: readonly EndedTrial[],
  change: Partial<DeliberationTerms> = {},
  resamples = 0,
): DeliberationFigures =>
  deliberationFiguresSchema.parse(deliberationFigures(trials, { ...terms, ...change }, drawing(resamples)));
