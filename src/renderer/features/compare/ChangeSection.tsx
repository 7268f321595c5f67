import { useState } from 'react';
import { settingText, settingTitle } from '../../../core/figures/ablations.ts';
import { type Scale, scaleOf, written } from '../../../core/figures/measureScale.ts';
import { percent, points, roundedNote } from '../../../core/figures/shares.ts';
import type { Changed, ChangedMeasure } from '../../../shared/api/compared.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ArmName, useArmNames } from '../experiments/ArmNames.tsx';
import { Moves } from '../experiments/CounterbalanceSection.tsx';
import { FlippedPairs } from '../experiments/DifferingCases.tsx';
import { EstimateCell } from '../experiments/EstimateCell.tsx';
import { type Estimate, measureText } from '../experiments/estimateText.ts';
import { partOf, useChanged } from './compareQueries.ts';
import { baseOf, isOfImported, type Pair } from './pair.ts';

interface Row {
  readonly title: string;
  /** Of each arm; null where the row is of pairs alone. */
  readonly values: readonly [number | null, number | null] | null;
  readonly scale: { readonly value: Scale; readonly difference: Scale };
  readonly difference: Estimate;
  readonly pairs: number;
  readonly cases: number;
}

const titles: Readonly<Record<string, readonly [string, Scale]>> = {
  overconfidence: ['Mean confidence less accuracy, in points (0 is best)', 'points'],
  prompt_tokens: ['Tokens of the prompts of a trial', 'count'],
  completion_tokens: ['Tokens of the answers of a trial', 'count'],
};

const pairTitles: Readonly<Record<string, (label: string | null) => string>> = {
  flip_rate: () => 'Verdicts that differ',
  replicate_flip_rate: () => 'Verdicts that differ by chance: two trials of the same case in one of the two arms',
  excess_flip_rate: () => 'Verdicts that differ beyond chance, in points',
  probability_change: (label) => `P(${label ?? ''}), in points`,
};

function rowOfPairs({ name, label, n, cases, ...difference }: Measure): Row {
  const scale = scaleOf(name);
  const title = pairTitles[name]?.(label) ?? name;
  return { title, values: null, scale: { value: scale, difference: scale }, difference, pairs: n, cases };
}

/** What differs by chance is next to what differs. */
const inOrder = (measures: readonly Measure[]) =>
  Object.keys(pairTitles).flatMap((name) => measures.find((each) => each.name === name) ?? []);

function rowOf(
  { name, a, b, difference, pairs, cases }: ChangedMeasure,
  of: Pick<StatsReport, 'decided_by'>,
  positive: string,
): Row {
  const [title, value] = titles[name] ?? [
    name === 'selection_rate' ? `Verdicts for ${positive}` : measureText({ name, label: null, side: null, turn: null }),
    scaleOf(name),
  ];
  return {
    title: name === 'selection_rate' ? title : retitled(title, of),
    values: [a, b],
    scale: { value, difference: value === 'share' ? 'points' : value },
    difference,
    pairs,
    cases,
  };
}

/** Of each changed arm of a pair, which arm it changes and in what; null until the report says it. Only against that arm does it say all. */
function declaredIn({ arms }: ExperimentView, report: StatsReport | null, { a, b }: Pair) {
  return [a, b].flatMap((name) => {
    const base = baseOf(arms, name);
    if (base === undefined || !arms.find((arm) => arm.name === name)?.change) return [];
    const text = report?.changes?.find(({ changed_arm }) => changed_arm === name)?.change ?? null;
    return [{ name, base, text, saysAll: base === a || base === b }];
  });
}

type Declared = ReturnType<typeof declaredIn>[number];

const DeclaredChange = ({ name, base, text }: Declared) => (
  <p>
    <ArmName arm={name} /> is <ArmName arm={base} /> with one declared change
    {text === null ? (
      ''
    ) : (
      <>
        : <Isolated text={text} />
      </>
    )}
    .
  </p>
);

function Settings({ settings, declared, pair }: { settings: Changed['settings']; declared: readonly Declared[]; pair: Pair }) {
  const all = declared.find(({ saysAll }) => saysAll);
  if (all !== undefined) return <DeclaredChange {...all} />;
  const changes = declared.map((each) => <DeclaredChange key={each.name} {...each} />);
  if (settings.length === 0) {
    return declared.length > 0 ? (
      changes
    ) : (
      <p className="quiet">The record has no setting in which these two differ; of imported predictions it has none at all.</p>
    );
  }
  const [only] = settings;
  return (
    <>
      {changes}
      {settings.length === 1 && only !== undefined && declared.length === 0 ? (
        <p>All else equal: these two differ in {settingTitle(only.name)} alone.</p>
      ) : (
        <p>
          They differ in {quantity(settings.length, 'setting')}: what follows cannot be put down to{' '}
          {declared.length > 0 ? 'one change alone' : 'one of them'}.
        </p>
      )}
      <DataTable
        label="Settings in which they differ"
        rows={settings}
        keyOf={({ name }) => name}
        columns={[
          { title: 'setting', cell: ({ name }) => settingTitle(name) },
          { id: 'a', name: pair.a, title: <Isolated text={pair.a} />, cell: ({ a }) => <Isolated text={settingText(a)} /> },
          { id: 'b', name: pair.b, title: <Isolated text={pair.b} />, cell: ({ b }) => <Isolated text={settingText(b)} /> },
        ]}
      />
    </>
  );
}

