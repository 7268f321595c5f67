// What the statements on the percentages of an arm come to, as the head of their list.
import { rightWords } from '../../shared/decidedBy.ts';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { quantity } from '../../shared/sizes.ts';
import { extremeText, type Judged, meanProbabilityIn, skillOf, surenessWay, widestGap } from './calibrationTables.ts';
import { measureNamed } from './cells.ts';
import { stated } from './confidenceBins.ts';

/** A wider gap that is not ruled out is no sign of good percentages, but of few cases. */
const mostOpen = 0.1;

/** The faults that are shown, in short; else that none is, and whether one could be. */
function faultText(arm: ArmStatistics, { arms, positive, ...of }: Judged): string {
  const mean = positive === null ? null : meanProbabilityIn(arm, positive, { arms });
  const extreme = positive === null ? null : extremeText(arm, positive, arms);
  if (extreme?.isWrongWay === true) return 'the percentages point the wrong way';
  const [excess, sureness] = [mean?.way ?? 0, surenessWay(arm, arms) ?? 0];
  const { is } = rightWords(of);
  const apart =
    sureness !== 0 || extreme?.isFound !== true ? '' : extreme.isModest ? ' and too close to the middle' : ' and too extreme';
  const wrong = [
    ...(sureness === 0 ? [] : [`too ${sureness > 0 ? `sure: it ${is} less` : `modest: it ${is} more`} often than it says`]),
    ...(excess === 0 ? [] : [`the percentages of ${positive} are too ${excess > 0 ? 'high' : 'low'} on average${apart}`]),
  ];
  if (wrong.length > 0) return wrong.join(', and ');
  if (extreme?.isFound === true)
    return extreme.isModest
      ? 'too modest: the percentages are too close to the middle'
      : 'too extreme: the percentages are too near to 0 and 100%';
  const cases = measureNamed(arm, 'accuracy', { over: 'all' })?.cases ?? stated(arm.reliability);
  const few = `${quantity(cases, 'case is', 'cases are')} too few to rule one out`;
  return `no fault of the percentages is shown${(widestGap(arm) ?? 0) > mostOpen ? `; ${few}` : ''}`;
}

const uses = {
  better: '; better than the same number for everybody',
  unknown: '; not shown to be better than the same number for everybody',
} as const;

/** After the name of the arm: `no fault of the percentages is shown; 40 cases are too few to rule one out; not shown to be better than the same number for everybody`. */
export function trustInShort(arm: ArmStatistics, report: Judged): string {
  const skill = skillOf(arm);
  return `${faultText(arm, report)}${skill === null ? '' : uses[skill]}`;
}
