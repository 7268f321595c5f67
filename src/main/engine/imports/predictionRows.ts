import { numberIn } from '../../../core/imported/prediction.ts';
import type { FileReading } from '../../../shared/api/dataFiles.ts';
import type { PredictionColumns, PredictionReading } from '../../../shared/imported.ts';
import { missingColumn } from '../datasets/columns.ts';
import type { RowSink } from '../datasets/rows.ts';
import { type DataSource, openSource } from '../datasets/source.ts';
import { quoted } from '../datasets/spelling.ts';
import { readTable } from '../datasets/table.ts';
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
class PredictionSink implements RowSink {
  readonly rows: PredictionRow[] = [];
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
    if (closed) this.checkMissing(line);
  }

  uses(index: number): boolean {
    return [...this.#indexes.values()].includes(index);
  }

  row(cells: readonly string[], line: number): void {
    if (this.rows.length === mostTrials) {
      throw this.#source.fault(`there are more than ${mostTrials} rows; one experiment holds at most as many trials`, { line });
    }
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
    this.rows.push(row);
    if (this.rows.length % rowsPerReport === 0) this.#options.onProgress?.(this.rows.length);
  }

  checkMissing(line?: number): void {
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

/** Reads a file of predictions once, from beginning to end. Throws bad input with line and column. */
export async function readPredictions(path: string, options: PredictionReadingOptions): Promise<PredictionFile> {
  const source = await openSource(path, options.encoding);
  try {
    const sink = new PredictionSink(source, options);
    await readTable(source, sink, { delimiter: options.delimiter });
    if (sink.rows.length === 0) throw source.fault('the file has no rows; it needs at least one prediction', { line: 1 });
    sink.checkMissing();
    return { rows: sink.rows, fileHash: source.fileHash() };
  } finally {
    await source.close();
  }
}
