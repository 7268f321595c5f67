// Whether cases that were tried several times ended the same: a sentence for each arm.
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';

/** Arms that have a sentence; the others have one together. */
const mostArms = 8;

/** Such as `court tried each of 14 cases 2 times: 8 of 14 ended differently.`; none where no case was tried twice. */
export function triedAgainTexts({ arms }: Pick<StatsReport, 'arms'>): string[] {
  const repeated = plainAmong(arms).flatMap(({ arm, n, decided, repeated: of }) =>
    of === undefined ? [] : [{ arm, n, decided, ...of }],
  );
  const texts = repeated.slice(0, mostArms).map(({ arm, n, decided, cases, least, most, differed }) => {
    const what = cases === 1 ? '1 case' : `each of ${count(cases)} cases`;
    const times = `${least === most ? '' : `${count(least)} to `}${count(most)} times`;
    const end = n > decided ? ' (no decision is an end too)' : '';
    return `${arm} tried ${what} ${times}: ${count(differed)} of ${count(cases)} ended differently${end}.`;
  });
  const more = repeated.slice(mostArms);
  if (more.length === 0) return texts;
  const sum = (key: 'cases' | 'differed') => count(more.reduce((all, each) => all + each[key], 0));
  return [
    ...texts,
    `${count(more.length)} more arms tried ${sum('cases')} cases several times, each arm for itself: ${sum('differed')} ended differently.`,
  ];
}
