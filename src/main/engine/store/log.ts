// The log of a store: a Merkle tree over the heads of chains, which only grows, and the checkpoints signed over it.
import { growingTree, leafBytes, leafHash, type NodeAt, subtreesOf } from '../../../core/checkpoint/merkle.ts';
import { assistantChain, erasureChain, experimentChain, preparationChain, reviewChain } from '../../../core/record/identity.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { checkRecord } from '../commandText.ts';
import type { Connection } from './connection.ts';
import { type Events, leafAppender } from './events.ts';
import { laterTable } from './laterTable.ts';
import { log } from './migrations/0004-log.ts';

export interface Leaf {
  /** From 0. */
  readonly position: number;
  readonly chain: string;
  readonly head: Buffer;
  /** Of the full subtrees that end with it, 32 bytes each; null until a checkpoint covers it. */
  readonly hashes: Buffer | null;
}

export interface CheckpointRow {
  readonly id: number;
  readonly size: number;
  readonly made_at: string;
  /** The signed note, byte for byte. */
  readonly note: string;
  /** Signature lines of witnesses that were attached. */
  readonly cosignatures: string;
  /** Public key that signed it, 32 bytes. */
  readonly key: Buffer;
  readonly time_stamp: Buffer | null;
}

/** Chains that can always grow on: they have a leaf for the head that each checkpoint found. */
const growing = [experimentChain(''), preparationChain(''), assistantChain(''), reviewChain(''), erasureChain];
const hashBytes = 32;
/** After an import there are as many new leaves as trials. */
const leavesAtOnce = 10_000;
const leafColumns = 'position, chain, head, hashes';

/** A store of an older format has an empty log for a reader; its first writer makes it. */
export type Log = ReturnType<typeof openLog>;

