import { useEffect, useState } from 'react';
import { useConnection, useSession } from '../api/ApiContext.tsx';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useEngineStatus } from './engineStatus.ts';
import styles from './Frame.module.css';

/** How long the notice of a mended connection stays. */
const mendedForMs = 8_000;

/** Says when the engine is away, and for a while that it is back and what went on. */
export function ConnectionNotice() {
  const { state, reason } = useConnection();
  const session = useSession();
  const status = useEngineStatus();
  const [wasAway, setWasAway] = useState(false);
  const incarnation = status?.incarnation ?? 1;

  useEffect(() => {
    if (state === 'lost' || state === 'closed') setWasAway(true);
    if (state !== 'ready' || !wasAway) return undefined;
    const timer = setTimeout(() => setWasAway(false), mendedForMs);
    return () => clearTimeout(timer);
  }, [state, wasAway]);

  if (state === 'ready' && !wasAway) return null;
  if (state === 'ready') {
    const resumed = status?.runs.filter((run) => run.resumed > 0 && run.state === 'running').length ?? 0;
    return (
      <div className={styles.notice}>
        <Notice tone="good">
          {incarnation > 1 ? 'The engine had ended and was started again. Nothing was lost' : 'The engine answers again'}
          {resumed === 0 ? '.' : `, and ${resumed === 1 ? 'the run goes' : `${resumed} runs go`} on.`}
        </Notice>
      </div>
    );
  }
  if (state === 'connecting' && !wasAway) return null;
  return (
    <div className={styles.notice}>
      <Notice tone={state === 'closed' ? 'bad' : 'warn'}>
        <span>
          {reason ?? 'Connecting to the engine.'} {state === 'closed' ? '' : 'What was answered so far is on the record.'}
        </span>
        <Button size="small" onPress={() => session.reconnect()}>
          Try now
        </Button>
      </Notice>
    </div>
  );
}
