// Makes cases of the rows of a file, and says what of them looks wrong or personal.
import { areLabels, tellingColumns } from '../../../core/cases/peculiarities.ts';
import { type Check, note, warning } from '../../../shared/checks.ts';
import type { DatasetCase, Fact } from '../../../shared/domain.ts';
import type { Remedy } from '../../../shared/errors.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import { noWeight, timeReader, weightIn } from './cells.ts';
import { type ColumnPlan, type LabelColumn, labelColumn, lookalikes, missingColumn, planColumns } from './columns.ts';
import { checkPositive } from './definition.ts';
import type { DataSource } from './source.ts';
import { listed, quoted } from './spelling.ts';
import type { RowReader } from './table.ts';

interface Kind {
  readonly what: string;
  /** Words of a column's name. */
  readonly name: RegExp;
  /** A whole value; only what hardly anything else looks like. */
  readonly value?: RegExp;
}

const kinds: readonly Kind[] = [
  { what: 'e-mail addresses', name: /^e ?mails?( address)?$/, value: /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i },
  { what: 'telephone numbers', name: /\b(phone|telephone|mobile|fax)\b/, value: /^\+\d[\d ()/.-]{7,18}$/ },
  {
    what: 'bank accounts',
    name: /\b(iban|account number|credit card)\b/,
    value: /^[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{0,4}$/,
  },
  {
    what: 'numbers of identity papers',
    name: /\b(ssn|social security|passport|national id|tax id|nino|driving licen[cs]e)\b/,
    value: /^\d{3}-\d{2}-\d{4}$/,
  },
  {
    what: 'names',
    name: /^(full |first |last |given |family |middle |person |applicant |patient |client |customer )?(name|surname|forename)s?$/,
  },
  { what: 'addresses', name: /\b(street|postal address|home address|post ?code|zip( code)?)\b|^address$/ },
  { what: 'dates of birth', name: /\b(dob|date of birth|birth ?date|birthday)\b/ },
  { what: 'network addresses', name: /\b(ip( address)?|mac address)\b/, value: /^(?:\d{1,3}\.){3}\d{1,3}$/ },
];

/** `firstName`, `first_name` and `First-Name` as `first name`. */
const wordsOf = (column: string): string =>
  column
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** So many of the values of a column have to look like it. */
const leastShare = 0.5;

interface PersonalColumn {
  readonly column: string;
  readonly what: string;
}

/** Columns whose name or values look personal, in their order. */
export function personalColumns(columns: readonly string[], cases: readonly Pick<DatasetCase, 'facts'>[]): PersonalColumn[] {
  const counts = new Map(columns.map((column) => [column, { values: 0, fits: kinds.map(() => 0) }]));
  for (const { facts } of cases) {
    for (const { name, value } of facts) {
      const count = counts.get(name);
      if (count === undefined) continue;
      count.values += 1;
      kinds.forEach((kind, index) => {
        if (kind.value?.test(value.trim()) === true) count.fits[index] = (count.fits[index] ?? 0) + 1;
      });
    }
  }
  return columns.flatMap((column) => {
    const { values, fits } = counts.get(column) ?? { values: 0, fits: [] };
    const found = kinds.find(
      (kind, index) => kind.name.test(wordsOf(column)) || (values > 0 && (fits[index] ?? 0) >= leastShare * values),
    );
    return found === undefined ? [] : [{ column, what: found.what }];
  });
}

/** What the rows of a file amount to. */
interface BuiltCases {
  readonly cases: readonly DatasetCase[];
  /** Case id -> its place in time; empty where the cases are not split by time. */
  readonly times: ReadonlyMap<string, number>;
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly checks: Check[];
}

const remembered = 1_000;
/** With fewer cases, what is found of a group or label is mostly chance. */
export const fewCases = 10;
/** People can read tables of about so many groups. */
const manyGroups = 10;
/** How people write that nothing is known. */
const unknown = /^(?:n\.?\/?a\.?|null|none|nan|unknown|missing|[-–?.]+)$/i;

export class CaseBuilder implements RowReader<BuiltCases> {
  readonly #source: DataSource;
  readonly #definition: DatasetDefinition;
  readonly #labelColumn: LabelColumn | undefined;
  readonly #cases: DatasetCase[] = [];
  readonly #times = new Map<string, number>();
  readonly #timeIn = timeReader();
  readonly #lineOfId = new Map<string, number>();
  readonly #facts = new Map<string, Map<string, Fact>>();
  #columns: readonly string[] = [];
  #plan: ColumnPlan | undefined;
  #used: ReadonlySet<number | undefined> = new Set();

  constructor(source: DataSource, definition: DatasetDefinition) {
    this.#source = source;
    this.#definition = definition;
    this.#labelColumn = definition.label && labelColumn(source, definition.label, definition.labels);
  }

  columns(names: readonly string[], line: number, closed: boolean): void {
    this.#columns = names;
    const plan = planColumns(this.#source, this.#definition, names, line);
    this.#plan = plan;
    const named = [...plan.facts, ...plan.groups].map(({ index }) => index);
    this.#used = new Set([plan.id, plan.label, plan.question, plan.weight, plan.time, ...named]);
    if (closed) this.#checkMissing(line);
  }

  uses(index: number): boolean {
    return this.#used.has(index);
  }

  row(cells: readonly string[], line: number): void {
    const plan = this.#plan;
    if (plan === undefined) return;
    const cell = (index: number | undefined): string => (index === undefined ? '' : (cells[index] ?? ''));
    const id = this.#id(cell(plan.id), line);
    const { weight: weightColumn, split } = this.#definition;
    if (split.by !== undefined && plan.time !== undefined) {
      const time = this.#timeIn(cell(plan.time));
      if (typeof time === 'string') throw this.#source.fault(time, { line, field: split.by });
      this.#times.set(id, time);
    }
    const weight = weightIn(cell(plan.weight));
    if (weightColumn !== undefined && plan.weight !== undefined && weight === null) {
      throw this.#source.fault(noWeight(cell(plan.weight)), { line, field: weightColumn });
    }
    this.#cases.push({
      id,
      facts: plan.facts.flatMap(({ name, index }) => this.#fact(name, cell(index))),
      question: this.#question(cell(plan.question), line),
      truth: this.#labelColumn?.truth(cell(plan.label), line) ?? null,
      groups: {
        ...Object.fromEntries(this.#definition.groups.map((name) => [name, ''])),
        ...Object.fromEntries(plan.groups.map(({ name, index }) => [name, missingAsEmpty(cell(index))])),
      },
      ...(weight === null ? {} : { weight }),
    });
  }

  /** The cases, once all rows are in. Throws bad input where a column or the labels are missing. */
  finish(): BuiltCases {
    this.#checkMissing();
    const labels = this.#labelColumn?.labels() ?? this.#definition.labels ?? [];
    checkPositive(this.#definition.positive, labels);
    this.#orderTruths(labels);
    const multiLabel = isMultiLabel(this.#definition);
    const second = labels.length === 2 && !multiLabel ? labels[1] : undefined;
    const positive = this.#definition.positive ?? second ?? null;
    return { cases: this.#cases, times: this.#times, labels, positive, checks: this.#checks(labels) };
  }

  #checkMissing(line?: number): void {
    const missing = this.#plan?.missing[0];
    if (missing !== undefined) throw missingColumn(this.#source, missing, this.#columns, line);
  }

  #id(cell: string, line: number): string {
    const column = this.#definition.id;
    const id = column === undefined ? String(this.#cases.length + 1) : cell;
    if (id.trim() === '') {
      if (this.#plan?.id === undefined) this.#checkMissing(line);
      throw this.#source.fault('the id is empty; every case needs its own id', { line, field: column ?? 'id' });
    }
    const earlier = this.#lineOfId.get(id);
    if (earlier !== undefined) {
      throw this.#source.fault(`the id ${quoted(id)} is in line ${earlier} too; every case needs its own id`, {
        line,
        field: column ?? 'id',
      });
    }
    this.#lineOfId.set(id, line);
    return id;
  }

  #fact(name: string, value: string): Fact[] {
    if (value.trim() === '') return [];
    const known = this.#facts.get(name) ?? new Map<string, Fact>();
    this.#facts.set(name, known);
    // Most columns of a table have few values: one fact serves all the rows that share it.
    const fact = known.get(value) ?? Object.freeze({ name, value });
    if (known.size < remembered) known.set(value, fact);
    return [fact];
  }

  #question(cell: string, line: number): string | null {
    if (this.#definition.kind !== 'open') return null;
    if (cell.trim() === '') {
      if (this.#plan?.question === undefined) this.#checkMissing(line);
      const field = this.#definition.columns.question ?? 'question';
      throw this.#source.fault('the question is empty; an open case is its question', { line, field });
    }
    return cell;
  }

  /** Several labels stand in the order of the labels, not of the cell, so that equal truths are equal lists. */
  #orderTruths(labels: readonly string[]): void {
    const rank = new Map(labels.map((label, index) => [label, index]));
    for (const { truth } of this.#cases) {
      if (Array.isArray(truth)) truth.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
    }
  }

  #checks(labels: readonly string[]): Check[] {
    const checks: Check[] = [];
    const count = (cases: readonly DatasetCase[], lack: string): void => {
      if (cases.length > 0) checks.push(note(`${cases.length === 1 ? '1 case has' : `${cases.length} cases have`} ${lack}`));
    };
    if (this.#labelColumn !== undefined) {
      count(
        this.#cases.filter(({ truth }) => truth === null),
        'no label',
      );
      count(
        this.#cases.filter(({ truth }) => Array.isArray(truth) && truth.length === 0),
        'none of the labels',
      );
    }
    if (this.#definition.kind !== 'open') {
      count(
        this.#cases.filter(({ facts }) => facts.length === 0),
        'no facts',
      );
    }
    const { id: idColumn } = this.#definition;
    const ids = this.#cases.map(({ id }) => ({ facts: [{ name: idColumn ?? '', value: id }] }));
    for (const { column, what } of idColumn === undefined ? [] : personalColumns([idColumn], ids)) {
      const advice = 'take another column as the id: the ids of cases are in every export, and an erasure leaves them';
      checks.push(warning(`column ${quoted(column)} is the id of the cases and looks personal (${what})`, advice));
    }
    if (this.#definition.kind === 'tabular') {
      checks.push(...this.#tableChecks());
    } else {
      for (const { name } of this.#plan?.facts ?? []) {
        count(
          this.#cases.filter(({ facts }) => facts.length > 0 && facts.every((fact) => fact.name !== name)),
          `no ${quoted(name)}`,
        );
      }
    }
    for (const group of lookalikes(labels))
      checks.push(warning(`the labels ${listed(group)} differ in letter case or spaces only`));
    for (const column of this.#definition.groups) checks.push(...this.#groupChecks(column));
    return checks;
  }

  /** What makes groups too small to say anything of. */
  #groupChecks(column: string): Check[] {
    const sizes = new Map<string, number>();
    for (const { groups } of this.#cases) {
      const value = groups[column] ?? '';
      if (value !== '') sizes.set(value, (sizes.get(value) ?? 0) + 1);
    }
    const checks = lookalikes([...sizes.keys()]).map((values) =>
      warning(
        `the values ${listed(values)} of ${quoted(column)} are different groups`,
        'if they mean the same, spell them alike in the file',
      ),
    );
    const small = [...sizes.values()].filter((cases) => cases < fewCases).length;
    if (sizes.size > manyGroups && small > sizes.size / 2) {
      const advice = 'add a column of bins to the file, such as 18–29 and 30–44, and group by it';
      checks.push(
        warning(`${quoted(column)} makes ${sizes.size} groups, ${small} of them with fewer than ${fewCases} cases`, advice),
      );
    }
    return checks;
  }

  /** What the facts of a table show about overlooked columns. */
  #tableChecks(): Check[] {
    const columns = this.#plan?.facts ?? [];
    const checks: Check[] = [];
    for (const { name } of this.#definition.id === undefined ? columns.filter((column) => namesAnId(column.name)) : []) {
      const values = new Set(this.#cases.map(({ facts }) => facts.find((fact) => fact.name === name)?.value));
      if (this.#cases.length < 2 || values.size < this.#cases.length || values.has(undefined)) continue;
      const advice = inFile('take it as the id, or leave it out of the facts', 'exclude');
      checks.push(warning(`column ${quoted(name)} is different in every row and counts as a fact`, advice));
    }
    const names = columns.map(({ name }) => name);
    for (const name of names.filter((each) => each !== each.trim())) {
      const advice = inFile('take them out in the file, or give it a name that models read too', 'namesInPrompts');
      checks.push(warning(`models read the blanks around the name of column ${quoted(name)}`, advice));
    }
    const words = this.#cases.flatMap(({ facts }) => facts.flatMap(({ value }) => (unknown.test(value.trim()) ? [value] : [])));
    if (words.length > 0) {
      const found = listed([...new Set(words)]);
      checks.push(
        note(
          `models read ${found} like any other value; only blank cells count as empty`,
          'if they mean that nothing is known, clear these cells in the file',
        ),
      );
    }
    const later = inFile('if it was filled in after the decision, leave it out of the facts', 'exclude');
    for (const name of tellingColumns(names, this.#cases))
      checks.push(warning(`column ${quoted(name)} alone gives away the label of nearly every case`, later));
    const { label, labels = [] } = this.#definition;
    const valuesOf = (name: string) =>
      this.#cases.flatMap(({ facts }) => facts.flatMap((fact) => (fact.name === name ? [fact.value] : [])));
    for (const name of label === undefined ? names.filter((each) => areLabels(valuesOf(each), labels)) : [])
      checks.push(warning(`column ${quoted(name)} holds only labels to choose from, so the court may read the answer`, later));
    for (const { column, what } of personalColumns(names, this.#cases)) {
      const advice = inFile('leave it out of the facts', 'exclude', ' unless the court needs it: the record keeps it');
      checks.push(warning(`column ${quoted(column)} looks personal (${what})`, advice));
    }
    const filled = this.#cases.reduce((sum, { facts }) => sum + facts.length, 0);
    const empty = this.#cases.length * columns.length - filled;
    if (empty > 0)
      checks.push(note(empty === 1 ? '1 empty cell of facts is left out' : `${empty} empty cells of facts are left out`));
    return checks;
  }
}

/** Advice with the key that an experiment file has for it. */
const inFile = (before: string, key: string, after = ''): Required<Remedy> => ({
  command: `${before} ("${key}" in a file)${after}`,
  screen: `${before}${after}`,
});

function namesAnId(column: string): boolean {
  return /(?:^|_)id$/i.test(column) || column.endsWith('Id');
}

export function missingAsEmpty(value: string): string {
  return value.trim() === '' ? '' : value;
}

export function isMultiLabel({ label }: DatasetDefinition): boolean {
  return (label?.multiple ?? null) !== null;
}
