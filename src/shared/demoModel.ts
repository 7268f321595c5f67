// How results say that the demo model made up answers.
import type { StatsReport } from './outputs.ts';
import type { TrialLine } from './trialLine.ts';

/** Calls at a time of the screens' demo model, unless the settings give a number. */
export const demoCalls = 4;

export const everyAnswer = 'these answers';

const mostNamed = 5;

/** Which answers of an experiment the demo model made up; null: none. */
export function inventedAnswers({ arms }: Pick<StatsReport, 'arms'>): string | null {
  const invented = arms.filter(({ standin }) => standin).map(({ arm }) => arm);
  if (invented.length === 0) return null;
  if (arms.every(({ standin, n }) => standin || n === 0)) return everyAnswer;
  const more = invented.length - mostNamed;
  const named = invented.slice(0, mostNamed).join(', ');
  return `the answers of the ${invented.length === 1 ? 'arm' : 'arms'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/** After the name of a model in whose place the demo model answered. */
export const demoMark = (standin = false): string => (standin ? ' (demo model)' : '');

/** The digest of a model's weights, as its server said it; the demo model has no weights. */
export const digestText = ({
  digest,
  standin,
}: {
  readonly digest?: string | null | undefined;
  readonly standin?: boolean | null | undefined;
}) => (standin === true ? 'invented by the demo model' : (digest ?? 'not known'));

/** How the demo model settles a tie in the belief that a trial's verdict states; null where another rule or model did. */
export const demoTieText = ({ standin, belief_source: source }: Pick<TrialLine, 'standin' | 'belief_source'>) =>
  standin && source === 'verbal' ? 'The demo model names the first in its prompt.' : null;

/** @param invented as `inventedAnswers` says it */
export const demoText = (invented: string): string =>
  `DEMO MODEL: ${invented} were made up by a program, not by a language model`;
