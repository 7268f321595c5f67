import type { ReactNode } from 'react';
import type { Block, Cell, TableBlock } from '../../../../core/telling/blocks.ts';
import styles from './Telling.module.css';
import { TextOf } from './TextOf.tsx';

type Inside = (blocks: readonly Block[]) => ReactNode;

function CellOf({ cell, head, inside }: { cell: Cell; head: 'col' | 'row' | null; inside: Inside }) {
  const { blocks, side, isNumber, columns, rows } = cell;
  const [only, ...more] = blocks;
  // A cell of a few words is a line of its own.
  const content =
    only?.kind === 'words' && only.look === undefined && more.length === 0 ? <TextOf words={only.words} /> : inside(blocks);
  const look = `${side === undefined ? '' : styles[side]} ${isNumber === true ? styles.number : ''}`.trim();
  const spans = { colSpan: columns, rowSpan: rows, className: look === '' ? undefined : look };
  if (head === null) return <td {...spans}>{content}</td>;
  return (
    <th scope={columns === undefined ? head : 'colgroup'} dir={head === 'row' ? 'auto' : undefined} {...spans}>
      {content}
    </th>
  );
}

interface RowsProperties {
  readonly rows: readonly (readonly Cell[])[];
  readonly isHead?: boolean;
  readonly inside: Inside;
}

function Rows({ rows, isHead = false, inside }: RowsProperties) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table never change places
    <tr key={index}>
      {row.map((cell, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nor do its columns
        <CellOf key={place} cell={cell} head={isHead ? 'col' : place === 0 ? 'row' : null} inside={inside} />
      ))}
    </tr>
  ));
}

export function TableOf({ block: { name, caption, isWide, head, rows, foot }, inside }: { block: TableBlock; inside: Inside }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={name}>
      <table className={`${styles.table} ${isWide === true ? styles.wide : ''}`}>
        {caption === undefined ? null : (
          <caption className="quiet font-400">
            <TextOf words={caption} />
          </caption>
        )}
        <thead>
          <Rows rows={head} isHead inside={inside} />
        </thead>
        <tbody>
          <Rows rows={rows} inside={inside} />
        </tbody>
        {foot === undefined ? null : (
          <tfoot>
            <Rows rows={foot} inside={inside} />
          </tfoot>
        )}
      </table>
    </section>
  );
}
