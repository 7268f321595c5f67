import { probabilityFault } from '../../../core/imported/prediction.ts';
import type { FileReading } from '../../../shared/api/dataFiles.ts';
import type { AssizeError, InputPlace } from '../../../shared/errors.ts';
import type { PredictionColumns, PredictionReading } from '../../../shared/imported.ts';
import { missingColumn } from '../datasets/columns.ts';
import type { DataSource } from '../datasets/source.ts';
import { type RowReader, readRows } from '../datasets/table.ts';
import { mostTrials } from '../lab/experimentFile.ts';

/** One row of a file of predictions; its cells as they stand there, null where the file has no such column. */
export interface PredictionRow {
  /** 1-based line on which the row begins. */
  readonly line: number;
  readonly case: string;
  readonly prediction: string | null;
  readonly confidence: string | null;
  readonly repeat: string | null;
  readonly system: string | null;
  readonly truth: string | null;
  readonly groups: readonly string[];
  readonly weight: string | null;
  readonly probabilities: readonly string[];
  readonly opinions: readonly string[];
}

/** Where the file is and what is wrong with it, as bad input. */
export type FileFault = (message: string, place: Pick<InputPlace, 'line' | 'remedy'> & { field?: string | null }) => AssizeError;

/** The rows of a file, in order. Each is made when it is asked for: as objects a million of them would fill the memory. */
export interface PredictionRows extends Iterable<PredictionRow> {
  readonly length: number;
  /** @param place from 0 */
  at(place: number): PredictionRow;
}

export interface PredictionFile {
  readonly rows: PredictionRows;
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly fileHash: string;
}

export interface PredictionReadingOptions extends FileReading, Pick<PredictionReading, 'confidenceScale'> {
  readonly columns: PredictionColumns;
  readonly onProgress?: (rows: number) => void;
}

/** Every column that is wanted, and what for. */
const wantedIn = ({ groups, probabilities, opinions, ...single }: PredictionColumns): { use: string; column: string }[] => [
  ...Object.entries(single).flatMap(([use, column]) => (column === null ? [] : [{ use, column }])),
  ...groups.map((column) => ({ use: 'group', column })),
  ...opinions.map((column) => ({ use: 'opinion', column })),
  ...probabilities.map(([label, column]) => ({ use: `probability of ${label}`, column })),
];

const rowsPerReport = 10_000;
/** Most files have no such columns: a million rows share one list. */
const none: readonly string[] = [];

/** Whole numbers in half the room of a list's. */
class Numbers {
  #room = new Uint32Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#room.length) {
      const wider = new Uint32Array(2 * this.length);
      wider.set(this.#room);
      this.#room = wider;
    }
    this.#room[this.length] = number;
    this.length += 1;
  }

  at(place: number): number {
    return this.#room[place] ?? 0;
  }
}

/** The cells of a column: each different text once, since a million rows have few values, and for each row which it is. */
class Cells {
  readonly #texts: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #numbers = new Numbers();

  push(text: string): void {
    const number = this.#known.get(text) ?? this.#texts.push(text) - 1;
    if (number === this.#known.size) this.#known.set(text, number);
    this.#numbers.push(number);
  }

  /** Once the last one is there: what finds equal texts is as large as they are. */
  close(): void {
    this.#known.clear();
  }

  at(place: number): string {
    return this.#texts[this.#numbers.at(place)] ?? '';
  }
}

function rowOf(columns: PredictionColumns, line: number, cell: (column: string) => string): PredictionRow {
  const optional = (column: string | null): string | null => (column === null ? null : cell(column));
  const list = (names: readonly string[]): readonly string[] => (names.length === 0 ? none : names.map(cell));
  return {
    line,
    case: cell(columns.case),
    prediction: optional(columns.prediction),
    confidence: optional(columns.confidence),
    repeat: optional(columns.repeat),
    system: optional(columns.system),
    truth: optional(columns.truth),
    groups: list(columns.groups),
    weight: optional(columns.weight),
    probabilities: columns.probabilities.length === 0 ? none : columns.probabilities.map(([, column]) => cell(column)),
    opinions: list(columns.opinions),
  };
}

function predictionReader(source: DataSource, options: PredictionReadingOptions): RowReader<PredictionRows> {
  const { columns, confidenceScale, onProgress } = options;
  const lines = new Numbers();
  const wanted = wantedIn(columns);
  const known = new Map(wanted.map(({ column }) => [column, new Cells()]));
  let header: readonly string[] = [];
  let indexes = new Map<string, number>();
  const checkMissing = (line?: number): void => {
    const missing = wanted.find(({ column }) => !header.includes(column));
    if (missing !== undefined) throw missingColumn(source, { ...missing, name: missing.column }, header, line);
  };
  const fault = (part: 'case' | 'system' | 'repeat' | 'confidence', message: string, line: number): Error =>
    source.fault(message, { line, field: columns[part] ?? part });
  return {
    columns(names, line, closed) {
      header = names;
      indexes = new Map(wanted.map(({ column }) => [column, names.indexOf(column)]));
      if (closed) checkMissing(line);
    },
    uses: (index) => [...indexes.values()].includes(index),
    row(cells, line) {
      const cell = (column: string): string => (cells[indexes.get(column) ?? -1] ?? '').toWellFormed();
      const row = rowOf(columns, line, cell);
      for (const part of ['case', 'system', 'repeat'] as const) {
        if (row[part]?.trim() === '') throw fault(part, `the ${part} is empty; every prediction needs one`, line);
      }
      const problem =
        row.confidence === null || row.confidence.trim() === '' ? null : probabilityFault(row.confidence, confidenceScale);
      if (problem !== null) throw fault('confidence', problem, line);
      lines.push(line);
      for (const [column, texts] of known) texts.push(cell(column));
      if (lines.length % rowsPerReport === 0) onProgress?.(lines.length);
    },
    finish() {
      checkMissing();
      for (const texts of known.values()) texts.close();
      const at = (place: number) => rowOf(columns, lines.at(place), (column) => known.get(column)?.at(place) ?? '');
      return {
        length: lines.length,
        at,
        *[Symbol.iterator]() {
          for (let place = 0; place < lines.length; place += 1) yield at(place);
        },
      };
    },
  };
}

const purpose = { most: mostTrials, unit: 'prediction', advice: 'an experiment can have no more trials' } as const;

/** Reads a file of predictions once, from beginning to end. Throws bad input with line and column. */
export async function readPredictions(path: string, options: PredictionReadingOptions): Promise<PredictionFile> {
  const { encoding, delimiter = 'guess', sheet } = options;
  const open = (source: DataSource) => predictionReader(source, options);
  const { result: rows, fileHash } = await readRows(path, { encoding, delimiter, sheet }, open, purpose);
  return { rows, fileHash };
}
