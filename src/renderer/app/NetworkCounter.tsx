import { ShieldCheck, TriangleAlert } from 'lucide-react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { useEngineStatus } from './engineStatus.ts';
import styles from './NetworkCounter.module.css';

const total = (connections: EngineStatus['connections']) => connections.reduce((sum, { count }) => sum + count, 0);

/** How many connections left the machine, in view of every screen; by host at a press. */
export function NetworkCounter() {
  const status = useEngineStatus();
  if (status === null) return null;
  const outside = status.connections.filter(({ loopback }) => !loopback);
  const left = total(outside);
  return (
    <DialogTrigger>
      <Button
        className={`${styles.counter} ${left === 0 ? '' : styles.left}`}
        aria-label={`${left} outside: connections that left this machine`}
      >
        {left === 0 ? <ShieldCheck size={18} aria-hidden="true" /> : <TriangleAlert size={18} aria-hidden="true" />}
        <span>{left} outside</span>
      </Button>
      <Popover className={`card ${styles.popover}`} placement="right bottom">
        <Dialog className={`stack gap-10 ${styles.dialog}`} aria-label="Connections of the engine">
          <h2>What the engine connected to</h2>
          {status.connections.length === 0 ? (
            <p>Nothing, since it started.</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">host</th>
                  <th scope="col">connections</th>
                </tr>
              </thead>
              <tbody>
                {status.connections.map(({ host, count, loopback }) => (
                  <tr key={host}>
                    <td>
                      {host} {loopback ? '(this machine)' : '(another machine)'}
                    </td>
                    <td>{count}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <p>
            Refused: {status.refused}. Every connection goes through one place, which lets nothing pass but this machine and the
            hosts that the settings name.
          </p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
