// Makes cases of the rows of a file, and says what of them looks wrong or personal.
import { mayBeLater } from '../../../core/cases/columnRoles.ts';
import { areLabels, namesPeople, tellingColumns } from '../../../core/cases/peculiarities.ts';
import { fewestInGroup } from '../../../core/statistics/measures/fairness.ts';
import { type Check, note, warning } from '../../../shared/checks.ts';
import type { DatasetCase, Fact } from '../../../shared/domain.ts';
import type { Remedy } from '../../../shared/errors.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import { noWeight, timeReader, weightIn } from './cells.ts';
import { type ColumnPlan, labelColumn, listedApart, lookalikes, missingColumn, planColumns } from './columns.ts';
import { checkPositive } from './definition.ts';
import type { DataSource } from './source.ts';
import { listed, quoted } from './spelling.ts';
import type { RowReader } from './table.ts';

interface Kind {
  readonly what: string;
  /** What such a column is called, in words in small letters. */
  readonly name: RegExp;
  /** Whether values are of this kind, whatever the column is called. @param column in words in small letters */
  areValues?(values: readonly string[], column: string): boolean;
}

/** So many of the values of a column have to look like it. */
const leastShare = 0.5;

/** @param one a whole value; only what hardly anything else looks like */
const mostly = (one: RegExp) => (values: readonly string[]) =>
  values.length > 0 && values.filter((value) => one.test(value)).length >= leastShare * values.length;

