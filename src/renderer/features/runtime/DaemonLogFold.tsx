import { useEffect, useRef, useState } from 'react';
import type { DaemonLog } from '../../../shared/api/daemon.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import styles from './Ollama.module.css';

/** Pixels from the end within which somebody still reads the newest lines. */
const nearEnd = 24;

/** The newest lines that our own Ollama wrote. Follows the end, unless somebody has scrolled up. */
export function DaemonLogFold({ log }: { log: DaemonLog }) {
  const [expanded, setExpanded] = useState(false);
  const lines = log.lines.length;
  return (
    <Fold
      isExpanded={expanded}
      onExpandedChange={setExpanded}
      title="What it wrote"
      aside={lines === 0 ? 'nothing yet' : `${lines === 1 ? 'the last line' : `the last ${quantity(lines, 'line')}`}`}
    >
      {lines === 0 ? (
        <p className="max-w-80ch muted">Lines appear here as it writes them.</p>
      ) : (
        <Lines log={log} shown={expanded} />
      )}
    </Fold>
  );
}

function Lines({ log: { lines, dropped }, shown }: { log: DaemonLog; shown: boolean }) {
  const frame = useRef<HTMLElement>(null);
  const following = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is new lines that move the end, and unfolding that shows it
  useEffect(() => {
    const element = frame.current;
    if (element !== null && following.current) element.scrollTop = element.scrollHeight;
  }, [lines, shown]);
  return (
    <div className={styles.log}>
      <section
        ref={frame}
        className={styles.lines}
        aria-label="Newest lines of Ollama"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          following.current = scrollHeight - clientHeight - scrollTop <= nearEnd;
        }}
      >
        {dropped === 0 ? null : <p className="max-w-80ch muted">{quantity(dropped, 'older line')} no longer kept.</p>}
        <pre>
          {lines.map(({ at, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines can be equal in all their parts
            <span key={index}>
              <time dateTime={at}>{at.slice(11, 19)}</time> <Isolated text={text} />
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
      <CopyButton text={lines.map(({ at, text }) => `${at} ${text}`).join('\n')}>Copy all lines</CopyButton>
    </div>
  );
}
