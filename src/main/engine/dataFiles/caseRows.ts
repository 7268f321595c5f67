// Tells columns that say something of a case from those of its rows, as the tool and its answer in a file of several tools' predictions.

/** Cases that are looked at: all rows of them are kept. */
const mostCases = 200;
/** Fewer could agree by chance. */
const fewestCases = 5;
/** A value with more rows is no case. */
const mostRows = 20;

/** The rows of the first cases, and of no others, wherever they are in the file. */
export class CaseRows {
  readonly #rows = new Map<string, (readonly string[])[]>();
  #isOfCases = true;

  add(id: string, cells: readonly string[]): void {
    if (!this.#isOfCases) return;
    const rows = this.#rows.get(id);
    if (rows === undefined) {
      if (this.#rows.size < mostCases) this.#rows.set(id, [[...cells]]);
      return;
    }
    rows.push([...cells]);
    if (rows.length <= mostRows) return;
    this.#isOfCases = false;
    this.#rows.clear();
  }

  #cellsOf(column: number): string[][] {
    return [...this.#rows.values()].map((rows) => rows.map((cells) => cells[column] ?? ''));
  }

  /** Whether rows of one case differ in a column. Empty cells do not count. @param column from 0 */
  variesIn(column: number): boolean {
    return this.#cellsOf(column).some((own) => new Set(own.filter((cell) => cell.trim() !== '')).size > 1);
  }

  /** Whether every case has each value of a column once, of two values or more. @param column from 0 */
  hasEachOnce(column: number): boolean {
    const cases = this.#cellsOf(column);
    const values = new Set(cases[0]);
    return (
      cases.length >= fewestCases &&
      values.size > 1 &&
      !values.has('') &&
      cases.every((own) => own.length === values.size && new Set(own).symmetricDifference(values).size === 0)
    );
  }
}