function turnedText({ right, wrong, undecided, of }: Changed['turned'], { decided_by: by }: Pick<StatsReport, 'decided_by'>) {
  return `${right} of ${quantity(of, 'pair')} became right${by === undefined ? '' : ` (as ${by} decided)`} and ${wrong} wrong${undecided === 0 ? '' : `, ${undecided} of these from or to no verdict`}`;
}

/** `paid: court 21 of 30, alone 20 of 30: +3.3 points (−10 to +16.7)`; shares where a case has several pairs. */
function selectedText({ a, b, pairs, cases, difference: { value, low, high } }: ChangedMeasure, positive: string, pair: Pair) {
  const each = cases < pairs ? `, where each of ${quantity(cases, 'case')} weighs the same` : '';
  const counted = (name: string, share: number | null) =>
    `${name} ${each === '' ? `${Math.round((share ?? 0) * pairs)} of ${pairs}` : percent(share ?? 0)}`;
  const range = low === null || high === null ? '' : ` (${points(low)} to ${points(high)})`;
  return `${positive}: ${counted(pair.a, a)}, ${counted(pair.b, b)}: ${points(value ?? 0)} points${range}${each}.`;
}

export function ChangeSection({
  experiment,
  view,
  report,
  pair: asked,
  subset,
}: {
  experiment: string;
  view: ExperimentView;
  report: StatsReport | null;
  pair: Pair;
  subset: Subset;
}) {
  const { data, error } = useChanged(experiment, asked, subset);
  const names = useArmNames();
  const pair = { ...asked, a: names.get(asked.a) ?? asked.a, b: names.get(asked.b) ?? asked.b };
  const declared = declaredIn(view, report, asked);
  const [isShown, setIsShown] = useState(false);
  const positive = data?.flips.measures.find(({ name }) => name === 'positive_change')?.label ?? '';
  const selected = data?.measures.find(({ name }) => name === 'selection_rate');
  const flipped = data?.flips.moves.reduce((sum, { n }) => sum + n, 0) ?? 0;
  const value = (place: 0 | 1) => (row: Row) => {
    const found = row.values?.[place] ?? null;
    return found === null ? <span className="quiet">–</span> : written(found, row.scale.value);
  };
  return (
    <Section
      title={declared.length > 0 ? 'What changed with it' : 'Where they agree and differ'}
      lead={
        <>
          Over pairs of finished trials of the same case and replicate that both have the measure. Differences are{' '}
          <Isolated text={pair.a} /> less <Isolated text={pair.b} />, with intervals at {percent(0.95)} over the cases.{' '}
          {roundedNote}
        </>
      }
    >
      <FailureNotice error={error} />
      {data === undefined ? (
        error === null ? (
          <p className="quiet">Comparing…</p>
        ) : null
      ) : (
        <>
          <Settings settings={data.settings} declared={declared} pair={pair} />
          {selected === undefined ? null : <Isolated text={selectedText(selected, positive, pair)} />}
          <DataTable
            label="What changed"
            rows={[
              ...inOrder(data.flips.measures)
                .filter(({ value: known }) => known !== null || !isOfImported(view.arms, asked))
                .map(rowOfPairs),
              ...data.measures.map((measure) => rowOf(measure, report ?? {}, positive)),
            ]}
            keyOf={({ title }) => title}
            columns={[
              { title: 'measure', cell: ({ title }) => <Isolated text={title} /> },
              { title: <Isolated text={pair.a} />, id: 'a', name: pair.a, number: value(0) },
              { title: <Isolated text={pair.b} />, id: 'b', name: pair.b, number: value(1) },
              {
                title: 'difference, or share',
                number: ({ difference, scale }) => <EstimateCell estimate={difference} scale={scale.difference} />,
              },
              { title: 'pairs', number: ({ pairs }) => pairs },
              { title: 'cases', number: ({ cases }) => cases },
            ]}
          />
          {flipped === 0 ? null : (
            <div className="flex flex-wrap gap-10">
              <span>
                With <Isolated text={pair.a} /> instead of <Isolated text={pair.b} />
                {data.turned.of === 0 ? '' : `, ${turnedText(data.turned, report ?? {})}`}:
              </span>
              <Moves of={data.flips} />
              <Button size="small" onPress={() => setIsShown(true)}>
                {`Show ${quantity(flipped, 'pair')} with different verdicts`}
              </Button>
            </div>
          )}
        </>
      )}
      {isShown ? (
        <FlippedPairs
          query={{ experiment, base: asked.b, swapped: asked.a, subset: partOf(subset) }}
          title={`Where ${pair.a} decides otherwise than ${pair.b}`}
          names={{ base: pair.b, swapped: pair.a }}
          onClose={() => setIsShown(false)}
        />
      ) : null}
    </Section>
  );
}
