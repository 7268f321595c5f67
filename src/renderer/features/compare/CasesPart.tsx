import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import {
  type Compared,
  type ComparedCase,
  type ComparedVerdict,
  type Standing,
  standings,
} from '../../../shared/api/compared.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import type { CaseKind } from '../../../shared/domain.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, IsolatedSet } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { usePrinting } from '../../ui/useMedia.ts';
import { walkPlaces } from '../trial/walkedList.ts';
import { CaseDetail, Verdict } from './CaseDetail.tsx';
import styles from './Compare.module.css';
import { type CaseFilter, pageSize, usualFilter } from './compareQueries.ts';
import { rightCounts, standingText } from './compareText.ts';
import type { Pair } from './pair.ts';

const differing = 'differing';
const everything = 'everything';
type Kind = Standing | typeof differing | typeof everything;

const standingsOf = (kind: Kind): readonly Standing[] =>
  kind === differing ? usualFilter.standings : kind === everything ? standings : [kind];

function kindOf({ standings: chosen }: CaseFilter): Kind {
  if (chosen.length === standings.length) return everything;
  const [first] = chosen;
  return chosen.length === 1 && first !== undefined ? first : differing;
}

function Filters({
  pair,
  compared,
  filter,
  onFilter,
}: {
  pair: Pair;
  compared: Compared;
  filter: CaseFilter;
  onFilter: (change: Partial<CaseFilter>) => void;
}) {
  const { counts, groups } = compared;
  const kinds: { id: Kind; label: string }[] = [
    { id: differing, label: 'they differ' },
    ...standings
      .filter((each) => counts[each] > 0)
      .map((each) => ({ id: each, label: `${standingText(each, pair, compared)} (${counts[each]})` })),
    { id: everything, label: 'all that both have' },
  ];
  const all = Object.entries(groups).flatMap(([column, values]) => values.map((value) => ({ column, value })));
  const idOf = (group: CaseFilter['group']) => (group === null ? '' : JSON.stringify(group));
  const inWords = all.map((group) => ({ id: idOf(group), label: `${group.column}: ${group.value}` }));
  return (
    <div className={`off-paper flex flex-wrap gap-10 items-end ${styles.filters}`}>
      <Select
        label="Cases on which"
        choices={kinds}
        value={kindOf(filter)}
        onChange={(kind) => onFilter({ standings: standingsOf(kind) })}
      />
      {all.length === 0 ? null : (
        <Select
          label="Group"
          choices={[{ id: '', label: 'every group' }, ...inWords]}
          value={idOf(filter.group)}
          onChange={(id) => onFilter({ group: all.find((each) => idOf(each) === id) ?? null })}
        />
      )}
      <TextField label="Id or facts contain" value={filter.search} onChange={(search) => onFilter({ search })} />
    </div>
  );
}

function Pages({ compared, onOffset }: { compared: Compared; onOffset: (offset: number) => void }) {
  const { total, offset, cases } = compared;
  if (total <= pageSize && offset === 0) return null;
  return (
    <div className="justify-between flex gap-8 text-13 items-center">
      <Button size="small" isDisabled={offset === 0} onPress={() => onOffset(Math.max(0, offset - pageSize))}>
        Earlier
      </Button>
      <span>
        {offset + 1} to {offset + cases.length} of {total}
      </span>
      <Button size="small" isDisabled={offset + cases.length >= total} onPress={() => onOffset(offset + pageSize)}>
        Later
      </Button>
    </div>
  );
}

