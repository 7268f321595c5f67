/** What somebody puts into a case or an answer to break out of a page. */

/** Text that breaks out of what is escaped carelessly. */
export const corpus = [
  '<script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '--></details></section></main>',
  '`$' + '{alert(1)}`',
  'javascript:alert(1)//http://evil.example/',
  '&lt;b&gt;&#60;i&#62;&amp',
  '\\3c /style>*{background:url(http://evil.example)}',
  '<![CDATA[<b>]]>',
  '{{7*7}}$' + '{7*7}',
];

/** Fields whose values the program itself chooses. */
const own = new Set(['kind', 'moment', 'failure', 'rejected', 'method', 'outcome', 'status', 'source', 'belief_source', 'setup']);

/** Every text of the data with another before it, names of labels included. */
export function infect(value: unknown, payload: string, field = ''): unknown {
  if (typeof value === 'string') return own.has(field) ? value : `${payload}${value}`;
  if (Array.isArray(value)) return value.map((part) => infect(part, payload, typeof part === 'string' ? field : ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      ['belief', 'templates', 'cast', 'params', 'groups'].includes(field) ? `${payload}${key}` : key,
      infect(part, payload, key),
    ]),
  );
}
