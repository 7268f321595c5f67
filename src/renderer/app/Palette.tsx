import { useQuery } from '@tanstack/react-query';
import { Autocomplete, Input, Menu, MenuItem, SearchField, Text, useFilter } from 'react-aria-components';
import { useLocation } from 'wouter';
import { useApi } from '../api/ApiContext.tsx';
import { useListedExperiments } from '../features/experiments/listedExperiments.ts';
import { HiddenText } from '../ui/HiddenText.tsx';
import { KeyNames } from '../ui/KeyNames.tsx';
import { ModalDialog } from '../ui/ModalDialog.tsx';
import { FailureNotice } from '../ui/Notice.tsx';
import styles from './Palette.module.css';
import { toEntry } from './routes.ts';
import type { ActiveShortcut } from './shortcutKeys.ts';

interface Entry {
  readonly id: string;
  readonly name: string;
  /** What it is; absent for commands, which have keys instead. */
  readonly kind?: string;
  readonly keys?: readonly string[];
  readonly run: () => void;
}

/** One field for all that there is: the commands of this screen, screens, experiments and data sets. */
export default function Palette({ shortcuts, onClose }: { shortcuts: readonly ActiveShortcut[]; onClose: () => void }) {
  const api = useApi();
  const [, navigate] = useLocation();
  const { contains } = useFilter({ sensitivity: 'base' });
  const experiments = useListedExperiments();
  const datasets = useQuery({ queryKey: ['datasets', 'list'], queryFn: ({ signal }) => api.dataFiles.list({}, { signal }) });
  const entries: Entry[] = [
    ...shortcuts.map(({ keys, does, run }) => ({ id: `key ${keys.join(' ')}`, name: does, keys, run })),
    ...experiments.listed.map(({ name, title, to }) => ({
      id: `experiment ${name}`,
      name: title,
      kind: 'experiment',
      run: () => navigate(to),
    })),
    ...(datasets.data ?? []).map(({ id, name }) => ({
      id: `data set ${id}`,
      name,
      kind: 'data set',
      run: () => navigate(toEntry(id)),
    })),
  ];
  const isPending = experiments.isPending || datasets.isPending;
  const error = experiments.error ?? datasets.error;
  return (
    <ModalDialog title="Go to or run" isOpen onClose={onClose}>
      <FailureNotice error={error} />
      <Autocomplete filter={contains}>
        <SearchField autoFocus aria-label="Screen, experiment, data set or command">
          <Input className={`p-6-10 ${styles.field}`} placeholder="Screen, experiment, data set or command" />
        </SearchField>
        <Menu
          aria-label="Results"
          className={styles.list ?? ''}
          items={entries}
          renderEmptyState={() => <p className="muted p-6-10">{isPending ? 'Reading the lists…' : 'No match.'}</p>}
          onAction={(id) => {
            onClose();
            entries.find((entry) => entry.id === id)?.run();
          }}
        >
          {({ id, name, kind, keys }) => (
            <MenuItem id={id} textValue={name} className={`flex justify-between gap-12 p-6-10 ${styles.item}`}>
              <Text slot="label" dir="auto" className="min-w-0 wrap-anywhere">
                <HiddenText text={name} />
              </Text>
              {keys === undefined ? <span className="quiet">{kind}</span> : <KeyNames keys={keys} />}
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </ModalDialog>
  );
}