const kinds: readonly Kind[] = [
  { what: 'e-mail addresses', name: /^e ?mails?( address)?$/, areValues: mostly(/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i) },
  { what: 'telephone numbers', name: /\b(phone|telephone|mobile|fax)\b/, areValues: mostly(/^\+\d[\d ()/.-]{7,18}$/) },
  {
    what: 'bank accounts',
    name: /\b(iban|account number|credit card)\b/,
    areValues: mostly(/^[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{0,4}$/),
  },
  {
    what: 'numbers of identity papers',
    name: /\b(ssn|social security|passport|national id|tax id|nino|driving licen[cs]e)\b/,
    areValues: mostly(/^\d{3}-\d{2}-\d{4}$/),
  },
  {
    what: 'names',
    name: /^(full |first |last |given |family |middle |person |applicant |patient |client |customer )?(name|surname|forename)s?$/,
    areValues: namesPeople,
  },
  {
    what: 'addresses',
    name: /\b(street|postal|home|mailing|billing) address\b|\b(post ?code|zip( code)?)\b|^address$|\bstreet( (name|number|no|line \d|and number))?$/,
  },
  { what: 'dates of birth', name: /\b(dob|date of birth|birth ?date|birthday)\b/ },
  { what: 'network addresses', name: /\b(ip( address)?|mac address)\b/, areValues: mostly(/^(?:\d{1,3}\.){3}\d{1,3}$/) },
];

/** `firstName`, `first_name` and `First-Name` as `first name`. */
const wordsOf = (column: string): string =>
  column
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();

interface PersonalColumn {
  readonly column: string;
  readonly what: string;
}

export function personalColumns(columns: readonly string[], cases: readonly Pick<DatasetCase, 'facts'>[]): PersonalColumn[] {
  const valuesOf = new Map(columns.map((column) => [column, [] as string[]]));
  for (const { facts } of cases) for (const { name, value } of facts) valuesOf.get(name)?.push(value.trim());
  return [...valuesOf].flatMap(([column, values]) => {
    const words = wordsOf(column);
    const found = kinds.find(({ name, areValues }) => name.test(words) || areValues?.(values, words));
    return found === undefined ? [] : [{ column, what: found.what }];
  });
}

interface BuiltCases {
  readonly cases: readonly DatasetCase[];
  /** Case id -> its place in time; empty where the cases are not split by time. */
  readonly times: ReadonlyMap<string, number>;
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly checks: Check[];
}

const remembered = 1_000;
/** People can read tables of about so many groups. */
const manyGroups = 10;
/** How people write that nothing is known. */
const unknown = /^(?:n\.?\/?a\.?|null|none|nan|unknown|missing|[-–?.]+)$/i;

const spellAlike = 'if they mean the same, spell them alike in the file';

/** Cases that are named of those that lack something. */
const mostLacking = 3;
/** Small groups that are named. */
const mostSmall = 8;

/** How many cases lack something, and the first of them; nothing where none do. */
export function lackNote(cases: readonly DatasetCase[], lacks: (kase: DatasetCase) => boolean, what: string): Check[] {
  const ids = cases.filter(lacks).map(({ id }) => id);
  if (ids.length === 0) return [];
  const more = ids.length - mostLacking;
  const named = `${ids.slice(0, mostLacking).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [note(`${ids.length === 1 ? '1 case has' : `${ids.length} cases have`} ${what} (${named})`)];
}

/** @param names of the facts */
function checksOf(
  cases: readonly DatasetCase[],
  definition: DatasetDefinition,
  names: readonly string[],
  labels: readonly string[],
): Check[] {
  const { id, kind, label, groups } = definition;
  const ids = cases.map((kase) => ({ facts: [{ name: id ?? '', value: kase.id }] }));
  return [
    ...(label === undefined
      ? []
      : lackNote(cases, ({ truth }) => Array.isArray(truth) && truth.length === 0, 'none of the labels')),
    ...(kind === 'open' ? [] : lackNote(cases, ({ facts }) => facts.length === 0, 'no facts')),
    ...(id === undefined ? [] : personalColumns([id], ids)).map(({ column, what }) => {
      const advice = 'take another column as the id: the ids of cases are in every export, and an erasure leaves them';
      return warning(`column ${quoted(column)} is the id of the cases and looks personal (${what})`, advice);
    }),
    ...(kind === 'tabular'
      ? tableChecks(cases, definition, names)
      : names.flatMap((name) => {
          const lacks = ({ facts }: DatasetCase) => facts.length > 0 && facts.every((fact) => fact.name !== name);
          return lackNote(cases, lacks, `no ${quoted(name)}`);
        })),
    ...lookalikes(labels).map((group) => warning(`the values ${listedApart(group)} are different labels`, spellAlike)),
    ...groups.flatMap((column) =>
      lookalikes([...groupSizes(cases, column).keys()]).map((values) =>
        warning(`the values ${listedApart(values)} of ${quoted(column)} are different groups`, spellAlike),
      ),
    ),
  ];
}

/** How many cases each group has; a case without a value is in none. */
function groupSizes(cases: readonly DatasetCase[], column: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { groups } of cases) {
    const value = groups[column] ?? '';
    if (value !== '') sizes.set(value, (sizes.get(value) ?? 0) + 1);
  }
  return sizes;
}

/** Groups that are too small to be compared, the smallest first; nothing where the cases are too few for any two. @param where such as ` in the sample` */
export function smallGroups(cases: readonly DatasetCase[], column: string, where: string): Check[] {
  const sizes = groupSizes(cases, column);
  const small = [...sizes].filter(([, size]) => size < fewestInGroup).toSorted(([, one], [, other]) => one - other);
  if (small.length === 0 || cases.length < 2 * fewestInGroup) return [];
  const named = small.slice(0, mostSmall).map(([value, size]) => `${quoted(value)} (${size})`);
  const more = small.length > mostSmall ? ` and ${small.length - mostSmall} more` : '';
  const text = `${small.length} of the ${sizes.size} groups of ${quoted(column)} ${small.length === 1 ? 'has' : 'have'} too few cases${where} to be compared, fewer than ${fewestInGroup}: ${named.join(', ')}${more}`;
  const areMany = sizes.size > manyGroups && small.length > sizes.size / 2;
  return [areMany ? warning(text, 'add a column of bins to the file, such as 18–29 and 30–44, and group by it') : note(text)];
}

function tableChecks(cases: readonly DatasetCase[], definition: DatasetDefinition, names: readonly string[]): Check[] {
  const checks: Check[] = [];
  for (const name of definition.id === undefined ? names.filter(namesAnId) : []) {
    const values = new Set(cases.map(({ facts }) => facts.find((fact) => fact.name === name)?.value));
    if (cases.length < 2 || values.size < cases.length || values.has(undefined)) continue;
    const advice = inFile('take it as the id, or leave it out of the facts', 'exclude');
    checks.push(warning(`column ${quoted(name)} is different in every row and counts as a fact`, advice));
  }
  for (const name of names.filter((each) => each !== each.trim())) {
    const advice = inFile('take them out in the file, or give it a name that models read too', 'namesInPrompts');
    checks.push(warning(`models read the blanks around the name of column ${quoted(name)}`, advice));
  }
  const words = cases.flatMap(({ facts }) => facts.flatMap(({ value }) => (unknown.test(value.trim()) ? [value] : [])));
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
  const telling = tellingColumns(names, cases);
  for (const [name, which] of telling)
    checks.push(warning(`column ${quoted(name)} alone gives away the label of ${which} case`, later));
  for (const name of names.filter((each) => mayBeLater(each) && !telling.has(each)))
    checks.push(note(`column ${quoted(name)} may be known only after the decision, by its name`, later));
  const { label, labels = [] } = definition;
  const valuesOf = (name: string) =>
    cases.flatMap(({ facts }) => facts.flatMap((fact) => (fact.name === name ? [fact.value] : [])));
  for (const name of label === undefined ? names.filter((each) => areLabels(valuesOf(each), labels)) : [])
    checks.push(warning(`column ${quoted(name)} holds only labels to choose from, so the court may read the answer`, later));
  for (const { column, what } of personalColumns(names, cases)) {
    const advice = inFile('leave it out of the facts', 'exclude', ' unless the court needs it: the record keeps it');
    checks.push(warning(`column ${quoted(column)} looks personal (${what})`, advice));
  }
  const filled = cases.reduce((sum, { facts }) => sum + facts.length, 0);
  const empty = cases.length * names.length - filled;
  if (empty > 0)
    checks.push(
      note(
        empty === 1
          ? '1 cell of facts is empty in the whole data set: its case stays, without this fact'
          : `${empty} cells of facts are empty in the whole data set: their cases stay, without these facts`,
      ),
    );
  return checks;
}

export function caseBuilder(source: DataSource, definition: DatasetDefinition): RowReader<BuiltCases> {
  const labelled = definition.label && labelColumn(source, definition.label, definition.labels);
  const cases: DatasetCase[] = [];
  const times = new Map<string, number>();
  const timeIn = timeReader();
  const lineOfId = new Map<string, number>();
  const knownFacts = new Map<string, Map<string, Fact>>();
  let header: readonly string[] = [];
  let plan: ColumnPlan | undefined;
  let used: ReadonlySet<number | undefined> = new Set();

  const checkMissing = (line?: number): void => {
    const missing = plan?.missing[0];
    if (missing !== undefined) throw missingColumn(source, missing, header, line);
  };

  const idOf = (cell: string, line: number): string => {
    const { id: column } = definition;
    const id = column === undefined ? String(cases.length + 1) : cell;
    const fault = (message: string) => source.fault(`${message}; every case needs its own id`, { line, field: column ?? 'id' });
    if (id.trim() === '') {
      if (plan?.id === undefined) checkMissing(line);
      throw fault('the id is empty');
    }
    const earlier = lineOfId.get(id);
    if (earlier !== undefined) throw fault(`the id ${quoted(id)} is in line ${earlier} too`);
    lineOfId.set(id, line);
    return id;
  };

  const factOf = (name: string, value: string): Fact[] => {
    if (value.trim() === '') return [];
    const known = knownFacts.get(name) ?? new Map<string, Fact>();
    knownFacts.set(name, known);
    // Most columns of a table have few values: one fact serves all the rows that share it.
    const fact = known.get(value) ?? Object.freeze({ name, value });
    if (known.size < remembered) known.set(value, fact);
    return [fact];
  };

  const questionOf = (cell: string, line: number): string | null => {
    if (definition.kind !== 'open') return null;
    if (cell.trim() === '') {
      if (plan?.question === undefined) checkMissing(line);
      const field = definition.columns.question ?? 'question';
      throw source.fault('the question is empty; an open case is its question', { line, field });
    }
    return cell;
  };

  /** Several labels stand in the order of the labels, not of the cell, so that equal truths are equal lists. */
  const orderTruths = (labels: readonly string[]): void => {
    const rank = new Map(labels.map((label, index) => [label, index]));
    for (const { truth } of cases) {
      if (Array.isArray(truth)) truth.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
    }
  };

  return {
    columns(names, line, closed) {
      header = names;
      plan = planColumns(source, definition, names, line);
      const { id, label, question, weight, time, facts, groups } = plan;
      used = new Set([id, label, question, weight, time, ...[...facts, ...groups].map(({ index }) => index)]);
      if (closed) checkMissing(line);
    },
    uses: (index) => used.has(index),
    row(cells, line) {
      if (plan === undefined) return;
      const cell = (index: number | undefined): string => (index === undefined ? '' : (cells[index] ?? ''));
      const id = idOf(cell(plan.id), line);
      const { weight: weightColumn, split } = definition;
      if (split.by !== undefined && plan.time !== undefined) {
        const time = timeIn(cell(plan.time));
        if (typeof time === 'string') throw source.fault(time, { line, field: split.by });
        times.set(id, time);
      }
      const weight = weightIn(cell(plan.weight));
      if (weightColumn !== undefined && plan.weight !== undefined && weight === null) {
        throw source.fault(noWeight(cell(plan.weight)), { line, field: weightColumn });
      }
      cases.push({
        id,
        facts: plan.facts.flatMap(({ name, index }) => factOf(name, cell(index))),
        question: questionOf(cell(plan.question), line),
        truth: labelled?.truth(cell(plan.label), line) ?? null,
        groups: {
          ...Object.fromEntries(definition.groups.map((name) => [name, ''])),
          ...Object.fromEntries(plan.groups.map(({ name, index }) => [name, missingAsEmpty(cell(index))])),
        },
        ...(weight === null ? {} : { weight }),
      });
    },
    /** Throws bad input where a column or the labels are missing. */
    finish() {
      checkMissing();
      const labels = labelled?.labels() ?? definition.labels ?? [];
      checkPositive(definition.positive, labels);
      orderTruths(labels);
      const second = labels.length === 2 && !isMultiLabel(definition) ? labels[1] : undefined;
      const positive = definition.positive ?? second ?? null;
      const names = (plan?.facts ?? []).map(({ name }) => name);
      return { cases, times, labels, positive, checks: checksOf(cases, definition, names, labels) };
    },
  };
}

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
