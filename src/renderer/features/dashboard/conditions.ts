import { groupName, titleIn } from '../../../core/cases/columnNames.ts';
import { beliefIn, beliefTitle, valuesIn } from '../../../core/figures/subset.ts';
import { followedLabel } from '../../../core/statistics/measures/beliefMeasures.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ShareRange, Subset } from '../../../shared/api/subset.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import { isImported } from '../../../shared/imported.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { type List, withGroupToggled, withRange, withToggled } from './filter.ts';

/** A column with more values is no group to filter by. */
const mostValues = 60;

export interface Condition {
  readonly title: string;
  /** Null: a group column. */
  readonly list: List | null;
  readonly values: readonly {
    readonly value: string;
    readonly label: string;
    readonly isChosen: boolean;
    /** The subset with this value added or taken out. */
    readonly toggled: Subset;
  }[];
}

/** Protocols that answer once: what they say first is the verdict. */
const answerOnce: readonly string[] = ['single', 'standard', 'vote'];

/** Labels by which trials can be filtered; none where there are too many to choose from. */
export const listedLabels = ({ labels }: Pick<ExperimentView, 'labels'>): readonly string[] =>
  labels.length > mostValues ? [] : labels;

/** Labels that a first answer may be, where an arm has first answers; none where there are too many to choose from. */
export const firstAnswers = ({ arms, labels }: Pick<ExperimentView, 'arms' | 'labels'>): readonly string[] =>
  arms.every((arm) => isImported(arm) || answerOnce.includes(arm.protocol)) ? [] : listedLabels({ labels });

const unique = (values: readonly string[]) => [...new Set(values)];

/** Values by column of the data set, as they occur in finished trials; columns by what they are called. */
function groupsIn(report: StatsReport | undefined): Map<string, string[]> {
  const title = ({ attribute }: { readonly attribute: string }) => titleIn(report?.column_titles, attribute);
  const groups = (report?.arms.flatMap((arm) => arm.groups) ?? []).toSorted((a, b) => title(a).localeCompare(title(b), 'en'));
  return new Map(
    [...Map.groupBy(groups, ({ attribute }) => attribute)].map(([attribute, some]) => [
      attribute,
      unique(some.map(({ value }) => value)).toSorted(),
    ]),
  );
}

/** Whether each arm has one model that no other arm has: then to choose models is to choose arms. */
const repeatsArms = (models: readonly (readonly string[])[]): boolean =>
  models.every(({ length }) => length === 1) && new Set(models.flat()).size === models.length;

/** Everything by which an experiment can be filtered; a condition with a single value divides nothing and is left out. */
export function conditionsOf(
  { arms, summary, labels }: Pick<ExperimentView, 'arms' | 'summary' | 'labels'>,
  whole: StatsReport | undefined,
  subset: Subset,
  outcomeLabel: (outcome: string) => string,
): Condition[] {
  const list = (title: string, key: List, values: readonly string[], label = (value: string) => value) => ({
    title,
    list: key,
    values: unique([...values, ...(subset[key] ?? [])]).map((value) => ({
      value,
      label: label(value),
      isChosen: (subset[key] as readonly string[] | undefined)?.includes(value) ?? false,
      toggled: withToggled(subset, key, value),
    })),
  });
  const models = arms.map((arm) => unique(Object.values(arm.models)));
  const groups = groupsIn(whole);
  for (const [column, values] of Object.entries(subset.groups ?? {})) {
    groups.set(column, unique([...(groups.get(column) ?? []), ...values]));
  }
  const all: Condition[] = [
    list(
      'arm',
      'arms',
      arms.map(({ name }) => name),
    ),
    list('model', 'models', repeatsArms(models) ? [] : unique(models.flat()).toSorted()),
    ...[...groups].map(([column, values]) => ({
      title: titleIn(whole?.column_titles, column),
      list: null,
      values: values.map((value) => ({
        value,
        label: groupName(value),
        isChosen: valuesIn(subset, column)?.includes(value) ?? false,
        toggled: withGroupToggled(subset, column, value),
      })),
    })),
    list('outcome', 'outcomes', Object.keys(summary.outcomes), outcomeLabel),
    list(labelNoun(whole ?? {}), 'truths', labels),
    list('first answer', 'first', firstAnswers({ arms, labels })),
    list('also tried by', 'paired', []),
  ];
  const apart = all.filter(
    ({ values }) => (values.length > 1 && values.length <= mostValues) || values.some(({ isChosen }) => isChosen),
  );
  // One thing that is known only of some trials divides them by itself.
  const unknown = whole?.arms.some(({ without_truth: without }) => without > 0) ? ['truth'] : [];
  return [
    ...apart,
    ...[list('only where known', 'known', unknown, (what) => (what === 'truth' ? labelNoun(whole ?? {}) : what))].filter(
      ({ values }) => values.length > 0,
    ),
  ];
}

/** A share that trials can be filtered by: the stated confidence, or the probability of a label. */
export interface RangeCondition {
  readonly title: string;
  /** Null: any. */
  readonly range: ShareRange | null;
  /** The subset with another range, or with none. */
  changed(range: ShareRange | null): Subset;
}

/** Where confidences are stated: these, and the probability of one of two labels; and what a subset has ranges of. */
export function rangesOf(
  { labels, positive }: Pick<ExperimentView, 'labels' | 'positive'>,
  whole: StatsReport | undefined,
  subset: Subset,
): RangeCondition[] {
  const isStated = whole?.arms.some(({ confidence_bins: bins }) => bins.some((bin) => bin.correct + bin.wrong + bin.unknown > 0));
  const named = unique([
    ...(isStated && labels.length === 2 ? [followedLabel(labels, positive)] : []),
    ...Object.keys(subset.beliefs ?? {}),
  ]);
  return [
    ...(isStated || subset.confidence !== undefined
      ? [
          {
            title: 'confidence',
            range: subset.confidence ?? null,
            changed: (range: ShareRange | null) => withRange(subset, null, range),
          },
        ]
      : []),
    ...named.map((label) => ({
      title: beliefTitle(label),
      range: beliefIn(subset, label) ?? null,
      changed: (range: ShareRange | null) => withRange(subset, label, range),
    })),
  ];
}

/** The subset with a name of a legend added, if it is one that a filter knows; null else. */
export function narrowedByName(name: string, conditions: readonly Condition[]): Subset | null {
  const found = conditions.flatMap(({ values }) => values).find(({ value, isChosen }) => value === name && !isChosen);
  return found?.toggled ?? null;
}
