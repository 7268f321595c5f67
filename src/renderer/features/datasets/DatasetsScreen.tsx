import { useMutation } from '@tanstack/react-query';
import { FileUp, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { DropZone } from 'react-aria-components';
import { Link } from 'wouter';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import type { Settings } from '../../../shared/api/engine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { forExperiment, routes, toEntry, toExperiment, toNewExperiment } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { WritingButton, WritingLink } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Isolated, Listed, Outside, OutsideLink } from '../../ui/HiddenText.tsx';
import { NameDialog } from '../../ui/NameDialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { preferredBackend } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import { useChangeSettings } from '../settings/useChangeSettings.ts';
import styles from './Datasets.module.css';
import { useDatasets, useLabelCounts, useRemoveEntry, useTakeDataset } from './datasetQueries.ts';
import { kindText } from './definition.ts';
import { TrialButton } from './TrialButton.tsx';
import { useImportFile } from './useImportFile.ts';

/** The data sets whose cases can be put on trial. A file dropped anywhere on the screen is imported. */
export default function DatasetsScreen() {
  const datasets = useDatasets();
  const settings = useSettings().data;
  const file = useImportFile();
  const isWritable = useWritable();
  const isElsewhere = useEngineStatus()?.elsewhere != null;
  // Of the visit in which the screen was opened.
  const [isChoice] = useState(() => history.state === forExperiment);
  const entries = datasets.data ?? [];
  const [own, samples] = [entries.filter(({ bundled }) => !bundled), entries.filter(({ bundled }) => bundled)];
  return (
    <Screen
      title="Data sets"
      subtitle="Data sets whose cases can be put on trial"
      pills={datasets.data === undefined ? undefined : <Pill>{quantity(entries.length, 'data set')}</Pill>}
      actions={
        isWritable ? (
          <WritingButton icon={FileUp} look="primary" onPress={file.choose} isDisabled={file.taking}>
            {file.taking ? 'Taking the file…' : 'Import a file'}
          </WritingButton>
        ) : undefined
      }
    >
      <DropZone
        className={styles.drop ?? ''}
        aria-label="Drop a data file"
        isDisabled={!isWritable}
        onDrop={(event) => void file.drop(event)}
      >
        <div className={`stack gap-14 ${styles.list}`}>
          <FailureNotice error={file.error} />
          <FailureNotice error={datasets.error} onRetry={datasets.refetch} />
          {datasets.isPending ? <p className={`quiet max-w-80ch wrap-anywhere ${styles.note}`}>Reading the data sets…</p> : null}
          {isChoice ? (
            <Notice>Choose the cases for the new experiment: press “Design an experiment” at a data set.</Notice>
          ) : null}
          {settings === undefined || !isWritable ? null : <DemoReason settings={settings} />}
          {own.map((entry) => (
            <DatasetCard key={entry.id} entry={entry} />
          ))}
          {datasets.isSuccess && isWritable ? (
            <div className={`row justify-between ${styles.invite}`}>
              <p className="muted">
                <strong>{own.length === 0 ? 'Your own cases go here.' : 'More cases?'}</strong> Drop a CSV, TSV, JSON Lines,
                Parquet or Excel file anywhere on this screen. It stays on this machine.
              </p>
              <WritingButton size="small" onPress={file.choose} isDisabled={file.taking}>
                Choose a file
              </WritingButton>
            </div>
          ) : null}
          {datasets.isSuccess && entries.length === 0 && isElsewhere ? (
            <Empty title="No data sets come with this record">
              What was tried is in its <Link href={routes.experiments}>experiments</Link>. To try other cases, go back to your own
              record.
            </Empty>
          ) : null}
          {samples.length === 0 ? null : <h2 className="pt-8 title-18">Samples that come with the program</h2>}
          {samples.map((entry) => (
            <DatasetCard key={entry.id} entry={entry} />
          ))}
        </div>
      </DropZone>
    </Screen>
  );
}

/** Says once for all entries why no model would answer and where to fix that; not to people who continue without one. */
function DemoReason({ settings }: { settings: Settings }) {
  const found = useFound();
  const change = useChangeSettings(settings);
  const again = (
    <Button size="small" onPress={found.refetch} isDisabled={found.isFetching}>
      {found.isFetching ? 'Checking…' : 'Look again'}
    </Button>
  );
  if (found.error !== null) return <FailureNotice error={found.error}>{again}</FailureNotice>;
  if (found.isPending) return null;
  const { why } = preferredBackend(found);
  if (why === null || settings.standinOnly) return null;
  return (
    <Notice tone="warn">
      <span className={styles.reason}>
        <strong>No model was found, so the DEMO MODEL plays the trials.</strong> {why}
      </span>
      {again}
      <Link href={routes.models}>Set up Ollama</Link>
      <Button
        look="quiet"
        size="small"
        isDisabled={change.isPending}
        onPress={() =>
          change.mutate({
            change: { standinOnly: true },
            done: 'This notice stays away. The demo model still says that it is one.',
          })
        }
      >
        Dismiss
      </Button>
      <FailureNotice error={change.error} />
    </Notice>
  );
}

const fewExperiments = 4;
const fewLabels = 6;

function Labels({ entry }: { entry: DataFile }) {
  const counts = useLabelCounts(entry).data;
  if (entry.labels.length === 0) return <span>no labels: open questions</span>;
  const listed = counts ?? entry.labels.map((label) => ({ label, cases: null }));
  const shown = listed.slice(0, fewLabels);
  return (
    <ul className={`flex flex-wrap min-w-0 gap-6-8 ${styles.labels}`} aria-label="Labels">
      {shown.map(({ label, cases }) => (
        <li key={label ?? 'unknown'}>
          <Isolated text={label ?? 'truth unknown'} />
          {cases === null ? null : <span className="font-600">{cases.toLocaleString('en-GB')}</span>}
        </li>
      ))}
      {listed.length > shown.length ? <li>and {listed.length - shown.length} more</li> : null}
    </ul>
  );
}

function Experiments({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="wrap-anywhere">
      {quantity(names.length, 'experiment')}:{' '}
      <Listed of={names.slice(0, fewExperiments)}>{(name) => <OutsideLink to={toExperiment(name)} text={name} />}</Listed>
      {names.length > fewExperiments ? ` and ${names.length - fewExperiments} more` : ''}
    </p>
  );
}

function DatasetCard({ entry }: { entry: DataFile }) {
  const [renaming, setRenaming] = useState(false);
  const remove = useRemoveEntry();
  const isWritable = useWritable();
  return (
    <article className={`card ${styles.card}`} aria-label={entry.name}>
      <div className="stack gap-8 content-start min-w-0">
        <h2 className="title-18 wrap-anywhere">
          <OutsideLink to={toEntry(entry.id)} text={entry.name} />
        </h2>
        <Outside as="p" className={styles.question} text={entry.definition.question ?? 'Each case has its own question.'} />
        <div className="row gap-6-14">
          <span>{quantity(entry.cases, 'case')}</span>
          <span>{kindText[entry.definition.kind].label.toLowerCase()}</span>
          <Labels entry={entry} />
        </div>
        {entry.source === null ? null : (
          <p className={`quiet max-w-80ch wrap-anywhere ${styles.note}`} dir="auto">
            {entry.source}
          </p>
        )}
        <Experiments names={entry.experiments} />
      </div>
      <div className="stack gap-12 content-start min-w-0">
        <TrialButton entry={entry} />
        <div className="flex flex-wrap gap-4-16">
          {isWritable ? <WritingLink href={toNewExperiment(entry.id)}>Design an experiment</WritingLink> : null}
          <Link href={toEntry(entry.id)}>See the cases</Link>
        </div>
        {entry.bundled || !isWritable ? null : (
          <div className={`flex flex-wrap gap-2 ${styles.small}`}>
            <Button icon={Pencil} look="quiet" size="small" onPress={() => setRenaming(true)} aria-label={`Rename ${entry.name}`}>
              Rename
            </Button>
            <Button
              icon={Trash2}
              look="quiet"
              size="small"
              onPress={() => void remove(entry)}
              aria-label={`Remove ${entry.name}`}
            >
              Remove
            </Button>
          </div>
        )}
      </div>
      {renaming ? <RenameDialog entry={entry} onClose={() => setRenaming(false)} /> : null}
    </article>
  );
}

function RenameDialog({ entry, onClose }: { entry: DataFile; onClose: () => void }) {
  const api = useApi();
  const take = useTakeDataset();
  const rename = useMutation({
    mutationFn: (wanted: string) => api.dataFiles.rename({ entry: entry.id, name: wanted }),
    onSuccess: (renamed) => {
      take(renamed);
      notify(`Renamed to “${renamed.name}”.`, () => api.dataFiles.rename({ entry: entry.id, name: entry.name }).then(take));
      onClose();
    },
  });
  return (
    <NameDialog
      title="Rename the data set"
      description="Experiments on record keep the name under which they were made."
      before={entry.name}
      maxLength={200}
      problemOf={(name) => (name === '' ? 'A name has 1 to 200 characters.' : null)}
      failure={rename.isError ? failureOf(rename.error).message : null}
      save="Rename"
      isBusy={rename.isPending}
      onSave={(name) => (name === entry.name ? onClose() : rename.mutate(name))}
      onClose={onClose}
    />
  );
}
