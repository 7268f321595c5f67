import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ColumnTerms } from '../../../core/cases/columnNames.ts';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { useApi, useRead } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { suggestedFor, type Terms, termsFor } from './columnTerms.ts';
import { useTakeDataset } from './datasetQueries.ts';
import styles from './Import.module.css';

export function ColumnNames({
  columns,
  terms,
  onChange,
}: {
  columns: readonly string[];
  terms: Terms;
  onChange: (terms: Terms) => void;
}) {
  const field = (part: keyof Terms, what: string, column: string, most: number) => (
    <TextField
      label={`${what} of ${column}`}
      labelHidden
      maxLength={most}
      placeholder={part === 'names' ? column : ''}
      value={Object.hasOwn(terms[part], column) ? (terms[part][column] ?? '') : ''}
      onChange={(text) => onChange({ ...terms, [part]: { ...terms[part], [column]: text } })}
    />
  );
  return (
    <DataTable
      label="Names and units of columns"
      close
      rows={columns}
      keyOf={(column) => column}
      columns={[
        { title: 'column', dir: 'auto', look: 'wrap-anywhere', cell: (column) => <HiddenText text={column} /> },
        { title: 'shown as', cell: (column) => field('names', 'Name', column, 200) },
        { title: 'unit', look: styles.unit, cell: (column) => field('units', 'Unit', column, 50) },
      ]}
    />
  );
}

/** Cases that are read for the names of their facts: not every case has every fact. */
const casesRead = 100;

/** Changes what people call the columns of a data set; what models read stays. */
export function ColumnNamesDialog({ entry, onClose }: { entry: DataFile; onClose: () => void }) {
  const api = useApi();
  const take = useTakeDataset();
  const { names = {}, units = {} } = entry.definition;
  const [terms, setTerms] = useState<Terms>({ names, units });
  const cases = useRead(['datasets', 'columns', entry.id], (api, given) =>
    api.dataFiles.cases({ entry: entry.id, limit: casesRead }, given),
  );
  const facts = (cases.data?.cases ?? []).flatMap((listed) => listed.facts.map(({ name }) => name));
  const columns = [...new Set([...facts, ...entry.definition.groups, ...Object.keys(names), ...Object.keys(units)])];
  const save = useMutation({
    mutationFn: (wanted: ColumnTerms) => api.dataFiles.nameColumns({ entry: entry.id, ...wanted }),
    onSuccess: (changed) => {
      take(changed);
      notify('The names of the columns were changed.', () =>
        api.dataFiles.nameColumns({ entry: entry.id, ...termsFor({ names, units }, columns) }).then(take),
      );
      onClose();
    },
  });
  return (
    <ModalDialog
      title="Names and units of columns"
      onClose={onClose}
      cancel="Cancel"
      actions={
        <Button look="primary" isDisabled={save.isPending} onPress={() => save.mutate(termsFor(terms, columns))}>
          Save
        </Button>
      }
    >
      <p className="quiet">
        Shown wherever facts are, also in experiments that exist. Models keep reading the columns’ own names, and no record
        changes.
      </p>
      <div>
        <Button
          size="small"
          onPress={() => {
            const suggested = suggestedFor(columns);
            setTerms({ names: { ...suggested.names, ...terms.names }, units: { ...suggested.units, ...terms.units } });
          }}
        >
          Fill in from the columns’ names
        </Button>
      </div>
      {cases.isPending ? <p>Reading the columns…</p> : <ColumnNames columns={columns} terms={terms} onChange={setTerms} />}
      <FailureNotice error={cases.error ?? save.error} />
    </ModalDialog>
  );
}
