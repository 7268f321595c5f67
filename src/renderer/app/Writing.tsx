// Screens whose work goes into the record. They do not work on a read-only record.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Empty } from '../ui/Empty.tsx';
import { Screen } from '../ui/Screen.tsx';
import { useWritable } from './engineStatus.ts';
import { routes } from './routes.ts';

/** Something that writes to the record, or a sentence in its place. */
export function Writing({ title, children }: { title: string; children: ReactNode }) {
  if (useWritable()) return children;
  return (
    <Screen title={title}>
      <Empty title="This record can only be read" actions={<Link href={routes.experiments}>To the experiments</Link>}>
        New trials, imports and reviews would be written to the record. Open a record of your own for them.
      </Empty>
    </Screen>
  );
}
