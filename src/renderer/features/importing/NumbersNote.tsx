import { areManyNumbers, groupNames } from '../../../core/cases/columnRoles.ts';
import type { Inspection } from '../../../shared/api/dataFiles.ts';
import { Isolated } from '../../ui/HiddenText.tsx';

/** What each further group column takes away. */
export const groupsCost =
  'Tick only what you want to compare: all differences between groups, also of two columns together, are corrected for each other, so each further column makes it harder to show any of them.';

/** Why an age or the like is not chosen as a group. @param groups the columns that are */
export function NumbersNote({ inspection, groups }: { inspection: Inspection; groups: readonly string[] }) {
  const found = inspection.columns.find(
    (column) => groupNames.test(column.name) && areManyNumbers(column) && !groups.includes(column.name),
  );
  return found === undefined ? null : (
    <p className="muted wrap-anywhere">
      “<Isolated text={found.name} />” is not a group: it has many different numbers, and each would be a group by itself. To
      compare by it, add a column of bands to the file, such as “18 to 29”.
    </p>
  );
}
