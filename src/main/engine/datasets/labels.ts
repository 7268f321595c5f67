// Turns the cells of the label column into labels.
import { byCodeUnits } from '../../../core/cases/split.ts';
import type { Truth } from '../../../shared/domain.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import { impossibleLabel } from '../../../shared/experiment.ts';
import { attempt } from '../attempt.ts';
import { parseKeepingSpelling } from './jsonl.ts';
import { limits } from './limits.ts';
import type { DataSource } from './source.ts';
import { listed, nearest, quoted } from './spelling.ts';

type LabelDefinition = NonNullable<DatasetDefinition['label']>;

/** Turns the cells of the label column into labels and collects which labels there are. */
export class LabelColumn {
  readonly #source: DataSource;
  readonly #definition: LabelDefinition;
  readonly #map: ReadonlyMap<string, string> | undefined;
  /** The labels that are allowed; undefined where the file itself says which there are. */
  readonly #allowed: ReadonlySet<string> | undefined;
  readonly #seen = new Set<string>();

  constructor(source: DataSource, definition: LabelDefinition, labels: readonly string[] | undefined) {
    this.#source = source;
    this.#definition = definition;
    this.#map = definition.map && new Map(Object.entries(definition.map));
    this.#allowed = labels && new Set(labels);
  }

  /** The truth in a cell; null where the cell is empty. Throws bad input for a value that is no known label. */
  truth(cell: string, line: number): Truth {
    if (cell.trim() === '' && this.#map?.has(cell) !== true) return null;
    const { multiple } = this.#definition;
    if (multiple === null) return this.#label(cell, line);
    const values = multiple === 'json' ? this.#list(cell, line) : cell.split(multiple).map((part) => part.trim());
    return [...new Set(values.filter((value) => value !== '').map((value) => this.#label(value, line)))];
  }

  /**
   * The labels in order: those of the definition, else the targets of the map, else the values of the file; the latter
   * two sorted, by number where all are numbers. Throws bad input where there are fewer than two.
   */
  labels(): readonly string[] {
    if (this.#allowed !== undefined) return [...this.#allowed];
    const labels = sortedLabels(new Set(this.#map?.values() ?? this.#seen));
    if (labels.length < 2) {
      const found = labels.length === 0 ? 'no case has a label' : `every labelled case has the label ${listed(labels)}`;
      throw this.#fault(`${found}; name all possible labels in "labels"`);
    }
    return labels;
  }

  #label(value: string, line: number): string {
    const label = this.#map === undefined ? value : this.#map.get(value);
    if (label === undefined || this.#allowed?.has(label) === false) {
      const known = [...(this.#map?.keys() ?? this.#allowed ?? [])];
      const guess = nearest(value, known);
      throw this.#fault(
        `${quoted(value)} is not a known label${guess === undefined ? '' : `; did you mean ${quoted(guess)}?`}` +
          ` (known: ${listed(known)}); correct the cell, or add it to ${this.#map ? 'the "map" of "label"' : '"labels"'}`,
        line,
      );
    }
    if (label === impossibleLabel) throw this.#fault(`${quoted(label)} cannot be a label; rename it, here or by "map"`, line);
    this.#seen.add(label);
    if (this.#seen.size > limits.labels) {
      throw this.#fault(`there are more than ${limits.labels} different labels; is this the label column?`, line);
    }
    return label;
  }

  #list(cell: string, line: number): string[] {
    const value = attempt(() => parseKeepingSpelling(cell), undefined);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw this.#fault(`${quoted(cell)} is not a JSON list of labels such as ["a", "b"]`, line);
    }
    return value;
  }

  #fault(message: string, line?: number): Error {
    return this.#source.fault(message, { ...(line === undefined ? {} : { line }), field: this.#definition.column });
  }
}

/** By number where all are numbers, else in code unit order. */
export function sortedLabels(labels: ReadonlySet<string>): string[] {
  const all = [...labels];
  const numeric = all.every((label) => label.trim() !== '' && Number.isFinite(Number(label)));
  return numeric ? all.toSorted((a, b) => Number(a) - Number(b) || byCodeUnits(a, b)) : all.toSorted(byCodeUnits);
}

/** Groups of labels that differ in letter case or outer spaces only, which is mostly a slip in the data. */
export function lookalikes(labels: readonly string[]): string[][] {
  const groups = Map.groupBy(labels, (label) => label.trim().toLowerCase());
  return [...groups.values()].filter((group) => group.length > 1);
}
