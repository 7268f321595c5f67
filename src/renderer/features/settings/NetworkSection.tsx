import { useEngineStatus } from '../../app/engineStatus.ts';
import { Section } from '../../ui/Section.tsx';
import styles from './Settings.module.css';

/** What the engine connected to since it started. */
export function NetworkSection() {
  const status = useEngineStatus();
  return (
    <Section title="Network" lead="Every connection of the engine since it started.">
      {status === null ? (
        <p className={styles.quiet}>Unknown while there is no connection to the engine.</p>
      ) : (
        <>
          {status.connections.length === 0 ? (
            <p>None.</p>
          ) : (
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">host</th>
                  <th scope="col">where</th>
                  <th scope="col">connections</th>
                </tr>
              </thead>
              <tbody>
                {status.connections.map(({ host, count, loopback }) => (
                  <tr key={host}>
                    <th scope="row">{host}</th>
                    <td>{loopback ? 'this machine' : <strong className={styles.outside}>another machine</strong>}</td>
                    <td>{count.toLocaleString('en-GB')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <p className={styles.quiet}>Refused: {status.refused.toLocaleString('en-GB')}</p>
        </>
      )}
    </Section>
  );
}
