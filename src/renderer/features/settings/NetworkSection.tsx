import { useEngineStatus } from '../../app/engineStatus.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Settings.module.css';

/** What the engine connected to since it started. */
export function NetworkSection() {
  const status = useEngineStatus();
  return (
    <Section title="Network" lead="Every connection of the engine since it started.">
      {status === null ? (
        <p className="muted">Unknown while there is no connection to the engine.</p>
      ) : (
        <>
          {status.connections.length === 0 ? (
            <p>None.</p>
          ) : (
            <DataTable
              look={styles.hosts}
              close
              rows={status.connections}
              keyOf={({ host }) => host}
              columns={[
                { title: 'host', cell: ({ host }) => host },
                {
                  title: 'where',
                  cell: ({ loopback }) => (loopback ? 'this machine' : <strong className="text-warn">another machine</strong>),
                },
                { title: 'connections', cell: ({ count }) => count.toLocaleString('en-GB') },
              ]}
            />
          )}
          <p className="muted">Refused: {status.refused.toLocaleString('en-GB')}</p>
        </>
      )}
    </Section>
  );
}
