// What writes to the record. It does not work on a read-only record, nor while another program writes to it.
import type { ComponentProps, ReactNode } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import { Link } from 'wouter';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Screen } from '../ui/Screen.tsx';
import { useWritable, useWrittenElsewhere } from './engineStatus.ts';
import { routes } from './routes.ts';

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

/** The notice at the top of the screens that says why buttons and links are off. */
export const writtenElsewhereId = 'written-elsewhere';

/** A button that begins something that writes: off while another program writes to the record. */
export function WritingButton({ isDisabled = false, ...rest }: ComponentProps<typeof Button>) {
  const isTaken = useWrittenElsewhere();
  return <Button {...rest} isDisabled={isDisabled || isTaken} {...(isTaken ? { 'aria-describedby': writtenElsewhereId } : {})} />;
}

/** A link to such a screen. */
export function WritingLink(properties: { href: string; state?: unknown; children: string }) {
  return useWrittenElsewhere() ? (
    <AriaLink isDisabled aria-describedby={writtenElsewhereId} className="quiet">
      {properties.children}
    </AriaLink>
  ) : (
    <Link {...properties} />
  );
}
