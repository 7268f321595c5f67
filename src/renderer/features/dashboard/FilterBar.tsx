import { X } from 'lucide-react';
import { ToggleButton } from 'react-aria-components';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { isEverything, rangeText } from '../../../core/figures/subset.ts';
import { choiceText } from '../../../core/statistics/measures/ofPart.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Listed, Paragraph } from '../../ui/HiddenText.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { ArmParagraph, ArmSentence } from '../experiments/ArmNames.tsx';
import { type Condition, conditionsOf, type RangeCondition, rangesOf } from './conditions.ts';
import styles from './Dashboard.module.css';

function Chips({ condition, onToggle }: { condition: Condition; onToggle(subset: Subset): void }) {
  const { title, values } = condition;
  return (
    <fieldset className={`unframed flex flex-wrap gap-6 ${styles.choices}`}>
      <legend>
        <HiddenText text={title} />
      </legend>
      {values.map(({ value, label, isChosen, toggled }) => (
        <ToggleButton
          key={value}
          className={`chip cut text-13 ${styles.choice}`}
          isSelected={isChosen}
          onChange={() => onToggle(toggled)}
        >
          <ArmSentence text={label} />
        </ToggleButton>
      ))}
    </fieldset>
  );
}

/** Both ends in percent; an empty one leaves its side open. */
function Ends({ condition, onChange }: { condition: RangeCondition; onChange(subset: Subset): void }) {
  const { title, range, changed } = condition;
  const { from, to } = range ?? { from: 0, to: 1 };
  const change = (next: { from: number; to: number }) =>
    onChange(changed(next.from === 0 && next.to === 1 ? null : { ...next, to: Math.max(next.from, next.to) }));
  const percents = (value: number, open: number) => (value === open ? null : Number((value * 100).toFixed(6)));
  const bounds = { minValue: 0, maxValue: 100 };
  return (
    <fieldset className={`unframed flex flex-wrap gap-6 ${styles.choices} ${styles.ends}`}>
      <legend>
        <HiddenText text={`${title}, %`} />
      </legend>
      <NumberField
        label="from"
        {...bounds}
        value={percents(from, 0)}
        onChange={(value) => change({ from: (value ?? 0) / 100, to })}
      />
      <NumberField
        label="below"
        {...bounds}
        value={percents(to, 1)}
        onChange={(value) => change({ from, to: (value ?? 100) / 100 })}
      />
    </fieldset>
  );
}

export function FilterBar({
  view,
  whole,
  subset,
  trials,
  isHidden,
  onChange,
}: {
  view: ExperimentView;
  /** Statistics of all trials: they know the groups. */
  whole: StatsReport | undefined;
  subset: Subset;
  /** Finished trials in the numbers below, which can be older than the run; null while they are counted. */
  trials: number | null;
  /** Whether results are hidden, which a filter by true labels would show. */
  isHidden: boolean;
  onChange(subset: Subset): void;
}) {
  const conditions = conditionsOf(view, whole, subset, outcomeText).filter(({ list }) => !isHidden || list !== 'truths');
  const ranges = rangesOf(view, whole, subset);
  const chosen = [
    ...conditions.flatMap(({ title, values }) => values.filter(({ isChosen }) => isChosen).map((each) => ({ title, ...each }))),
    ...ranges.flatMap(({ title, range, changed }) =>
      range === null ? [] : [{ title, value: '', label: rangeText(range), toggled: changed(null) }],
    ),
  ];
  if (conditions.length === 0 && ranges.length === 0) return null;
  const isPart = !isEverything(subset);
  const chosenBy = [
    ...conditions.filter(({ list, values }) => list === 'truths' && values.some(({ isChosen }) => isChosen)),
    ...ranges.filter(({ range }) => range !== null),
  ].map(({ title }) => title);
  return (
    <section className={`card stack gap-6 ${styles.bar}`} aria-label="Filter">
      <div className={`row wrap-anywhere ${styles.chosen}`}>
        <p role="status">
          {trials === null
            ? 'Counting…'
            : isPart || trials < view.summary.done
              ? `${trials} of ${quantity(view.summary.done, 'finished trial')}`
              : `${view.summary.done > 1 ? 'All ' : ''}${quantity(view.summary.done, 'finished trial')}`}
        </p>
        {chosen.map(({ title, value, label, toggled }) => (
          <Button
            key={`${title} ${value}`}
            size="small"
            onPress={() => onChange(toggled)}
            aria-label={`Take out: ${title} ${label}`}
          >
            <ArmSentence text={`${title}: ${label}`} />
            <X size={13} aria-hidden="true" />
          </Button>
        ))}
        {isPart ? (
          <Button size="small" look="quiet" onPress={() => onChange({})}>
            Clear all
          </Button>
        ) : null}
      </div>
      {chosen.length === 0 ? null : (
        <ArmParagraph
          className="on-paper wrap-anywhere"
          text={chosen.map(({ title, label }) => `${title}: ${label}`).join('; ')}
        />
      )}
      {isPart ? (
        <Paragraph
          className="quiet"
          text={`A look at a part: nothing here is a finding.${chosenBy.length === 0 ? '' : ` The filter chose trials by ${chosenBy.join(' and ')}: sentences and figures on it describe that choice.`}${choiceText(subset, view.labels)}`}
        />
      ) : null}
      <div className="off-paper">
        <Fold
          level={2}
          title="Filter"
          aside={
            <>
              by <Listed of={[...conditions, ...ranges]}>{({ title }) => <Isolated text={title} />}</Listed>
            </>
          }
        >
          <div className="stack gap-10">
            {conditions.map((condition) => (
              <Chips key={condition.title} condition={condition} onToggle={onChange} />
            ))}
            <div className={`flex flex-wrap ${styles.ranges}`}>
              {ranges.map((condition) => (
                <Ends key={condition.title} condition={condition} onChange={onChange} />
              ))}
            </div>
          </div>
        </Fold>
      </div>
    </section>
  );
}
