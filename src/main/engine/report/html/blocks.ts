// Blocks of a telling as HTML.

import { type Mention, mentionsIn } from '../../../../core/figures/mentions.ts';
import { percent } from '../../../../core/figures/shares.ts';
import {
  type Block,
  type BlockKind,
  type Cell,
  type ChartBlock,
  failureText,
  plainAsText,
  type Section,
  type Span,
  spansOf,
  type Words,
} from '../../../../core/telling/blocks.ts';
import type { Unfounded } from '../../../../core/text/unfounded.ts';
import { capitalized } from '../../../../core/text/visible.ts';
import type { ShownFact } from '../../../../shared/domain.ts';
import { attribute, type Content, html, Markup, markedProse, name, plainly, prose } from './markup.ts';
import { listed } from './words.ts';

type Of<K extends BlockKind> = Extract<Block, { kind: K }>;
type Inside = (blocks: readonly Block[]) => Content;

function span(one: Span): Content {
  if (typeof one === 'string') return one;
  if ('name' in one)
    return one.each === undefined ? name(one.name) : one.each.map((each, index) => [index === 0 ? null : ' + ', name(each)]);
  if ('strong' in one) return html`<strong${one.tone !== undefined && html` class="${one.tone}"`}>${inline(one.strong)}</strong>`;
  if ('quiet' in one) return html`<span class="quiet">${inline(one.quiet)}</span>`;
  if ('code' in one) return html`<code>${one.code}</code>`;
  // The calls are in a separate table.
  return 'pill' in one ? html`<span class="${one.tone === 'warn' ? 'cut' : 'pill'}">${inline(one.pill)}</span>` : null;
}

const inline = (words: Words): Content => spansOf(words).map(span);

/** A number from 0 to 1 as a bar; it is also written next to it. */
function bar(value: number, threshold: number | undefined): Markup {
  const at = (share: number) => (share * 120).toFixed(2);
  const line = threshold === undefined ? '' : `<line class="axis" x1="${at(threshold)}" y1="0" x2="${at(threshold)}" y2="12"/>`;
  return new Markup(
    `<svg viewBox="0 0 120 12" width="120" height="12" aria-hidden="true"><line class="axis" x1="0" y1="6" x2="120" y2="6"/><rect class="amount" x="0" y="3" width="${at(value)}" height="6"/>${line}</svg>`,
  );
}

function measure({ name: title, value, threshold }: Of<'measure'>): Content {
  // Without a name the number is above.
  if (title === '') return null;
  const against = threshold !== undefined && ` against ${Number(threshold.toFixed(2))}`;
  return html`<p>${title} <strong>${Number(value.toFixed(2))}</strong> ${bar(value, threshold)}${against}</p>`;
}

const size = { width: 220, height: 70, left: 10, right: 10, top: 8, bottom: 8 };

/** Values over the rounds as lines: dots, hollow ones for the other of two, squares for the second. */
function chart({ title, aside, label, lines, at, range: [low, high] }: ChartBlock): Markup {
  const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
  const x = (index: number) => size.left + (at.length < 2 ? inner.width / 2 : (index / (at.length - 1)) * inner.width);
  const y = (value: number) => size.top + (1 - (value - low) / (high - low || 1)) * inner.height;
  const drawn = lines.map(({ of, values }) => {
    const points = values.flatMap((value, index) => (value === null ? [] : [[x(index), y(value)] as const]));
    const marks = points.map(([cx, cy]) =>
      of === 'second'
        ? html`<rect class="loss" x="${(cx - 3).toFixed(1)}" y="${(cy - 3).toFixed(1)}" width="6" height="6"/>`
        : html`<circle class="${of === 'first' ? 'gain' : of === 'other' ? 'curve' : 'point'}" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3.5"/>`,
    );
    return html`<polyline class="curve" points="${points.map(([cx, cy]) => `${cx.toFixed(1)},${cy.toFixed(1)}`).join(' ')}"/>${marks}`;
  });
  const axis = [low, high].map(
    (value) => html`<line class="axis" x1="${size.left}" x2="${size.width - size.right}" y1="${y(value)}" y2="${y(value)}"/>`,
  );
  const caption =
    title !== '' &&
    html`<figcaption>${inline(title)}${aside !== undefined && html`<br><span class="quiet">${aside}</span>`}</figcaption>`;
  return html`<figure>${caption}<svg role="img" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}"><title>${plainly(`${plainAsText(title)} ${label}`.trim())}</title>${axis}${drawn}</svg></figure>`;
}

