import { useMutation, useQueries } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { Ensemble, InstalledModel, LoadedModel } from '../../../shared/api/models.ts';
import { useApi, useReread } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { dayText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { useFirst } from '../../ui/useFirst.tsx';
import { experimentKey, useExperiments } from '../experiments/experimentQueries.ts';
import { useHeirs } from './focus.ts';
import { type Column, ensemblesOf, type Order, pressed, sameModel, searched, sorted } from './installed.ts';
import styles from './Models.module.css';
import { shortDigest } from './PullList.tsx';
import { modelsKey } from './runtimeQueries.ts';

/** Least models for which searching helps, and rows shown before the user asks for all. */
const manyModels = 10;
const fewRows = 25;

const headings: Readonly<Record<Column, string>> = {
  name: 'Name',
  size: 'Size',
  context: 'Longest context',
  modified: 'Modified',
};

interface Properties {
  readonly installed: readonly InstalledModel[];
  readonly loaded: readonly LoadedModel[];
  readonly ensembles: readonly Ensemble[];
}

export function InstalledSection({ installed, loaded, ensembles }: Properties) {
  const [order, setOrder] = useState<Order>({ column: 'name', direction: 'ascending' });
  const [search, setSearch] = useState('');
  const [deleting, setDeleting] = useState<InstalledModel | null>(null);
  const names = installed.map(({ name }) => name);
  const heirs = useHeirs(names);
  const found = sorted(searched(installed, search), order);
  const { shown, more } = useFirst(found, fewRows, 'model');
  const head = (column: Column) => ({
    id: headings[column],
    sort: order.column === column ? order.direction : undefined,
    title: (
      <Button
        look="quiet"
        size="small"
        icon={order.column !== column ? null : order.direction === 'ascending' ? ArrowUp : ArrowDown}
        onPress={() => setOrder(pressed(order, column))}
      >
        {headings[column]}
      </Button>
    ),
  });
  const total = installed.reduce((sum, { size }) => sum + (size ?? 0), 0);

  return (
    <Section title="Installed models" lead={`${quantity(installed.length, 'model')}, ${byteSize(total)} on disk.`}>
      <p ref={heirs.fallback} tabIndex={-1} className="visually-hidden">
        {installed.length === 0 ? 'No model is installed.' : `${quantity(shown.length, 'model')} shown.`}
      </p>
      {installed.length === 0 ? (
        <Empty title="No model yet">
          Name one above. A model of 7 to 9 billion parameters takes about 5 GB and runs on most machines.
        </Empty>
      ) : (
        <>
          {installed.length < manyModels ? null : (
            <TextField
              label="Search the models"
              type="search"
              value={search}
              onChange={setSearch}
              placeholder="name, family, size…"
            />
          )}
          {shown.length === 0 ? (
            <p className="muted">No model has all of these words.</p>
          ) : (
            <DataTable
              label="Models on disk"
              rows={shown}
              keyOf={({ name }) => name}
              columns={[
                { ...head('name'), look: styles.about, cell: (model) => <About model={model} /> },
                { ...head('size'), number: ({ size }) => (size === null ? 'unknown' : byteSize(size)) },
                { ...head('context'), number: ({ context }) => context?.toLocaleString('en-GB') ?? 'unknown' },
                { ...head('modified'), number: ({ modified_at: at }) => (at === null ? 'unknown' : dayText(at)) },
                {
                  id: 'Delete',
                  title: <span className="visually-hidden">Delete</span>,
                  cell: (model) => (
                    <Button
                      ref={heirs.refOf(model.name)}
                      icon={Trash2}
                      look="quiet"
                      size="small"
                      onPress={() => {
                        const left = shown.map(({ name }) => name);
                        heirs.goes(model.name, left);
                        setDeleting(model);
                      }}
                      aria-label={`Delete ${model.name}`}
                    />
                  ),
                },
              ]}
            />
          )}
          {more}
        </>
      )}
      {deleting === null ? null : (
        <DeleteDialog
          model={deleting}
          loaded={loaded.some(({ name }) => name === deleting.name)}
          ensembles={ensembles}
          onClose={() => setDeleting(null)}
          onDeleted={() => setDeleting(null)}
        />
      )}
    </Section>
  );
}

function About({ model: { name, digest, family, parameters, quantization, capabilities, refused } }: { model: InstalledModel }) {
  const kind = [family, parameters === null ? null : `${parameters} parameters`, quantization].filter((part) => part !== null);
  return (
    <div className="stack gap-2 font-400">
      <Outside className="mono-13 wrap-anywhere" text={name} />
      {kind.length === 0 ? null : <Outside className="quiet" text={kind.join(' · ')} />}
      <span className="row gap-6-8">
        {capabilities.map((capability) => (
          <Pill key={capability}>
            <HiddenText text={capability} />
          </Pill>
        ))}
        {digest === null ? null : (
          <>
            <code className="muted mono-12-5">{shortDigest(digest)}</code>
            <CopyButton text={digest} name={`Copy the digest of ${name}`}>
              Copy
            </CopyButton>
          </>
        )}
      </span>
      {refused === null ? null : (
        <span className="text-bad">
          <strong>Refused.</strong> <HiddenText text={capitalized(refused)} />
        </span>
      )}
    </div>
  );
}

/** How many unfinished experiments are checked; for older ones the run itself says so. */
const mostExperiments = 20;

function useExperimentsWith(model: string): { names: readonly string[]; isPending: boolean } {
  const api = useApi();
  const experiments = useExperiments();
  const open = (experiments.data ?? []).filter(({ planned, done }) => done < planned).slice(0, mostExperiments);
  const views = useQueries({
    queries: open.map(({ name }) => ({
      queryKey: experimentKey(name),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.experiments.read({ experiment: name }, { signal }),
    })),
  });
  const names = views.flatMap(({ data }) =>
    data?.arms.some(({ models }) => Object.values(models).some((each) => sameModel(each, model))) ? [data.summary.name] : [],
  );
  return { names, isPending: experiments.isPending || views.some(({ isPending }) => isPending) };
}

interface DialogProperties {
  readonly model: InstalledModel;
  readonly loaded: boolean;
  readonly ensembles: readonly Ensemble[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ model: { name, size }, loaded, ensembles, onClose, onDeleted }: DialogProperties) {
  const api = useApi();
  const reread = useReread();
  const experiments = useExperimentsWith(name);
  const titles = ensemblesOf(ensembles, name);
  const remove = useMutation({
    mutationFn: () => api.models.delete({ model: name }),
    onSuccess: () => {
      notify(`${name} was deleted.`);
      onDeleted();
      void reread(modelsKey);
    },
  });
  const uses = [
    ...experiments.names.map((experiment) => ({ what: 'An experiment that is not finished', which: experiment })),
    ...titles.map((title) => ({ what: 'The ensemble', which: title })),
  ];
  return (
    <ModalDialog
      title="Delete this model?"
      onClose={onClose}
      cancel="Keep it"
      actions={
        <Button look="danger" onPress={() => remove.mutate()} isDisabled={remove.isPending}>
          {remove.isPending ? 'Deleting…' : 'Delete it'}
        </Button>
      }
    >
      <Outside as="p" className="mono-13 wrap-anywhere" text={name} />
      <p>
        It is taken off the server’s disk, for every program that uses this server. There is no undo: to have it again, it must be
        fetched again{size === null ? '' : `: ${byteSize(size)}`}. Records of trials stay as they are.
      </p>
      {loaded ? <p>It is in memory now and is unloaded first.</p> : null}
      {experiments.isPending ? <p className="max-w-80ch muted wrap-anywhere">Looking for what uses it…</p> : null}
      {uses.length === 0 ? null : (
        <div>
          <p>What else uses it:</p>
          <ul className="bullets wrap-anywhere">
            {uses.map(({ what, which }) => (
              <li key={`${what} ${which}`}>
                {what}: <Isolated text={which} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <FailureNotice error={remove.error} />
    </ModalDialog>
  );
}
