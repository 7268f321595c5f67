import { Link } from 'wouter';
import { routes, toEntry } from '../../app/routes.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Unread } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useDatasets } from '../datasets/datasetQueries.ts';
import { casesOf } from '../datasets/definition.ts';
import { firstProtocol } from '../protocols/acceptance.ts';
import { useFound } from '../protocols/useBackends.ts';
import { DraftPart } from './DraftPart.tsx';

/** Designs an experiment over a data set of the list of data sets, with its cost and its prompts in view before anything is asked. */
export default function NewExperimentScreen({ entry: id, isExtension }: { entry: string; isExtension: boolean }) {
  const datasets = useDatasets();
  const found = useFound();
  const entry = datasets.data?.find((candidate) => candidate.id === id);
  const crumbs = [
    { label: 'Data sets', to: routes.datasets },
    ...(entry === undefined ? [] : [{ label: entry.name, to: toEntry(entry.id) }]),
  ];
  if (entry !== undefined && !found.isPending) {
    const protocol = firstProtocol(casesOf(entry));
    if (protocol !== null)
      return <DraftPart entry={entry} found={found} protocol={protocol} crumbs={crumbs} isExtension={isExtension} />;
    return (
      <Screen crumbs={crumbs} title="New experiment" subtitle={entry.definition.question}>
        <Empty title="No protocol tries such cases yet" actions={<Link href={toEntry(entry.id)}>See the cases</Link>}>
          The protocols of this version give each case one label, and these cases can have several.
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen crumbs={crumbs} title="New experiment">
      {datasets.isSuccess && !datasets.isFetching && entry === undefined ? (
        <Empty title="This data set is not here" actions={<Link href={routes.datasets}>Go to the data sets</Link>}>
          It may have been removed, or the link is of another store.
        </Empty>
      ) : (
        <Unread of={datasets} words="Reading the data sets and looking for models…" />
      )}
    </Screen>
  );
}
