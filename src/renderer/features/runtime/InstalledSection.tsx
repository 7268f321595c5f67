import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { Ensemble, InstalledModel, LoadedModel } from '../../../shared/api/models.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { HiddenText, Outside } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { useHeirs } from './focus.ts';
import styles from './Installed.module.css';
import { type Column, columns, type Order, pressed, searched, sorted } from './installed.ts';
import { shortDigest } from './PullList.tsx';

/** Models from which on it is worth searching, and rows shown before somebody asks for all. */
const manyModels = 10;
const fewRows = 25;

const headings: Readonly<Record<Column, string>> = {
  name: 'Name',
  size: 'Size',
  context: 'Longest context',
  modified: 'Modified',
};

interface Properties {
  readonly installed: readonly InstalledModel[];
  readonly loaded: readonly LoadedModel[];
  readonly ensembles: readonly Ensemble[];
}

/** The models on the server's disk. */
export function InstalledSection({ installed, loaded, ensembles }: Properties) {
  const [order, setOrder] = useState<Order>({ column: 'name', direction: 'ascending' });
  const [search, setSearch] = useState('');
  const [all, setAll] = useState(false);
  const [deleting, setDeleting] = useState<InstalledModel | null>(null);
  const names = installed.map(({ name }) => name);
  const heirs = useHeirs(names);
  const found = sorted(searched(installed, search), order);
  const shown = all ? found : found.slice(0, fewRows);
  const total = installed.reduce((sum, { size }) => sum + (size ?? 0), 0);

  return (
    <Section title="Installed models" lead={`${quantity(installed.length, 'model')}, ${byteSize(total)} on disk.`}>
      <p ref={heirs.fallback} tabIndex={-1} className="visually-hidden">
        {installed.length === 0 ? 'No model is installed.' : `${quantity(shown.length, 'model')} shown.`}
      </p>
      {installed.length === 0 ? (
        <Empty title="No model yet">
          Name one above. A model of 7 to 9 billion parameters takes about 5 GB and runs on most machines.
        </Empty>
      ) : (
        <>
          {installed.length < manyModels ? null : (
            <TextField
              label="Search the models"
              type="search"
              value={search}
              onChange={setSearch}
              placeholder="name, family, size…"
            />
          )}
          {shown.length === 0 ? (
            <p className="muted">No model has all of these words.</p>
          ) : (
            <table className={styles.table}>
              <caption className="visually-hidden">Installed models</caption>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th
                      key={column}
                      scope="col"
                      className={styles[column]}
                      aria-sort={order.column === column ? order.direction : undefined}
                    >
                      <Button look="quiet" size="small" onPress={() => setOrder(pressed(order, column))}>
                        {headings[column]}
                        {order.column === column ? <Arrow direction={order.direction} /> : null}
                      </Button>
                    </th>
                  ))}
                  <th scope="col">
                    <span className="visually-hidden">Delete</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((model) => (
                  <Row
                    key={model.name}
                    model={model}
                    onDelete={() => {
                      heirs.goes(
                        model.name,
                        shown.map(({ name }) => name),
                      );
                      setDeleting(model);
                    }}
                    binRef={heirs.refOf(model.name)}
                  />
                ))}
              </tbody>
            </table>
          )}
          {shown.length === found.length ? null : (
            <div>
              <Button size="small" onPress={() => setAll(true)}>
                Show all {found.length}
              </Button>
            </div>
          )}
        </>
      )}
      {deleting === null ? null : (
        <DeleteDialog
          model={deleting}
          loaded={loaded.some(({ name }) => name === deleting.name)}
          ensembles={ensembles}
          onClose={() => setDeleting(null)}
          onDeleted={() => setDeleting(null)}
        />
      )}
    </Section>
  );
}

function Arrow({ direction }: Pick<Order, 'direction'>) {
  const Icon = direction === 'ascending' ? ArrowUp : ArrowDown;
  return <Icon size={13} aria-hidden="true" />;
}

const dateText = (at: string | null): string => {
  const date = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(date)
    ? 'unknown'
    : new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
};

function Row({
  model,
  onDelete,
  binRef,
}: {
  model: InstalledModel;
  onDelete: () => void;
  binRef: (element: HTMLButtonElement | null) => void;
}) {
  const { name, digest, size, family, parameters, quantization, context, capabilities, modified_at: modified, refused } = model;
  const kind = [family, parameters === null ? null : `${parameters} parameters`, quantization].filter((part) => part !== null);
  const contextText = context === null ? 'unknown' : context.toLocaleString('en-GB');
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <Outside className={styles.model} text={name} />
        {kind.length === 0 ? null : (
          <span className={`quiet ${styles.detail}`}>
            <HiddenText text={kind.join(' · ')} />
          </span>
        )}
        <span className={`quiet ${styles.detail} ${styles.narrowOnly}`}>
          {contextText} tokens of context · {dateText(modified)}
        </span>
        <span className={`row ${styles.marks}`}>
          {capabilities.map((capability) => (
            <Pill key={capability}>
              <HiddenText text={capability} />
            </Pill>
          ))}
          {digest === null ? null : (
            <span className={styles.digest}>
              <code>{shortDigest(digest)}</code>
              <CopyButton text={digest} name={`Copy the digest of ${name}`}>
                Copy
              </CopyButton>
            </span>
          )}
        </span>
        {refused === null ? null : (
          <span className={styles.refused}>
            <strong>Refused.</strong> <HiddenText text={capitalized(refused)} />
          </span>
        )}
      </th>
      <td className={styles.size}>{size === null ? 'unknown' : byteSize(size)}</td>
      <td className={styles.context}>{contextText}</td>
      <td className={styles.modified}>{dateText(modified)}</td>
      <td className={styles.bin}>
        <Button icon={Trash2} ref={binRef} look="quiet" size="small" onPress={onDelete} aria-label={`Delete ${name}`} />
      </td>
    </tr>
  );
}
