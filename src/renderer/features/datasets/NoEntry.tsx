import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { routes } from '../../app/routes.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Unread } from '../../ui/Notice.tsx';

/** In place of an entry that the list of data sets does not have: that it is read, why it could not be, or that there is none. */
export const NoEntry = ({ datasets }: { datasets: Pick<UseQueryResult, 'error' | 'isError' | 'isFetching' | 'refetch'> }) =>
  datasets.isError || datasets.isFetching ? (
    <Unread of={datasets} words="Reading the data sets…" />
  ) : (
    <Empty title="This data set is not here" actions={<Link href={routes.datasets}>Go to the data sets</Link>}>
      It may have been removed, or the link is of another store.
    </Empty>
  );