/** The cases as paper has them: what both found, in a table. */
function PrintedCases({ pair, compared, filter }: { pair: Pair; compared: Compared; filter: CaseFilter }) {
  const { cases, total, offset } = compared;
  const kind = kindOf(filter);
  const chosen = [
    ...(kind === everything ? [] : [kind === differing ? 'they differ' : standingText(kind, pair, compared)]),
    ...(filter.group === null ? [] : [`${filter.group.column}: ${filter.group.value}`]),
    ...(filter.search === '' ? [] : [`id or facts contain “${filter.search}”`]),
  ];
  const verdicts = (found: readonly ComparedVerdict[]) =>
    found.map((verdict) => (
      <div key={verdict.trial ?? verdict.replicate}>
        <Verdict verdict={verdict} decidedBy={compared.decided_by} />
      </div>
    ));
  const shown = cases.length < total ? `, ${offset + 1} to ${offset + cases.length} below` : '';
  return (
    <Section
      title="Cases side by side"
      lead={
        <HiddenText
          text={`${quantity(total, 'case')} of those that both have${shown}${chosen.length === 0 ? '' : `. Only where ${chosen.join(', and ')}`}.`}
        />
      }
    >
      {cases.length === 0 ? null : (
        <DataTable
          label="Cases"
          close
          rows={cases}
          keyOf={(found) => found.case}
          columns={[
            { title: 'case', cell: (found: ComparedCase) => <Isolated text={found.case} /> },
            { title: labelNoun(compared), cell: (found: ComparedCase) => <IsolatedSet of={found.truth} /> },
            { id: 'a', title: <Isolated text={pair.a} />, cell: (found: ComparedCase) => verdicts(found.a) },
            { id: 'b', title: <Isolated text={pair.b} />, cell: (found: ComparedCase) => verdicts(found.b) },
          ]}
        />
      )}
    </Section>
  );
}

export function CasesPart({
  pair,
  kind,
  compared,
  filter,
  onFilter,
}: {
  pair: Pair;
  kind: CaseKind;
  compared: Compared;
  filter: CaseFilter;
  onFilter: (filter: CaseFilter) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const isPrinting = usePrinting();
  const { cases, total } = compared;
  if (isPrinting) return <PrintedCases {...{ pair, compared, filter }} />;
  const shown = cases.find(({ case: id }) => id === chosen) ?? cases[0];
  return (
    <Section
      title="Cases side by side"
      lead={`${quantity(total, 'case')} of those that both have. Up and down go through the list.`}
    >
      <Filters
        pair={pair}
        compared={compared}
        filter={filter}
        onFilter={(change) => onFilter({ ...filter, offset: 0, ...change })}
      />
      {shown === undefined ? (
        <p className="quiet">
          No such case.{filter.search === '' ? null : ' Ids and values of facts are searched, not their names.'}
        </p>
      ) : (
        <div className={`stack pt-12 ${styles.browser}`}>
          <div className="stack content-start gap-8">
            <ListBox
              aria-label="Cases"
              className={`card ${styles.list}`}
              items={cases.map((each) => ({ ...each, id: each.case }))}
              selectionMode="single"
              selectionBehavior="replace"
              disallowEmptySelection
              selectedKeys={[shown.case]}
              onSelectionChange={(keys) => setChosen(keys === 'all' ? null : String([...keys][0] ?? ''))}
            >
              {(item) => (
                <ListBoxItem id={item.id} textValue={item.id} className={`stack gap-2 ruled-below wrap-anywhere ${styles.item}`}>
                  <Isolated text={item.id} />
                  <span className="quiet">
                    <Isolated text={standingText(item.standing, pair, compared)} /> {rightCounts(item)} ·{' '}
                    <IsolatedSet of={item.truth} />
                  </span>
                </ListBoxItem>
              )}
            </ListBox>
            <Pages compared={compared} onOffset={(offset) => onFilter({ ...filter, offset })} />
          </div>
          <CaseDetail
            key={shown.case}
            {...{ pair, kind }}
            decidedBy={compared.decided_by}
            found={shown}
            onWalk={(placesOf) =>
              walkPlaces(kindOf(filter) === differing ? 'trials that differ' : 'trials compared', cases.flatMap(placesOf))
            }
          />
        </div>
      )}
    </Section>
  );
}
