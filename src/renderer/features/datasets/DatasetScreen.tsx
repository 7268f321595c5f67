import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { Button as RowButton } from 'react-aria-components';
import { useLocation } from 'wouter';
import { z } from 'zod';
import { columnTitle, factLine } from '../../../core/cases/columnNames.ts';
import { columnsRead } from '../../../core/cases/columnsRead.ts';
import { splitSentence, timeOrderText } from '../../../core/cases/shares.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { DataFile, ListedCase } from '../../../shared/api/dataFiles.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import { usualSeed } from '../../../shared/experiment.ts';
import { useApi, useRead } from '../../api/ApiContext.tsx';
import { useWritable } from '../../app/engineStatus.ts';
import { routes, toExperiment, toNewExperiment } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated, OutsideLink } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useRows } from '../../ui/useRows.ts';
import { EraseButton } from '../erasing/EraseButton.tsx';
import { TryThisCase } from '../tryCase/TryThisCase.tsx';
import { ColumnNamesDialog } from './ColumnNames.tsx';
import { useDatasets, useLabelCounts } from './datasetQueries.ts';
import { formatText, kindText } from './definition.ts';
import styles from './Entry.module.css';
import { CaseFacts, truthText } from './Facts.tsx';
import { LabelBars } from './LabelBars.tsx';
import { NoEntry } from './NoEntry.tsx';
import { TrialButton } from './TrialButton.tsx';

const crumbs = [{ label: 'Data sets', to: routes.datasets }];
const restMs = 250;

export default function DatasetScreen({ entry: id }: { entry: string }) {
  const datasets = useDatasets();
  const [, navigate] = useLocation();
  const isWritable = useWritable();
  const entry = datasets.data?.find((candidate) => candidate.id === id);
  if (entry !== undefined) {
    return (
      <Screen
        crumbs={crumbs}
        title={entry.name}
        subtitle={entry.definition.question}
        pills={
          <>
            <Pill>{quantity(entry.cases, 'case')}</Pill>
            {entry.bundled ? <Pill>comes with the program</Pill> : null}
          </>
        }
        actions={
          <>
            {isWritable ? (
              <Button look="primary" onPress={() => navigate(toNewExperiment(entry.id))}>
                New experiment
              </Button>
            ) : null}
            {entry.bundled ? null : (
              <EraseButton
                choices={[{ label: 'This data set', note: '', target: { kind: 'listed', entry: entry.id } }]}
                onErased={() => navigate(routes.datasets)}
              />
            )}
          </>
        }
        bare
      >
        <Cases entry={entry} />
      </Screen>
    );
  }
  return (
    <Screen crumbs={crumbs} title="Data set">
      <NoEntry datasets={datasets} />
    </Screen>
  );
}

