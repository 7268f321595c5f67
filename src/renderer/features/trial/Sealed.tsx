import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import { Fold } from '../../ui/Fold.tsx';
import { type FoundPlace, Speech } from './Speech.tsx';
import styles from './Transcript.module.css';

/** What the reader folded and unfolded by hand, by name: rows that leave the view are not kept in the page. */
export type FoldMemory = Map<string, { readonly open: boolean; readonly within: boolean }>;

/** A text that no other role got to read: folded until it is asked for. */
export function Sealed({
  title,
  aside,
  text,
  allOpen,
  found,
  name,
  memory,
}: {
  name: string;
  memory: FoldMemory;
  title: string;
  aside: string;
  text: string | null;
  /** All such texts are to be open. */
  allOpen: boolean;
  found: readonly FoundPlace[];
}) {
  // What the reader does to this one holds until all are opened or folded again.
  const [own, setOwn] = useState(() => memory.get(name) ?? { open: allOpen, within: allOpen });
  const open = own.within === allOpen ? own.open : allOpen;
  return (
    <Fold
      level={4}
      title={
        <span className={styles.sealedTitle}>
          <LockKeyhole size={13} aria-hidden="true" /> {title}
        </span>
      }
      aside={aside}
      isExpanded={open || found.some(({ here }) => here)}
      onExpandedChange={(expanded) => {
        const next = { open: expanded, within: allOpen };
        memory.set(name, next);
        setOwn(next);
      }}
    >
      <div className={styles.sealed}>
        <Speech text={text} look="private" found={found} />
      </div>
    </Fold>
  );
}
