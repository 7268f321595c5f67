import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, Disclosure, DisclosurePanel, type DisclosureProps, Heading } from 'react-aria-components';
import styles from './Fold.module.css';

interface Properties extends Omit<DisclosureProps, 'className' | 'style' | 'children' | 'render'> {
  readonly title: ReactNode;
  /** Words next to the title in lighter letters, folded or not. */
  readonly aside?: ReactNode;
  readonly level?: 2 | 3 | 4;
  /** Something within is wrong, which shows it, also once it is right again. */
  readonly isFaulty?: boolean;
  readonly children: ReactNode;
}

/** A part that is folded away until it is asked for. */
export function Fold({ title, aside, level = 3, isFaulty = false, defaultExpanded = false, children, ...rest }: Properties) {
  const [isOpen, setIsOpen] = useState(defaultExpanded);
  if (isFaulty && !isOpen) setIsOpen(true);
  return (
    <Disclosure isExpanded={isOpen} onExpandedChange={setIsOpen} {...rest} className={`min-w-0 ${styles.fold}`}>
      <Heading level={level} className={styles.heading ?? ''}>
        <Button slot="trigger" className={`bare items-center gap-6 font-550 ${styles.trigger}`}>
          <ChevronRight size={15} aria-hidden="true" className={`no-shrink muted ${styles.sign}`} />
          <span>
            {title} {aside === undefined ? null : <span className="muted font-400">{aside}</span>}
          </span>
        </Button>
      </Heading>
      <DisclosurePanel className={styles.panel ?? ''}>{children}</DisclosurePanel>
    </Disclosure>
  );
}
