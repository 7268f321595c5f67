import { numberIn } from '../../../core/imported/prediction.ts';
import type { FileReading } from '../../../shared/api/dataFiles.ts';
import type { PredictionColumns, PredictionReading } from '../../../shared/imported.ts';
import { missingColumn } from '../datasets/columns.ts';
import type { DataSource } from '../datasets/source.ts';
import { quoted } from '../datasets/spelling.ts';
import { type RowReader, readRows } from '../datasets/table.ts';
import { mostTrials } from '../lab/experimentFile.ts';

/** One row of a file of predictions; its cells as they stand there, null where the file has no such column. */
export interface PredictionRow {
  /** 1-based line on which the row begins. */
  readonly line: number;
  readonly case: string;
  readonly prediction: string;
  readonly confidence: string | null;
  readonly repeat: string | null;
  readonly system: string | null;
  readonly truth: string | null;
}

export interface PredictionFile {
  readonly rows: readonly PredictionRow[];
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly fileHash: string;
}

export interface PredictionReadingOptions extends FileReading, Pick<PredictionReading, 'confidenceScale'> {
  readonly columns: PredictionColumns;
  /** Told the number of rows so far. */
  readonly onProgress?: (rows: number) => void;
}

const parts = ['case', 'prediction', 'confidence', 'repeat', 'system', 'truth'] as const satisfies (keyof PredictionColumns)[];
type Part = (typeof parts)[number];

const rowsPerReport = 10_000;

/** Takes the cells that are wanted. Equal cells of a column share one string: a million rows have few values. */
class PredictionReader implements RowReader<PredictionRow[]> {
  readonly #rows: PredictionRow[] = [];
  readonly #source: DataSource;
  readonly #options: PredictionReadingOptions;
  readonly #known = new Map<Part, Map<string, string>>(parts.map((part) => [part, new Map()]));
  #columns: readonly string[] = [];
  #indexes = new Map<Part, number>();

  constructor(source: DataSource, options: PredictionReadingOptions) {
    this.#source = source;
    this.#options = options;
  }

  columns(names: readonly string[], line: number, closed: boolean): void {
    this.#columns = names;
    const wanted = parts.flatMap((part) => {
      const column = this.#options.columns[part];
      return column === null ? [] : [[part, names.indexOf(column)] as const];
    });
    this.#indexes = new Map(wanted.filter(([, index]) => index >= 0));
    if (closed) this.#checkMissing(line);
  }

  uses(index: number): boolean {
    return [...this.#indexes.values()].includes(index);
  }

  row(cells: readonly string[], line: number): void {
    const cell = (part: Part): string => this.#shared(part, cells[this.#indexes.get(part) ?? -1] ?? '');
    const optional = (part: Part): string | null => (this.#options.columns[part] === null ? null : cell(part));
    const row: PredictionRow = {
      line,
      case: cell('case'),
      prediction: cell('prediction'),
      confidence: optional('confidence'),
      repeat: optional('repeat'),
      system: optional('system'),
      truth: optional('truth'),
    };
    for (const part of ['case', 'system', 'repeat'] as const) {
      if (row[part]?.trim() === '') throw this.#fault(part, `the ${part} is empty; every prediction needs one`, line);
    }
    this.#checkConfidence(row);
    this.#rows.push(row);
    if (this.#rows.length % rowsPerReport === 0) this.#options.onProgress?.(this.#rows.length);
  }

  finish(): PredictionRow[] {
    this.#checkMissing();
    return this.#rows;
  }

  #checkMissing(line?: number): void {
    for (const use of parts) {
      const column = this.#options.columns[use];
      if (column !== null && !this.#columns.includes(column)) {
        throw missingColumn(this.#source, { column, name: column, use }, this.#columns, line);
      }
    }
  }

  #shared(part: Part, cell: string): string {
    const known = this.#known.get(part);
    const text = cell.toWellFormed();
    const first = known?.get(text);
    if (first === undefined) known?.set(text, text);
    return first ?? text;
  }

  #checkConfidence({ confidence, line }: PredictionRow): void {
    if (confidence === null || confidence.trim() === '') return;
    const { confidenceScale } = this.#options;
    const number = numberIn(confidence);
    if (number !== null && number >= 0 && number <= confidenceScale) return;
    const advice =
      number !== null && confidenceScale === 1 && number > 1 && number <= 100
        ? 'where the file has percentages, say so with the scale 100'
        : 'correct the cell, or leave it empty where none was stated';
    throw this.#fault('confidence', `${quoted(confidence)} is no number from 0 to ${confidenceScale}; ${advice}`, line);
  }

  #fault(part: Part, message: string, line: number): Error {
    return this.#source.fault(message, { line, field: this.#options.columns[part] ?? part });
  }
}

const purpose = { most: mostTrials, unit: 'prediction', advice: 'an experiment can have no more trials' } as const;

/** Reads a file of predictions once, from beginning to end. Throws bad input with line and column. */
export async function readPredictions(path: string, options: PredictionReadingOptions): Promise<PredictionFile> {
  const { encoding, delimiter } = options;
  const open = (source: DataSource) => new PredictionReader(source, options);
  const { result: rows, fileHash } = await readRows(path, { encoding, delimiter }, open, purpose);
  return { rows, fileHash };
}
