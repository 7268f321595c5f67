import { useEffect, useRef } from 'react';
import { formulas, type Term, terms } from '../../shared/glossary.ts';
import { ModalDialog } from '../ui/ModalDialog.tsx';
import { Meaning } from '../ui/WordNote.tsx';
import styles from './Palette.module.css';

/** All words with what they mean, at one of them. */
export function Glossary({ at, onClose }: { at: Term | null; onClose: () => void }) {
  const asked = useRef<HTMLDivElement>(null);
  useEffect(() => {
    asked.current?.scrollIntoView({ block: 'start' });
    asked.current?.focus({ preventScroll: true });
  }, []);
  return (
    <ModalDialog title="Glossary" onClose={onClose} cancel="Close">
      <p className="quiet">{formulas}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <section className={styles.list} aria-label="Words" tabIndex={0}>
        <dl className="stack gap-8">
          {terms.map((term) => (
            <div
              key={term}
              ref={term === at ? asked : undefined}
              tabIndex={-1}
              className={`p-6-10 ${term === at ? styles.asked : ''}`}
            >
              <dt>
                <strong>{term}</strong>
              </dt>
              <dd>
                <Meaning term={term} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </ModalDialog>
  );
}
