import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import type { Ensemble, InstalledModel } from '../../../shared/api/models.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { byteSize } from '../../ui/quantity.ts';
import { notify } from '../../ui/Toasts.tsx';
import { experimentKey, useExperiments } from '../experiments/experimentQueries.ts';
import { ensemblesOf, sameModel } from './installed.ts';
import { modelsKey } from './runtimeQueries.ts';

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

interface Properties {
  readonly model: InstalledModel;
  readonly loaded: boolean;
  readonly ensembles: readonly Ensemble[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteDialog({ model: { name, size }, loaded, ensembles, onClose, onDeleted }: Properties) {
  const api = useApi();
  const queries = useQueryClient();
  const experiments = useExperimentsWith(name);
  const titles = ensemblesOf(ensembles, name);
  const remove = useMutation({
    mutationFn: () => api.models.delete({ model: name }),
    onSuccess: () => {
      notify(`${name} was deleted.`);
      onDeleted();
      void queries.invalidateQueries({ queryKey: modelsKey });
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
