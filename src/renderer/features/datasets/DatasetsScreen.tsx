import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone } from 'react-aria-components';
import { Link } from 'wouter';
import type { Settings } from '../../../shared/api/engine.ts';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { forExperiment, routes } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { preferredBackend } from '../protocols/backends.ts';
import { useFound } from '../protocols/useBackends.ts';
import { useChangeSettings } from '../settings/useChangeSettings.ts';
import { DatasetCard } from './DatasetCard.tsx';
import styles from './Datasets.module.css';
import { useDatasets } from './datasetQueries.ts';
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
              What was tried is in its <Link href={routes.experiments}>experiments</Link>: each trial has the facts of its case.
              To try other cases, go back to your own record.
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
  const { why } = preferredBackend(found.reports, found.servers);
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
