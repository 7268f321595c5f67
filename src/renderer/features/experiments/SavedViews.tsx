import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { longestViewName, type SavedView } from '../../../shared/api/engine.ts';
import { toView } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormatMenu } from '../../ui/FormatMenu.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { NameDialog } from '../../ui/NameDialog.tsx';
import { useChangeList } from '../settings/useChangeSettings.ts';
import styles from './Experiment.module.css';

const acts = [
  { id: 'rename', label: 'Rename…', note: 'the view stays as it is' },
  { id: 'remove', label: 'Remove', note: 'no trial is touched' },
] as const;

/** Filters or searches under a user's names: settings, not record. @param experiment null: searches */
export function SavedViews({ experiment, state }: Pick<SavedView, 'experiment' | 'state'>) {
  const settings = useSettings().data;
  const change = useChangeList('views');
  const [named, setNamed] = useState<SavedView | null>(null);
  const own = settings?.views.filter((view) => view.experiment === experiment) ?? [];
  const current = own.find((view) => view.state === state);
  if (own.length === 0 && state === '') return null;
  const put = (before: SavedView | null, after: SavedView | null, words: string) => {
    const replaced = (from: SavedView | null, to: SavedView | null) => (views: readonly SavedView[]) => [
      ...views.filter((view) => view.experiment !== experiment || view.name !== from?.name),
      ...(to === null ? [] : [to]),
    ];
    change(replaced(before, after), replaced(after, before), words);
  };
  return (
    <div className="off-paper row flex-wrap gap-8">
      {own.length === 0 ? null : <span className="quiet">Saved views</span>}
      {own.map((view) => (
        <span key={view.name} className={`row ${styles.view}`}>
          <Link href={toView(view)} aria-current={view === current ? 'true' : undefined}>
            <HiddenText text={view.name} />
          </Link>
          <FormatMenu
            label={`View ${view.name}`}
            formats={acts}
            onSave={(act) => (act === 'rename' ? setNamed(view) : put(view, null, `The view “${view.name}” was removed.`))}
            button={<Button icon={Ellipsis} size="small" look="quiet" aria-label={`More about the view ${view.name}`} />}
          />
        </span>
      ))}
      {state === '' || current !== undefined ? null : (
        <Button size="small" onPress={() => setNamed({ experiment, name: '', state })}>
          Save this view…
        </Button>
      )}
      {named === null ? null : (
        <NameDialog
          title={named.name === '' ? 'Save this view' : 'Rename the view'}
          before={named.name}
          maxLength={longestViewName}
          description={
            experiment === null
              ? 'It opens this search, with its words and its experiment.'
              : 'It opens this list with its filters and its order.'
          }
          problemOf={(name) => {
            const isTaken = name !== named.name && own.some((view) => view.name === name);
            return isTaken ? 'Another of these views has this name.' : name === '' ? '' : null;
          }}
          onClose={() => setNamed(null)}
          onSave={(name) => {
            setNamed(null);
            if (name === named.name) return;
            const isNew = named.name === '';
            put(isNew ? null : named, { ...named, name }, isNew ? `The view “${name}” was saved.` : 'The view was renamed.');
          }}
        />
      )}
    </div>
  );
}