function cells(row: readonly Cell[], head: boolean, inside: Inside): Content {
  return row.map(({ blocks, isNumber, columns = 1, rows = 1 }, place) => {
    const spans = [columns > 1 && html` colspan="${columns}"`, rows > 1 && html` rowspan="${rows}"`];
    const about = html`${isNumber === true && html` class="number"`}${spans}`;
    const [only, ...more] = blocks;
    const content = only?.kind === 'words' && only.look === undefined && more.length === 0 ? inline(only.words) : inside(blocks);
    if (head) return html`<th scope="${columns > 1 ? 'colgroup' : 'col'}"${about}>${content}</th>`;
    return place === 0 ? html`<th scope="row"${about}>${content}</th>` : html`<td${about}>${content}</td>`;
  });
}

function table({ caption, isWide, head, rows, foot }: Of<'table'>, inside: Inside): Markup {
  const lines = (all: readonly (readonly Cell[])[], isHead = false) =>
    all.map((row) => html`<tr>${cells(row, isHead, inside)}</tr>`);
  return html`<div class="scroll"><table${isWide === true && html` class="wide"`}>${caption !== undefined && html`<caption>${inline(caption)}</caption>`}<thead>${lines(head, true)}</thead><tbody>${lines(rows)}</tbody>${foot !== undefined && html`<tfoot>${lines(foot)}</tfoot>`}</table></div>`;
}

function cards({ as, cards: all }: Of<'cards'>, inside: Inside): Markup {
  const drawn = all.map(({ title, side, lost, blocks }) => {
    const marks = `${side === 'judge' ? 'neutral' : side}${lost === true ? ' forfeit' : ''}`;
    const body = html`<div class="turn"><header><b>${inline(title)}</b></header>${inside(blocks)}</div>`;
    return as === 'pair' ? html`<div class="${marks}">${body}</div>` : html`<li class="${marks}">${body}</li>`;
  });
  return as === 'pair' ? html`<div class="pair">${drawn}</div>` : html`<ul class="${as}">${drawn}</ul>`;
}

