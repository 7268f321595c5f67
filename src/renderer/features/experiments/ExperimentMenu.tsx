import { useMutation } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ShownExperiment } from '../../../shared/api/engine.ts';
import type { ExperimentSummary } from '../../../shared/api/experiments.ts';
import { longestName } from '../../../shared/experiment.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useWritable, useWrittenElsewhere } from '../../app/engineStatus.ts';
import { useSettings } from '../../app/theme.tsx';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormatMenu, type SavedFormat } from '../../ui/FormatMenu.tsx';
import { NameDialog } from '../../ui/NameDialog.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { draftOf, openForm } from '../newExperiment/draftOf.ts';
import { useChangeList } from '../settings/useChangeSettings.ts';
import { shownAs, withShown } from './shownExperiments.ts';
import { VaryDialog } from './VaryDialog.tsx';

/** Why an experiment whose data set is not in the list cannot be made into a form, and what to do instead. */
const unlistedText = (file: string, extend: boolean) =>
  `This form needs a data set of the list, and this experiment was made from none of them. ${
    extend
      ? 'To add to it, save its file with Export, Experiment file. Write a larger “n” under “sample”, or more “arms”, into it. Then run it on the command line, on the same store: assize run EXPERIMENT.json. The cases are in the record; trials that have ended stay.'
      : `Import “${file}” on the screen Data sets, and make a new experiment of it.`
  }`;

type Act = 'title' | 'extend' | 'duplicate' | 'vary' | 'archive' | 'remove' | 'list';

const titled: SavedFormat<Act> = { id: 'title', label: 'Change the title…', note: 'the name on the record stays' };
const copied: readonly SavedFormat<Act>[] = [
  { id: 'extend', label: 'Extend…', note: 'more cases, replicates or arms' },
  { id: 'duplicate', label: 'Duplicate…', note: 'a new experiment with the same settings' },
];
const changed: SavedFormat<Act> = { id: 'vary', label: 'Try with changes…', note: 'without a fact, an attribute, other seeds' };
const places: Readonly<Record<ShownExperiment['place'], SavedFormat<Act>>> = {
  archived: { id: 'archive', label: 'Archive', note: 'out of the usual list' },
  removed: { id: 'remove', label: 'Remove from the list', note: 'its record is kept' },
  listed: { id: 'list', label: 'Put back into the list', note: 'among all others' },
};
const done: Readonly<Record<ShownExperiment['place'], string>> = {
  archived: 'was archived',
  removed: 'was removed from the list. Its record is kept',
  listed: 'is in the list again',
};

interface Properties {
  readonly summary: ExperimentSummary;
  readonly isRunning: boolean;
  /** Whether there is room for a button next to the menu. */
  readonly isWide?: boolean;
}

export function ExperimentMenu(properties: Properties) {
  const settings = useSettings().data;
  return settings === undefined ? null : <Opened {...properties} settings={settings} />;
}

function Opened({
  summary: { name: experiment, single, retrial, imported, erased },
  isRunning,
  isWide = false,
  settings,
}: Properties & { settings: NonNullable<ReturnType<typeof useSettings>['data']> }) {
  const isWritable = useWritable();
  const isFree = !useWrittenElsewhere();
  const canGrow = isWritable && !single && !imported && erased === null && !isRunning;
  // An experiment with one case tried again belongs to another experiment, and a case described in words to no data set.
  const copies =
    !isWritable || !isFree || single || retrial || imported
      ? []
      : copied.filter(({ id }) => (canGrow && !isWide) || id !== 'extend');
  const api = useApi();
  const location = useLocation();
  const [isTitled, setIsTitled] = useState(false);
  const [isVaried, setIsVaried] = useState(false);
  const change = useChangeList('experiments');
  const shown = shownAs(settings.experiments, experiment);
  const show = (changed: ShownExperiment, words: string) =>
    change(
      (now) => withShown(now, changed),
      (now) => withShown(now, shown),
      words,
    );
  const put = (place: ShownExperiment['place']) => show({ ...shown, place }, `“${shown.title || experiment}” ${done[place]}.`);
  const copy = useMutation({
    mutationFn: async (extend: boolean) => {
      const [{ definition, summary }, entries] = await Promise.all([
        api.experiments.read({ experiment }),
        api.dataFiles.list({}),
      ]);
      const entry = entries.find(({ experiments }) => experiments.includes(experiment));
      if (entry === undefined) {
        notify(unlistedText(definition.dataset.path, extend), null, true);
        return;
      }
      const made = draftOf(definition, { extend, hasResults: summary.done > 0, makeKey: () => crypto.randomUUID() });
      openForm(entry.id, extend, made, location);
    },
    onError: (error) => notify(failureOf(error).message),
  });
  const act = (chosen: Act) => {
    if (chosen === 'title') setIsTitled(true);
    else if (chosen === 'vary') setIsVaried(true);
    else if (chosen === 'extend' || chosen === 'duplicate') copy.mutate(chosen === 'extend');
    else put(chosen === 'archive' ? 'archived' : chosen === 'remove' ? 'removed' : 'listed');
  };
  const kept = (format: SavedFormat<Act>): SavedFormat<Act> =>
    isWritable ? format : { ...format, note: 'this record is only read: make a copy first', isDisabled: true };
  const moves = (['archived', 'removed', 'listed'] as const).filter((place) => place !== shown.place);
  return (
    <>
      {isWide && canGrow && !retrial ? (
        <WritingButton size="small" isDisabled={copy.isPending} onPress={() => copy.mutate(true)}>
          Add cases or arms…
        </WritingButton>
      ) : null}
      <FormatMenu
        label={`Experiment ${experiment}`}
        formats={[kept(titled), ...copies, ...(canGrow && isFree ? [changed] : []), ...moves.map((place) => kept(places[place]))]}
        onSave={act}
        button={
          <Button
            icon={Ellipsis}
            size="small"
            look="quiet"
            isDisabled={copy.isPending}
            aria-label={`More about ${shown.title || experiment}`}
          />
        }
      />
      {isVaried ? <VaryDialog tried={{ experiment, of: null }} onClose={() => setIsVaried(false)} /> : null}
      {isTitled ? (
        <NameDialog
          title="Title of the experiment"
          label="Title"
          description={`Screens show it. The record, reports and exports keep the name ${experiment}. Empty: the name.`}
          before={shown.title || experiment}
          maxLength={longestName}
          onClose={() => setIsTitled(false)}
          onSave={(written) => {
            const title = written === experiment ? '' : written;
            setIsTitled(false);
            show({ ...shown, title }, title === '' ? 'The experiment is shown by its name.' : 'The title was changed.');
          }}
        />
      ) : null}
    </>
  );
}
