// The results of all runs on the present code, and their tables.

import { findProtocol } from '../../src/core/protocols/index.ts';
import { percent, share, table } from '../markdown.ts';
import { type Call, type Counts, countCalls, type Trial } from './counts.ts';

/** One experiment with one model on one server. */
export interface Measured {
  readonly model: string;
  readonly server: string;
  readonly protocol: string;
  readonly trials: readonly Trial[];
  readonly calls: readonly Call[];
}

/** Of a protocol over all its cases, or of one variant of it. */
export interface Row extends Counts {
  readonly model: string;
  readonly server: string;
  readonly protocol: string;
  /** Null: all variants, and the calls that they share. */
  readonly variant: string | null;
}

/** A row for each model, server and protocol, followed by one for each of its variants. */
export function rowsOf(measured: readonly Measured[]): Row[] {
  const groups = Map.groupBy(measured, ({ model, server, protocol }) => [model, server, protocol].join('\t'));
  return [...groups.values()].flatMap((group) => {
    const [{ model, server, protocol } = { model: '', server: '', protocol: '' }] = group;
    const trials = group.flatMap((each) => each.trials);
    const calls = group.flatMap((each) => each.calls);
    const row = (variant: string | null): Row => ({
      model,
      server,
      protocol,
      variant,
      ...countCalls(
        trials.filter(({ arm }) => variant === null || arm === variant),
        calls.filter(({ arm }) => variant === null || arm === variant),
      ),
    });
    return [row(null), ...[...new Set(trials.map(({ arm }) => arm))].map(row)].filter((each) => each.calls > 0);
  });
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length);
  const distinct = new Set(values.map((value) => value.toFixed(4))).size;
  return `${distinct} of ${values.length}, ±${percent(deviation)}`;
}

const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || '–';

const header = [
  'protocol',
  'variant',
  'trials decided',
  'first answers usable',
  'refused',
  'calls',
  'cut',
  'looped',
  'tokens in/trial',
  'out/trial',
  'seconds',
  'confidences',
];

const cells = (row: Row) => [
  row.variant === null ? `**${row.protocol}**` : '',
  row.variant ?? 'all',
  share(row.decided, row.trials),
  share(row.usable, row.firstAnswers),
  listed(row.refused),
  `${row.calls}`,
  `${row.cut}`,
  `${row.looped}`,
  row.trials === 0 ? '–' : `${Math.round(row.promptTokens / row.trials)}`,
  row.trials === 0 ? '–' : `${Math.round(row.completionTokens / row.trials)}`,
  `${Math.round(row.seconds)}`,
  spread(row.confidences),
];

/** A Markdown table for each model and server. */
export function tablesOf(rows: readonly Row[]): string {
  const groups = Map.groupBy(rows, ({ model, server }) => `${model} on ${server}`);
  return [...groups].map(([title, group]) => `### ${title}\n\n${table(header, group.map(cells))}\n`).join('\n');
}

/** Tokens of a protocol's fixed text, all its templates together, at four characters a token. */
export function fixedTokens(protocol: string): number {
  const templates = Object.values(findProtocol(protocol)?.templates ?? {});
  return Math.round(templates.reduce((total, text) => total + text.replace(/\{\{.*?\}\}/g, '').length, 0) / 4);
}