function retrieval({ cases }: Of<'retrieval'>, inside: Inside): Content {
  if (cases.length === 0) return null;
  const rows = cases.map(({ title, near, facts, blocks }) => {
    const words =
      facts === null
        ? prose(null)
        : facts.map(({ name: fact, value }) => html`<p><span class="quiet">${name(fact)}:</span> ${name(value)}</p>`);
    return html`<tr><th scope="row">${inline(title)}</th><td>${near}</td><td>${words}${inside(blocks)}</td></tr>`;
  });
  return html`<table class="wide"><thead><tr><th scope="col">Case and label</th><th scope="col">How near</th><th scope="col">Facts, and why the label fits</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const track = { width: 260, height: 16 };

function changes({ isDirected, rows }: Of<'changes'>): Markup {
  const [room, middle] = isDirected ? [track.width / 2, track.width / 2] : [track.width, 0];
  const drawn = rows.map(({ words, share, told }) => {
    const width = Math.abs(share) * room;
    const start = isDirected && share < 0 ? middle - width : middle;
    const side = isDirected ? (share < 0 ? 'loss' : 'gain') : 'amount';
    const axis = isDirected && html`<line class="axis" x1="${middle}" x2="${middle}" y1="0" y2="${track.height}"/>`;
    return html`<tr><th scope="row">${inline(words)}</th><td><svg aria-hidden="true" width="${track.width}" height="${track.height}" viewBox="0 0 ${track.width} ${track.height}">${axis}<rect class="${side}" x="${start.toFixed(1)}" y="3" width="${width.toFixed(1)}" height="${track.height - 6}"/></svg></td><td class="number">${inline(told)}</td></tr>`;
  });
  return html`<div class="scroll"><table><tbody>${drawn}</tbody></table></div>`;
}

const keys = ({ rows }: Pick<Of<'keys'>, 'rows'>): Markup =>
  html`<table class="keys"><tbody>${rows.map(({ name: title, words }) => html`<tr><th scope="row">${inline(title)}</th><td>${inline(words)}</td></tr>`)}</tbody></table>`;

function distribution({ title, belief }: Of<'distribution'>): Markup {
  const sorted = Object.entries(belief).toSorted(([, one], [, other]) => other - one);
  // Of many labels those without any share are counted.
  const held = sorted.filter(([, share]) => share > 0);
  const shown = sorted.length > 6 && held.length > 0 ? held : sorted;
  const more = sorted.length - shown.length;
  const rest = more > 0 && `, and ${more} more ${more === 1 ? 'label' : 'labels'} with no share`;
  return html`<p>${title}: ${shown.map(([label, share], index) => html`${index > 0 && ', '}${name(label)} ${percent(share)}`)}${rest}.</p>`;
}

export interface CaseMarks {
  readonly facts: readonly ShownFact[];
  /** Finds what is not among them. */
  readonly unfounded: (text: string) => readonly Unfounded[];
  /** Plans and notes that are left out wherever they are; absent where none are. */
  readonly hidden?: ReadonlySet<string | null>;
}

export const noMarks: CaseMarks = { facts: [], unfounded: () => [] };

function speech({ text, ofCase, isPrivate }: Of<'speech'>, { facts, unfounded, hidden }: CaseMarks): Content {
  if (isPrivate === true && text !== null && hidden?.has(text))
    return html`<p class="missing omitted">Left out of this report.</p>`;
  if (text === null || ofCase !== true) return prose(text);
  const foreign = unfounded(text);
  const isForeign = ({ start, end }: Mention) => foreign.some((each) => start < each.end && each.start < end);
  const mentions = mentionsIn(text, facts)
    .filter((mention) => !isForeign(mention))
    .map(({ start, end, fact }) => ({
      ...{ start, end },
      wrap: (content: Markup) =>
        html`<span class="mention" title="${attribute(`fact: ${plainly(facts[fact]?.name ?? '')}`)}">${content}</span>`,
    }));
  const dotted = foreign.map(({ start, end }) => ({
    ...{ start, end },
    wrap: (content: Markup) => html`<span class="unfounded" title="not found among the facts">${content}</span>`,
  }));
  const missing = [...new Set(foreign.map(({ start, end }) => text.slice(start, end)))];
  const marked = markedProse(
    text,
    [...mentions, ...dotted].toSorted((one, other) => one.start - other.start),
  );
  return html`${marked}${missing.length > 0 && html`<p class="quiet">Not found among the facts: ${listed(missing)}.</p>`}`;
}

const classes = { quiet: 'quiet', bad: 'bad', warn: 'warn', verdict: 'decision', title: 'title' } as const;

const draw: { readonly [K in BlockKind]: (block: Of<K>, inside: Inside, marks: CaseMarks) => Content } = {
  // Of words that only open calls nothing is left.
  words: ({ words, look }) =>
    plainAsText(words) !== '' && html`<p${look !== undefined && html` class="${classes[look]}"`}>${inline(words)}</p>`,
  failure: ({ failure, result }) => html`<p class="bad">${failureText[failure]} ${result}</p>`,
  speech: (block, _inside, marks) => speech(block, marks),
  fold: ({ isSealed, title, aside, blocks }, inside, { hidden }) =>
    isSealed === true && hidden !== undefined
      ? html`<p class="missing omitted">${inline(title)}: left out of this report.</p>`
      : html`<details${blocks.some(({ kind }) => kind === 'table') && html` open=""`}><summary>${inline(title)}${aside !== undefined && html` <span class="quiet">${aside}</span>`}</summary><div class="sealed">${inside(blocks)}</div></details>`,
  list({ items, isNumbered }, inside) {
    const all = items.map((blocks) => html`<li>${inside(blocks)}</li>`);
    return isNumbered === true ? html`<ol>${all}</ol>` : html`<ul>${all}</ul>`;
  },
  row: ({ blocks }, inside) => inside(blocks),
  columns: ({ columns }, inside) => html`<div class="pair">${columns.map((blocks) => html`<div>${inside(blocks)}</div>`)}</div>`,
  part: ({ title, aside, blocks }, inside) =>
    html`<h3>${title}${aside !== undefined && html` <span class="quiet">${inline(aside)}</span>`}</h3>${inside(blocks)}`,
  cards,
  changes,
  keys,
  pairs: keys,
  table,
  distribution,
  measure,
  charts: ({ charts, hasLegend }) =>
    html`${hasLegend && html`<p class="quiet">Dots: Agent A. Squares: Agent B. From left to right: the rounds.</p>`}<div class="charts">${charts.map(chart)}</div>`,
  retrieval,
  copy: () => null,
  awaited: () => html`<p class="quiet">Not heard.</p>`,
};

export function blocksOf(blocks: readonly Block[], marks: CaseMarks): Content {
  const inside: Inside = (inner) => blocksOf(inner, marks);
  return blocks.map((block) => {
    const one = draw[block.kind] as (block: Block, inside: Inside, marks: CaseMarks) => Content;
    return one(block, inside, marks);
  });
}

/** What is next to a heading on a screen, as a separate line. */
const sentence = (words: Words): Words => {
  const [first = '', ...more] = spansOf(words);
  return [typeof first === 'string' ? capitalized(first) : first, ...more];
};

/** A section of a telling; its heading is in the list of contents. */
export function sectionOf({ id, title, aside, blocks }: Section, marks: CaseMarks): Markup {
  const line = aside !== undefined && plainAsText(aside).trim() !== '' && html`<p class="quiet">${inline(sentence(aside))}</p>`;
  return html`<section id="${id}"><h2>${title}</h2>${line}${blocksOf(blocks, marks)}</section>`;
}
