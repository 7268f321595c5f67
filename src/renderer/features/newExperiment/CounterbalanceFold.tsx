import { swapTitles } from '../../../core/figures/swapWords.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { swapChoices } from '../protocols/swapChoices.ts';
import { type ArmForm, swapsOf } from './draft.ts';

/** What is exchanged in further arms: each tries the same cases with the same seeds, to see whether the verdict hangs on it. */
export function CounterbalanceFold({
  arm,
  error,
  onChange,
}: {
  arm: ArmForm;
  error: string | null;
  onChange: (counterbalance: ArmForm['counterbalance']) => void;
}) {
  const choices = swapChoices(arm.protocol, arm.params);
  if (choices.length === 0) return null;
  const chosen = swapsOf(arm);
  const aside = chosen.length === 0 ? 'none' : chosen.map((swap) => swapTitles[swap]).join(', ');
  return (
    <Fold level={4} title="Counterbalancing" aside={aside} defaultExpanded={error !== null}>
      <p className="quiet">
        The arm is tried once more for each, on the same cases with the same seeds. How often the verdict flips is told apart from
        the comparisons of arms.
      </p>
      <div className="stack gap-6">
        {choices.map(({ swap, title, does }) => (
          <Checkbox
            key={swap}
            note={does}
            isSelected={chosen.includes(swap)}
            onChange={(selected) =>
              onChange(selected ? [...arm.counterbalance, swap] : arm.counterbalance.filter((each) => each !== swap))
            }
          >
            {title}
          </Checkbox>
        ))}
      </div>
      {error === null ? null : <p role="alert">{error}</p>}
    </Fold>
  );
}