export function openLog(db: Connection, events: Events, path: string) {
  const present = laterTable(db, 'leaves');
  const append = leafAppender(db);
  const size = () =>
    present() ? (db.prepare<[], number>('SELECT coalesce(max(position) + 1, 0) FROM leaves').pluck().get() ?? 0) : 0;
  const leafAt = (position: number) =>
    db.prepare<[number], Leaf>(`SELECT ${leafColumns} FROM leaves WHERE position = ?`).get(position);
  const newestLeaf = (chain: string) =>
    present()
      ? db.prepare<[string], Leaf>(`SELECT ${leafColumns} FROM leaves WHERE chain = ? ORDER BY position DESC LIMIT 1`).get(chain)
      : undefined;
  const node: NodeAt = (level, index) => {
    const last = (index + 1) * 2 ** level - 1;
    const hash = leafAt(last)?.hashes?.subarray(level * hashBytes, (level + 1) * hashBytes);
    if (hash?.length === hashBytes) return hash;
    throw new AssizeError('store-unreadable', `the log has no hash at entry ${last}`, {
      file: path,
      remedy: checkRecord('to see what is wrong'),
    });
  };
  /** Those chains that can always grow, and have since their newest leaf. */
  const grown = () =>
    growing
      .flatMap((prefix) => events.names(prefix))
      .filter((chain) => newestLeaf(chain)?.head.toString('hex') !== events.head(chain));
  const checkpoints = () =>
    present() ? db.prepare<[], CheckpointRow>('SELECT * FROM checkpoints NOT INDEXED ORDER BY id').all() : [];
  return {
    /** Name of the log in its checkpoints; null in a store of an older format, empty where a table of the log or its name is missing. */
    origin() {
      if (Number(db.pragma('user_version', { simple: true })) < log.version) return null;
      const tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('log', 'leaves', 'checkpoints')";
      if (db.prepare<[], number>(tables).pluck().get() !== 3) return '';
      return db.prepare<[], string>('SELECT origin FROM log').pluck().get() ?? '';
    },
    size,
    /** Entries that a checkpoint made now would cover. */
    sizeToCover: () => size() + grown().length,
    leaves: () => db.prepare<[], Leaf>(`SELECT ${leafColumns} FROM leaves NOT INDEXED ORDER BY position`).iterate(),
    newestLeaf,
    /** Adds leaves for the chains that have no end, and the hashes of all subtrees. Returns the size of the tree and its root. */
    cover() {
      for (const chain of grown()) append(chain, Buffer.from(events.head(chain) ?? '', 'hex'));
      const uncovered = db.prepare<[number], Leaf>(
        `SELECT ${leafColumns} FROM leaves WHERE hashes IS NULL AND position >= ? ORDER BY position LIMIT ${leavesAtOnce}`,
      );
      const all = size();
      let leaves = uncovered.all(0);
      const covered = leaves[0]?.position ?? all;
      const tree = growingTree(
        subtreesOf(covered).map(({ level, index }) => node(level, index)),
        covered,
      );
      const put = db.prepare<[Uint8Array, number]>('UPDATE leaves SET hashes = ? WHERE position = ?');
      while (leaves.length > 0) {
        for (const { position, chain, head } of leaves)
          put.run(Buffer.concat(tree.add(leafHash(leafBytes(chain, head.toString('hex'))))), position);
        leaves = uncovered.all((leaves.at(-1)?.position ?? all) + 1);
      }
      return { size: all, root: tree.root() };
    },
    /** A subtree's hash that `cover` has stored. Throws store-unreadable where it is not there. */
    node,
    checkpoints,
    add({ size: leaves, note, key }: Pick<CheckpointRow, 'size' | 'note' | 'key'>) {
      const insert = db.prepare("INSERT INTO checkpoints (size, made_at, note, cosignatures, key) VALUES (?, ?, ?, '', ?)");
      insert.run(leaves, new Date().toISOString(), note, key);
      const row = checkpoints().at(-1);
      if (row === undefined) throw new Error('the checkpoint was not stored');
      return row;
    },
    attach(id: number, { cosignatures, time_stamp }: Partial<Pick<CheckpointRow, 'cosignatures' | 'time_stamp'>>) {
      if (cosignatures !== undefined) db.prepare('UPDATE checkpoints SET cosignatures = ? WHERE id = ?').run(cosignatures, id);
      if (time_stamp !== undefined) db.prepare('UPDATE checkpoints SET time_stamp = ? WHERE id = ?').run(time_stamp, id);
    },
    /** How many trials of an experiment a checkpoint over so many entries covers, an earlier attempt included. */
    trialsWithin(experiment: string, entries: number): number {
      const select =
        'SELECT count(*) FROM trials WHERE experiment = ? AND EXISTS (SELECT 1 FROM leaves WHERE chain = trial AND position < ?)';
      return present() ? (db.prepare<[string, number], number>(select).pluck().get(experiment, entries) ?? 0) : 0;
    },
    /** Of those chains that can always grow, the kind of each whose last event no checkpoint covers. */
    unsigned(): string[] {
      const covered = checkpoints().reduce((most, row) => Math.max(most, row.size), 0);
      return growing
        .flatMap((prefix) => events.names(prefix))
        .filter((chain) => {
          const leaf = newestLeaf(chain);
          return leaf === undefined || leaf.position >= covered || leaf.head.toString('hex') !== events.head(chain);
        })
        .map((chain) => chain.split('/', 1).join());
    },
    /** What is wrong between leaves and chains: the first chain with its problem, or null. */
    misfit(): { chain: string; problem: string } | null {
      if (!present()) return null;
      const first = (select: string) => db.prepare<[], { chain: string }>(select).get()?.chain;
      const questions = [
        [
          "SELECT trial AS chain FROM events WHERE kind = 'trial-close' AND NOT EXISTS (SELECT 1 FROM leaves WHERE chain = trial AND head = hash) ORDER BY rowid LIMIT 1",
          'an attempt at this trial ended, and the log of the store does not have its head',
        ],
        [
          `SELECT chain FROM leaves WHERE NOT EXISTS (SELECT 1 FROM events WHERE trial = chain AND hash = head
             AND (kind = 'trial-close' OR ${growing.map((prefix) => `chain GLOB '${prefix}*'`).join(' OR ')})) ORDER BY position LIMIT 1`,
          'the log of the store has a head of this chain that it does not have now',
        ],
        [
          'SELECT chain FROM leaves GROUP BY chain, head HAVING count(*) > 1 LIMIT 1',
          'the log of the store has one head of this chain twice',
        ],
      ] as const;
      for (const [select, problem] of questions) {
        const chain = first(select);
        if (chain !== undefined) return { chain, problem };
      }
      return null;
    },
  };
}
