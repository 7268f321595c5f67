/** A strict reader of the pages that reports are: anything that it does not expect is a fault. */

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  html: ['lang'],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  nav: ['aria-label'],
  a: ['href'],
  section: ['id', 'class'],
  div: ['id', 'class', 'dir', 'aria-hidden'],
  h3: ['id', 'class'],
  p: ['class', 'dir', 'role'],
  b: ['class'],
  ul: ['class'],
  span: ['class', 'title', 'style'],
  mark: ['title'],
  table: ['class'],
  tr: ['id', 'class'],
  details: ['open'],
  th: ['scope', 'class', 'colspan', 'rowspan'],
  td: ['class', 'colspan'],
  strong: ['class'],
  svg: ['viewBox', 'preserveAspectRatio', 'role', 'aria-labelledby', 'aria-hidden', 'width', 'height'],
  line: ['class', 'x1', 'y1', 'x2', 'y2', 'stroke-width', 'vector-effect'],
  text: ['x', 'y', 'text-anchor'],
  polyline: ['class', 'points'],
  circle: ['class', 'cx', 'cy', 'r'],
  rect: ['class', 'x', 'y', 'width', 'height'],
  title: ['id'],
  desc: ['id'],
};
const plain = [
  ...['head', 'style', 'body', 'main', 'header', 'h1', 'h2', 'bdi', 'br', 'code', 'summary', 'figure', 'figcaption'],
  ...['caption', 'thead', 'tbody', 'tfoot', 'tr', 'ol', 'li'],
];
const without = new Set(['meta', 'br']);

const tagPattern = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)\s*(\/?)>/g;

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/([a-zA-Z0-9-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]));
}

/** Every opening tag, in order. */
export function elementsOf(page: string): Element[] {
  return [...page.matchAll(tagPattern)].flatMap(([, slash, tag = '', attributes = '']) =>
    slash === '' ? [{ tag, attributes: attributesOf(attributes) }] : [],
  );
}

/** Text of the page as a reader sees it: tags taken away, entities read. */
export function textOf(page: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };
  return page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(tagPattern, '')
    .replace(/&([a-z]+|#\d+);/g, (_whole, entity: string) => entities[entity] ?? `[unknown entity ${entity}]`);
}

/** Everything by which the page is not the closed, balanced, harmless one that it must be. */
export function faultsOf(page: string): string[] {
  const faults: string[] = [];
  const rest = page
    .replace('<!doctype html>', '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(tagPattern, '');
  if (/[<>]/.test(rest)) faults.push(`stray bracket: ${/.{0,30}[<>].{0,30}/s.exec(rest)?.[0]}`);
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  if (style === '' || /url\(|@import|expression|javascript/i.test(style.replace(/"(?:[^"\\]|\\.)*"/g, '""')))
    faults.push('style');
  const open: string[] = [];
  for (const [, slash, tag = '', , closed] of page.matchAll(tagPattern)) {
    if (slash === '/') {
      const last = open.pop();
      if (last !== tag) faults.push(`</${tag}> closes <${last}>`);
    } else if (!without.has(tag) && closed !== '/') open.push(tag);
  }
  if (open.length > 0) faults.push(`not closed: ${open.join(' ')}`);
  const elements = elementsOf(page);
  const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
  if (new Set(ids).size !== ids.length) faults.push('an id occurs twice');
  // Of neither side is what has no rule.
  const drawn = new Set(['', 'neutral', ...[...style.matchAll(/\.([a-z]+)/g)].map(([, name]) => name)]);
  for (const { tag, attributes } of elements) {
    for (const name of attributes.class?.split(' ') ?? []) if (!drawn.has(name)) faults.push(`class ${name} without a rule`);
    const known = allowed[tag] ?? (plain.includes(tag) ? ['class', 'scope'] : null);
    if (known === null) faults.push(`<${tag}>`);
    for (const [name, value] of Object.entries(attributes)) {
      if (known?.includes(name) === false) faults.push(`${name} of <${tag}>`);
      if (name === 'href' && !(value.startsWith('#') && ids.includes(value.slice(1)))) faults.push(`link to ${value}`);
      if (name === 'id' && !/^[a-z][a-z\d-]*$/.test(value)) faults.push(`id ${value}`);
      if (name === 'style' && !/^left:\d+\.\d\d%$/.test(value)) faults.push(`style ${value}`);
      if (name !== 'title' && /https?:|javascript:|\/\//i.test(value)) faults.push(`address in ${name}`);
    }
  }
  return faults;
}