function Cases({ entry }: { entry: DataFile }) {
  const [typed, setTyped] = useSessionState(`entry/${entry.id}/search`, z.string().max(200), () => '');
  const search = useDebounced(typed.trim(), restMs);
  const [selected, setSelected] = useState<ListedCase | null>(null);
  const first = useRead(
    casesKey(entry.id, search, 0),
    (api, given) =>
      api.dataFiles.cases({ entry: entry.id, offset: 0, limit: pageSize, ...(search === '' ? {} : { search }) }, given),
    { placeholderData: keepPreviousData },
  );
  const panel = useRef<HTMLElement>(null);
  const searchPlace = useRef<HTMLDivElement>(null);
  useShortcuts([{ keys: ['/'], does: 'Search the cases', run: () => searchPlace.current?.querySelector('input')?.focus() }]);
  // In a narrow window the case opens above the list.
  useEffect(() => {
    if (selected !== null) panel.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const { definition } = entry;
  const total = first.data?.total;
  return (
    <div className={styles.parts}>
      <EntryAbout entry={entry} />
      <section className={`stack content-start gap-10 min-w-0 ${styles.cases}`} aria-label="Cases">
        <div ref={searchPlace} className={`stack gap-4 ${styles.search}`}>
          <TextField
            label="Search the cases"
            labelHidden
            placeholder="Search ids and facts"
            value={typed}
            onChange={setTyped}
            maxLength={200}
          />
          <p className="muted wrap-anywhere" role="status">
            {total === undefined
              ? 'Reading the cases…'
              : search === ''
                ? quantity(total, 'case')
                : `${total.toLocaleString('en-GB')} of ${quantity(entry.cases, 'case')}`}
          </p>
        </div>
        <FailureNotice error={first.error} onRetry={first.refetch} />
        {total === 0 ? <p className="muted wrap-anywhere">No case contains this text. Clear the search to see all.</p> : null}
        {total === undefined || total === 0 ? null : (
          <CaseList
            key={search}
            entry={entry}
            search={search}
            total={total}
            selected={selected?.id ?? null}
            onSelect={setSelected}
          />
        )}
      </section>
      {selected === null ? null : (
        <aside ref={panel} className={`relative content-start gap-14 ${styles.panel}`} aria-label={`Case ${selected.id}`}>
          <div className={`row gap-8 ${styles.panelHead}`}>
            <h2 dir="auto" className="title-18 wrap-anywhere">
              Case <HiddenText text={selected.id} />
            </h2>
            <TryThisCase entry={entry} listed={selected} />
            <Button icon={X} size="small" look="quiet" aria-label="Close the case" onPress={() => setSelected(null)} />
          </div>
          <CaseFacts
            kind={definition.kind}
            listed={selected}
            question={definition.question ?? null}
            decidedBy={definition.label?.decidedBy}
            seed={definition.split.by === undefined ? usualSeed : undefined}
            leftOut={definition.exclude}
          />
        </aside>
      )}
    </div>
  );
}

const listed = (names: readonly string[]) => names.join(', ');

function EntryAbout({ entry }: { entry: DataFile }) {
  const { definition } = entry;
  const by = definition.label?.decidedBy;
  const read = columnsRead(definition);
  const counts = useLabelCounts(entry);
  const isWritable = useWritable();
  const [naming, setNaming] = useState(false);
  const rows: readonly (readonly [string, string | null])[] = [
    ['Cases', `${quantity(entry.cases, 'case')}, ${formatText[entry.format]}`],
    ['A case is', `${kindText[definition.kind].label}. ${kindText[definition.kind].note}`],
    ['Id', definition.id ?? 'number of the row'],
    [
      capitalized(by === undefined ? 'true label' : labelNoun({ decided_by: by })),
      definition.label?.column ?? (definition.kind === 'open' ? null : 'not known'),
    ],
    [read.term, `${listed(read.columns)}${read.rest}`],
    ['Groups', listed(definition.groups.map((column) => columnTitle(column, definition))) || null],
    ['Models read', definition.namesInPrompts === true ? 'the names and units that people read' : null],
    [
      'Shares',
      `${splitSentence(definition.split)}${definition.split.by === undefined ? '' : `, ${timeOrderText(definition.split.by)}`}`,
    ],
    ['Source', entry.source],
    ['Added', entry.addedAt === null ? null : minuteText(entry.addedAt)],
  ];
  return (
    <section className={`relative content-start ${styles.about}`} aria-label="About the data set">
      <TrialButton entry={entry} explained />
      {entry.labels.length === 0 ? null : (
        <div>
          <h2 className="eyebrow">Labels</h2>
          {counts.data === undefined ? (
            <p className="muted wrap-anywhere">
              <Isolated text={listed(entry.labels.slice(0, 12))} />
              {entry.labels.length > 12 ? ` and ${entry.labels.length - 12} more` : ''}
              {counts.isPending ? '; counting…' : '; how many cases each has is unknown'}
            </p>
          ) : (
            <LabelBars counts={counts.data} cases={entry.cases} positive={entry.positive} />
          )}
        </div>
      )}
      {naming ? <ColumnNamesDialog entry={entry} onClose={() => setNaming(false)} /> : null}
      <div>
        <h2 className="eyebrow">Definition</h2>
        <dl className="stack gap-10">
          {rows.map(([term, value]) =>
            value === null ? null : (
              <div key={term}>
                <dt className="muted text-12-5">{term}</dt>
                <dd className="wrap-anywhere">
                  <Isolated text={value} />
                </dd>
              </div>
            ),
          )}
        </dl>
        {!isWritable ||
        entry.bundled ||
        definition.namesInPrompts === true ||
        !['tabular', 'sections'].includes(definition.kind) ? null : (
          <div className="pt-12">
            <Button size="small" onPress={() => setNaming(true)}>
              Names and units of columns…
            </Button>
          </div>
        )}
      </div>
      {entry.experiments.length === 0 ? null : (
        <div>
          <h2 className="eyebrow">Experiments</h2>
          <ul className="stack gap-4 wrap-anywhere">
            {entry.experiments.map((name) => (
              <li key={name}>
                <OutsideLink to={toExperiment(name)} text={name} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

const pageSize = 100;
const rowHeight = 58;
/** What of the facts can be in view in the two lines of the widest screen. */
const excerptLength = 600;

const casesKey = (entry: string, search: string, page: number) => ['datasets', 'cases', entry, search, page] as const;

interface Properties {
  readonly entry: DataFile;
  readonly search: string;
  readonly total: number;
  readonly selected: string | null;
  readonly onSelect: (listed: ListedCase) => void;
}

/** The cases of an entry; only those in view are in the page: a hundred thousand scroll like a hundred. */
function CaseList({ entry, search, total, selected, onSelect }: Properties) {
  const api = useApi();
  const { frame, items, height, firstPage, pages, onKeyDown } = useRows({ total, rowHeight, pageSize });
  const read = useQueries({
    queries: pages.map((page) => ({
      queryKey: casesKey(entry.id, search, page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.dataFiles.cases(
          { entry: entry.id, offset: page * pageSize, limit: pageSize, ...(search === '' ? {} : { search }) },
          { signal },
        ),
    })),
  });
  const caseAt = (index: number): ListedCase | undefined =>
    read[Math.floor(index / pageSize) - firstPage]?.data?.cases[index % pageSize];
  const failed = read.find(({ isError }) => isError);
  // The same in every row, so that the facts of all end at one edge.
  const longestTruth = Math.max(...entry.labels.map((label) => label.length), truthText(null).length);

  return (
    <>
      {failed === undefined ? null : <FailureNotice error={failed.error} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the rows inside */}
      <div ref={frame} className={styles.scroll} onKeyDown={onKeyDown}>
        <ul
          style={{ height, '--truth': `${Math.min(longestTruth + 1, 16)}ch` } as CSSProperties}
          className="relative"
          aria-label="Cases"
        >
          {items.map(({ index, start }) => {
            const listed = caseAt(index);
            return (
              <li
                key={index}
                className={styles.item}
                style={{ transform: `translateY(${start}px)`, height: rowHeight }}
                aria-setsize={total}
                aria-posinset={index + 1}
              >
                {listed === undefined ? (
                  <span className={`muted ${styles.waiting}`}>Reading…</span>
                ) : (
                  <RowButton
                    className={`bare stack gap-14 ${styles.row}`}
                    data-index={index}
                    aria-current={listed.id === selected}
                    onPress={() => onSelect(listed)}
                  >
                    <span className="clamp-2 mono-12-5 wrap-anywhere">
                      <Isolated text={listed.id} />
                    </span>
                    <span className={`clamp-2 wrap-anywhere ${styles.excerpt}`} dir="auto">
                      <HiddenText text={listed.question ?? factLine(listed.facts).slice(0, excerptLength)} />
                    </span>
                    <span className="clamp-2 text-13 font-600 wrap-anywhere">
                      <Isolated text={truthText(listed.truth)} />
                    </span>
                  </RowButton>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
