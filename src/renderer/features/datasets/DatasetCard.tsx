import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useWritable } from '../../app/engineStatus.ts';
import { toEntry, toExperiment, toNewExperiment } from '../../app/routes.ts';
import { WritingLink } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated, Listed, Outside, OutsideLink } from '../../ui/HiddenText.tsx';
import { NameDialog } from '../../ui/NameDialog.tsx';
import { quantity } from '../../ui/quantity.ts';
import { notify } from '../../ui/Toasts.tsx';
import styles from './Datasets.module.css';
import { useLabelCounts, useRemoveEntry, useTakeDataset } from './datasetQueries.ts';
import { kindText } from './definition.ts';
import { TrialButton } from './TrialButton.tsx';

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

/** One data set of the list of data sets: what is decided, over how many cases, and the way to a trial. */
export function DatasetCard({ entry }: { entry: DataFile }) {
  const [renaming, setRenaming] = useState(false);
  const remove = useRemoveEntry();
  const isWritable = useWritable();
  return (
    <article className={`card ${styles.card}`} aria-label={entry.name}>
      <div className="stack gap-8 content-start min-w-0">
        <div className={`row-baseline gap-4-16 ${styles.name}`}>
          <h2 className="title-18 wrap-anywhere">
            <OutsideLink to={toEntry(entry.id)} text={entry.name} />
          </h2>
        </div>
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
