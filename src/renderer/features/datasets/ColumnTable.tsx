import { Checkbox } from '../../ui/Checkbox.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, Listed, Outside } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFirst } from '../../ui/useFirst.tsx';
import { groupsCost, NumbersNote } from '../importing/NumbersNote.tsx';
import styles from './Import.module.css';
import { answerColumns, type CaseForm, type ImportForm } from './importForm.ts';

/** Columns that are shown at first. */
const manyColumns = 40;

const toggled = (names: readonly string[], name: string, on: boolean) =>
  on ? [...names.filter((other) => other !== name), name] : names.filter((other) => other !== name);

const mostGroups = 8;

/** How many rows each group has, the smallest first: `Hilltop 4, Linden 38 rows`. */
function rowsText(values: readonly string[], rows: readonly number[]): string {
  const named = values.map((value, place) => ({ value, count: rows[place] ?? 0 })).toSorted((a, b) => a.count - b.count);
  const listed = named.slice(0, mostGroups).map(({ value, count }) => `${value} ${count.toLocaleString('en-GB')}`);
  const more = named.length - listed.length;
  return `${listed.join(', ')} rows${more === 0 ? '' : `, and ${more} larger ones`}`;
}

export function ColumnTable({ inspection, form, onChange }: CaseForm) {
  const tabular = form.kind === 'tabular';
  const roleOf = (name: string) => (name === form.label ? 'label' : name === form.id ? 'id' : null);
  const answers = answerColumns(inspection, form).filter((name) => form.exclude.includes(name));
  const { shown, more } = useFirst(inspection.columns, manyColumns, 'column');
  return (
    <>
      <div className={styles.tableFrame}>
        <DataTable
          label="Columns of the file"
          fits
          close
          look={styles.table}
          rows={shown}
          keyOf={({ name }) => name}
          columns={[
            { title: 'column', dir: 'auto', cell: ({ name }) => <HiddenText text={name} /> },
            {
              title: 'examples',
              cell: ({ name, values, rowsOfValues, examples, empty, longest }) => (
                <>
                  <Listed of={examples} between=" · ">
                    {(example) => <Outside className="mono-12-5 wrap-anywhere" text={example} />}
                  </Listed>
                  <small className="block muted text-12-5">
                    {values === null ? (longest > 200 ? 'long texts' : 'over 50 different values') : `${values.length} different`}
                    {empty === 0 ? '' : `, ${empty.toLocaleString('en-GB')} empty`}
                    {values !== null &&
                    rowsOfValues !== undefined &&
                    (form.groups.includes(name) || values.length <= mostGroups) ? (
                      <>
                        : <Isolated text={rowsText(values, rowsOfValues)} />
                      </>
                    ) : null}
                  </small>
                </>
              ),
            },
            {
              title: tabular ? 'fact' : 'use',
              cell: ({ name }) =>
                roleOf(name) ??
                (tabular ? (
                  <Checkbox
                    aria-label={`${name} is a fact`}
                    isSelected={!form.exclude.includes(name)}
                    onChange={(on) => onChange({ exclude: toggled(form.exclude, name, !on) })}
                  >
                    {null}
                  </Checkbox>
                ) : (
                  partPlayed(form, name)
                )),
            },
            {
              title: 'group',
              cell: ({ name }) =>
                roleOf(name) === 'label' ? null : (
                  <Checkbox
                    aria-label={`${name} divides into groups`}
                    isSelected={form.groups.includes(name)}
                    onChange={(on) => onChange({ groups: toggled(form.groups, name, on) })}
                  >
                    {null}
                  </Checkbox>
                ),
            },
          ]}
        />
        {more === null ? null : <div className="p-6-10">{more}</div>}
      </div>
      <p className="muted wrap-anywhere">
        Results are also shown for each value of a <b>group</b> column, so that you see whether groups are treated alike. Models
        read it only if it is a {tabular ? 'fact' : 'part of the case'} too. {groupsCost}
      </p>
      <p className="muted">
        A column that you leave out here is kept from models, but Assize keeps a copy of the whole file on this machine. If a
        column must not be kept, delete it in the file first.
      </p>
      <NumbersNote inspection={inspection} groups={form.groups} />
      {answers.length === 0 ? null : (
        <Notice tone="warn">
          <span>
            <Isolated text={answers.map((name) => `“${name}”`).join(', ')} /> {answers.length === 1 ? 'holds' : 'hold'} only
            labels to choose from and may be the answer, so the court does not read {answers.length === 1 ? 'it' : 'them'}. Tick
            “fact” if {answers.length === 1 ? 'it was' : 'they were'} known before the decision.
          </span>
        </Notice>
      )}
    </>
  );
}

function partPlayed(form: ImportForm, name: string): string {
  if (form.kind === 'sections') {
    const place = form.sections.indexOf(name);
    return place < 0 ? '–' : `section ${place + 1}`;
  }
  const found = Object.entries(form.columns).find(([, column]) => column === name);
  return found?.[0] ?? '–';
}
