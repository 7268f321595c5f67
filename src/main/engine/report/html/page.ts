// What every report is written on: one HTML file that needs nothing else.
import { type ErasureNote, erasedText } from '../../../../shared/erasure.ts';
import { programVersion } from '../../version.ts';
import { type Content, cssString, html, Markup, plainly } from './markup.ts';

/** The tag of a page that names the version of the program that made it. */
export const generatorTag = (version: string): string => `<meta name="generator" content="Assize ${version}">`;

/** Nothing may be loaded or run; the style is in the file itself. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

export const navigation = (places: readonly (readonly [id: string, title: string, ...unknown[]])[]): Markup =>
  html`<nav aria-label="Contents"><ul>${places.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;

export interface PageHead {
  readonly title: string;
  readonly running: string;
  /** What of the record fails its check: on the screen at the top, in print on every page; null where it is sound. */
  readonly fault: string | null;
  /** The erasure that took texts of it, said at the top; null where none did. */
  readonly erased: ErasureNote | null;
}

const erasedLine = (erased: ErasureNote) =>
  html`<p class="caveat" role="note"><b>Texts were erased from this record</b> on ${erased.at.slice(0, 10)}: ${erasedText(erased)}. Where they stood, this report says so. Verdicts, beliefs and labels are as recorded.</p>`;

export function page({ title, running, fault, erased }: PageHead, content: Content): Markup {
  const warned = `${fault === null ? '' : 'DAMAGED RECORD, do not rely on it: '}${running}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">
${new Markup(generatorTag(programVersion))}<title>${plainly(title)}</title>
${style(warned)}</head>
<body><main>${fault === null ? null : html`<p class="banner" role="alert">DAMAGED RECORD: ${fault}. Do not rely on what follows.</p>`}${erased && erasedLine(erased)}${content}</main></body></html>
`;
}

const light = `--paper:#fbfaf7;--panel:#fff;--ink:#1d1b18;--muted:#6f6a61;--line:#e4dfd5;--prosecution:#b4480f;--prosecution-panel:#fdf3ec;
--defense:#0b62a4;--defense-panel:#eef5fb;--judge:#4a4458;--judge-panel:#f3f1f6;--bad:#9d1c2b;--good:#2f6b3a;--flag:#fff1c2;--flag-ink:#6b4c00;`;
const dark = `--paper:#16171a;--panel:#1d1f23;--ink:#ebe8e1;--muted:#a19c92;--line:#35373c;--prosecution:#f09a62;--prosecution-panel:#2b1f19;
--defense:#7bb8ea;--defense-panel:#182530;--judge:#b9b0d0;--judge-panel:#24222b;--bad:#f0848f;--good:#84c98f;--flag:#44380f;--flag-ink:#f3d98b;`;

const rules = `
*{box-sizing:border-box}
html{font:15px/1.5 Inter,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:72rem;padding:2rem 1.5rem 4rem;overflow-wrap:break-word}
h1,h2,h3,p,table,ul,ol,dl,figure{margin:0 0 .75rem}
h1{font:600 1.9rem/1.2 "Source Serif 4",Georgia,"Liberation Serif",serif}
h2{font-size:.8rem;letter-spacing:.08em;text-transform:uppercase;color:var(--muted);margin:2.6rem 0 .9rem;padding-top:.7rem;border-top:2px solid var(--ink)}
h3{font-size:.95rem;margin-top:1.2rem}
a{color:inherit}
a:focus-visible,summary:focus-visible{outline:3px solid var(--defense);outline-offset:2px}
code,.prose{overflow-wrap:anywhere}
code{font-family:"JetBrains Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.85em}
.prose{font-family:"Source Serif 4",Georgia,"Liberation Serif",serif;font-size:1.1rem;line-height:1.55;white-space:pre-wrap;unicode-bidi:isolate}
#ruling .prose,#person .prose{max-width:46rem}
#person{& .prose{margin-bottom:.75rem}& p:has(+.prose){margin-bottom:.2rem}@media print{line-height:1.3;& .prose{line-height:1.3}}}
.sealed .prose,#prompts .prose{font-size:.95rem}#prompts details{margin-top:.35rem}
.crumbs,.quiet,.missing{color:var(--muted)}
.question{font:1.25rem/1.4 "Source Serif 4",Georgia,"Liberation Serif",serif;color:var(--muted)}
.banner{border:4px solid var(--bad);color:var(--bad);font-size:1.6rem;font-weight:800;line-height:1.25;padding:1rem 1.25rem;margin-bottom:1.5rem;text-align:center}
.caveat{border-left:4px solid var(--flag-ink);padding:.4rem .9rem;margin-bottom:1rem}
.verdict{display:flex;flex-wrap:wrap;gap:.6rem 2.5rem;border:1px solid var(--line);border-radius:.6rem;background:var(--panel);padding:1rem 1.25rem;margin:1rem 0}
.verdict div{min-width:7rem;max-width:100%}
.verdict b{display:block;font-size:1.45rem;line-height:1.25}
.verdict span.what{font-size:.78rem;letter-spacing:.05em;text-transform:uppercase;color:var(--muted)}
.bad{color:var(--bad)}.warn{color:var(--flag-ink)}.good{color:var(--good)}
.flags{list-style:none;padding:0}.flags li{border-left:4px solid var(--bad);padding:.15rem .75rem;margin-bottom:.4rem}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:start;color:var(--muted);padding-bottom:.4rem}
th,td{text-align:start;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--muted);font-weight:600;border-bottom-color:var(--ink)}
td.number,th.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
.scroll{overflow-x:auto}.figures{font-size:.85rem}.figures :is(td,th).number{white-space:normal}.figures .number+:not(.number){padding-inline-start:.6rem}
th bdi,td bdi{display:inline-block;max-width:18rem;overflow-wrap:break-word;vertical-align:top}
p[dir=auto],:is(th,td) bdi{text-align:-webkit-match-parent}
.keys td bdi{max-width:100%;overflow-wrap:anywhere}
.keys th{font-weight:500;width:16rem;color:var(--muted)}
code.step{overflow-wrap:normal}.step span{display:inline-block;white-space:nowrap}
@media screen{th code{white-space:nowrap}.paper{display:none}}
.wide td bdi{max-width:100%}.wide td .prose{font-size:1rem}
.invisible{font:600 .68em/1 "JetBrains Mono","DejaVu Sans Mono",monospace;border:1px solid currentColor;border-radius:.2em;padding:.05em .25em;margin:0 .1em;color:var(--bad);white-space:nowrap;unicode-bidi:isolate}
mark{background:var(--flag);color:var(--flag-ink);border-bottom:2px solid var(--flag-ink)}
.mention{border-bottom:2px solid var(--muted)}.unfounded{text-decoration:underline dotted 2px var(--flag-ink);text-underline-offset:4px}
.row{display:grid;grid-template-columns:minmax(0,1fr) 9rem 7.5rem;column-gap:1rem}
.row>.spoken{padding:.45rem 0;min-width:0}
.turn{border-radius:.5rem;padding:.8rem 1rem;background:var(--judge-panel);border-inline-start:4px solid var(--judge);margin-inline:7%}
.turn header{font-size:.82rem;margin-bottom:.2rem;color:var(--muted)}.turn header b{color:var(--judge)}
.prosecution .turn{background:var(--prosecution-panel);border-left:4px solid var(--prosecution);border-right:0;margin:0 15% 0 0}
.defense .turn{background:var(--defense-panel);border-right:4px solid var(--defense);border-left:0;margin:0 0 0 15%}
.prosecution .turn header b{color:var(--prosecution)}.defense .turn header b{color:var(--defense)}
.seats .turn header b,.chain .turn header b{color:var(--judge)}.forfeit .turn{background:none;border:1px dashed var(--bad);color:var(--bad)}
details{margin-top:.5rem}.notes>details{margin-inline:7%}.prosecution .notes>details{margin-inline:0 15%}.defense .notes>details{margin-inline:15% 0}.notes summary{color:var(--judge)}summary{cursor:pointer;font-size:.85rem}
.sealed{border:1px dashed var(--muted);border-radius:.4rem;background:var(--panel);padding:.6rem .8rem;margin-top:.4rem}
.timeline{position:relative;min-height:3.4rem}
.timeline svg{position:absolute;inset:0;width:100%;height:100%}
.timeline .middle{stroke:var(--line)}.timeline .line{stroke:var(--judge)}
.dot{position:absolute;top:50%;width:.75rem;height:.75rem;margin:-.375rem 0 0 -.375rem;border-radius:50%;background:var(--judge)}
.largest .dot{outline:3px solid var(--prosecution);outline-offset:2px}
.stated{align-self:center;font-size:.85rem;min-width:0}.stated b{display:block;font-size:1.05rem}
.pair,.seats{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));gap:1rem;list-style:none;padding:0}
.pair .turn,.seats .turn{margin:0}.chain{display:block;list-style:none;padding:0}.chain>li{margin-bottom:1rem}.chain .turn{margin:0 15% 0 0}
.cut{border:1px solid currentColor;border-radius:1rem;padding:.05rem .6rem;font-size:.85rem;color:var(--flag-ink);background:var(--flag)}
.pill{border:1px solid currentColor;border-radius:1rem;padding:.05rem .6rem;font-size:.85rem}.decision{font-size:1.2rem}.decision>bdi{font-weight:700;font-size:1.45rem}p.title{font-weight:600;font-size:.9rem;margin-top:.6rem}.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:.6rem 1.2rem}
.scale{font-size:.8rem;color:var(--muted)}.scale .ends{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 .5rem}.scale .ends>*{min-width:0;overflow-wrap:anywhere}.scale .ends>:last-child{margin-inline-start:auto;text-align:end}
svg text{fill:var(--ink);font:12px Inter,Arial,"Liberation Sans",sans-serif}
.axis{stroke:var(--line)}.curve{fill:none;stroke:var(--judge);stroke-width:2}.point{fill:var(--judge)}.gain{fill:var(--prosecution)}.loss{fill:var(--defense)}.amount{fill:var(--judge)}
figure svg{max-width:100%;height:auto}
@media screen and (max-width:46rem){.row{grid-template-columns:minmax(0,1fr) 4.5rem}.row>.timeline{grid-row:1/span 2;grid-column:2}.row>.stated{grid-column:1;grid-row:2;padding-inline-start:1rem}.prosecution .turn,.defense .turn,.turn{margin-inline:0}}
@page{size:A4;margin:18mm 15mm 16mm}
@media print{
html{font-size:12px;background:#fff}body{max-width:none;padding:0}nav,.omitted{display:none}
.verdict,.banner,figure,tr,table:has(svg),.seats>li,.chain>li{break-inside:avoid}:has(+.scroll svg){break-after:avoid}p{orphans:3;widows:3}.turn{-webkit-box-decoration-break:clone;box-decoration-break:clone}
#prompts .onscreen{display:none}:is(#person,#summary) h2{margin-top:1rem}:is(#person,#summary) h3{margin:.7rem 0 .2rem}:is(#person,#summary) :is(p,ul,.prose){margin-bottom:.35rem}#person .prose{max-width:none;font-size:1rem}#summary :is(th,td){padding-block:1px;line-height:1.25}#summary ul{margin-bottom:.2rem}
.banner{font-size:1.15rem;padding:.4rem .75rem;margin-bottom:.8rem;border-width:3px}#prompts:not(.unprinted),#trials{break-before:page}tr:has(.prose){break-inside:auto}.turn header,summary,.scale{break-after:avoid}.turn .prose{orphans:6;widows:6}tfoot{display:table-row-group}tfoot tr{break-before:avoid}
h1,h2,h3,caption{break-after:avoid}h2{margin-top:1.8rem}
thead{display:table-header-group}.scroll{overflow:visible}
details::details-content{content-visibility:visible;display:block;block-size:auto}summary{list-style:none}:focus-visible{outline:none!important}
#prompts.unprinted details{margin-top:0;break-inside:avoid}.unprinted .prose{display:none}
.turn,.verdict,.sealed,.dot,mark,.cut,.banner{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.row{grid-template-columns:minmax(0,1fr) 7rem 6rem}
}
`;

/** The whole style of a report; `running` is at the foot of every printed page. */
function style(running: string): Markup {
  const corner = 'font:8pt sans-serif;color:#555';
  const page = `@page{@bottom-left{content:${cssString(running)};${corner};text-align:left}@bottom-right{content:"Page " counter(page) " of " counter(pages);${corner}}}`;
  const themes = `:root{color-scheme:light dark;${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;
  return new Markup(`<style>${themes}${rules}${page}</style>`);
}
