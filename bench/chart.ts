// How smoothly the judge's timelines draw and pan with 100,000 beliefs in Chromium, compared with the same figure with 1,000 and an
// empty page. Frame times depend on the machine: read them against the reference of the same run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { findChromium } from '../e2e/support/chromium.ts';

const root = resolve(import.meta.dirname, '..');
const charts = join(root, 'src/renderer/charts');
const frames = 120;

interface Timing {
  /** Milliseconds from the option to the last mark. */
  readonly drawMs: number;
  /** Milliseconds between frames while the window moves over the figure. */
  readonly frameMs: readonly number[];
  readonly lines: number;
  readonly canvas: boolean;
}

/** Runs in the page: draws a figure, or nothing, and moves the window over it from frame to frame. */
const page = `
import { init } from ${JSON.stringify(join(charts, 'kit/echarts.ts'))};
import { drawnInSteps, marksIn, mostSvgMarks } from ${JSON.stringify(join(charts, 'kit/linkedMarks.ts'))};
import { paintFromCss } from ${JSON.stringify(join(charts, 'kit/paint.ts'))};
import { optionOf } from ${JSON.stringify(join(charts, 'kit/plot.ts'))};
import { timelinesOf } from ${JSON.stringify(join(charts, 'figures/beliefTimelines.ts'))};
import { manyBeliefs } from ${JSON.stringify(join(charts, 'figures/manyLines.fixture.ts'))};
const frame = () => new Promise((next) => requestAnimationFrame(next));
window.measure = async ({ beliefs, thinned, css, frames }) => {
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  let chart = null;
  let [drawMs, lines, canvas] = [0, 0, false];
  if (beliefs > 0) {
    const data = timelinesOf(manyBeliefs(beliefs), {}, thinned ? undefined : Infinity);
    const height = data.height;
    Object.assign(place.style, { width: '900px', height: height + 'px' });
    const option = optionOf(data, paintFromCss(css, 'light'), { width: 900, height });
    lines = option.series.reduce((sum, { type, data: drawn }) => sum + (type === 'lines' ? drawn.length : 0), 0);
    canvas = marksIn(option) > mostSvgMarks;
    const startedAt = performance.now();
    chart = init(place, null, { renderer: canvas ? 'canvas' : 'svg' });
    const finished = new Promise((done) => chart.on('finished', done));
    chart.setOption({ ...(canvas ? drawnInSteps(option) : option), animation: false });
    await finished;
    drawMs = performance.now() - startedAt;
  }
  for (let index = 0; index < 10; index++) await frame();
  const frameMs = [];
  let before = await frame();
  for (let index = 0; index < frames; index++) {
    const start = 25 * (1 + Math.sin(index / 12));
    chart?.dispatchAction({ type: 'dataZoom', start, end: start + 50 });
    const now = await frame();
    frameMs.push(now - before);
    before = now;
  }
  chart?.dispose();
  return { drawMs, frameMs, lines, canvas };
};
`;

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

function line(name: string, { drawMs, frameMs, lines, canvas }: Timing): string {
  const sorted = frameMs.toSorted((one, other) => one - other);
  const slow = sorted.filter((ms) => ms > 50).length;
  const [median, late, worst] = [0.5, 0.95, 1].map((share) => at(sorted, share).toFixed(1));
  const drawn = lines === 0 ? 'nothing' : `${lines} lines on ${canvas ? 'a canvas' : 'SVG'} in ${drawMs.toFixed(0)} ms`;
  return `${name}: drawn ${drawn}; frames while panning: median ${median} ms, 95% under ${late} ms, worst ${worst} ms, ${slow} of ${frameMs.length} over 50 ms`;
}

const folder = mkdtempSync(join(tmpdir(), 'assize-chart-bench-'));
try {
  const entry = join(folder, 'page.js');
  writeFileSync(entry, page);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { outDir: join(folder, 'out'), minify: true, lib: { entry, formats: ['iife'], name: 'bench', fileName: 'bench' } },
  });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const tab = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await tab.addScriptTag({ content: readFileSync(join(folder, 'out/bench.iife.js'), 'utf8') });
    const css = readFileSync(join(root, 'src/renderer/ui/base.css'), 'utf8');
    const measure = (beliefs: number, thinned: boolean): Promise<Timing> =>
      tab.evaluate(`measure(${JSON.stringify({ beliefs, thinned, css, frames })})`);
    console.log(
      `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} threads, ${Math.round(totalmem() / 2 ** 30)} GiB, Chromium ${browser.version()} without a graphics card`,
    );
    console.log(line('empty page (reference)', await measure(0, true)));
    console.log(line('1,000 beliefs (reference)', await measure(1_000, true)));
    console.log(line('100,000 beliefs, as the figure draws them', await measure(100_000, true)));
    console.log(line('100,000 beliefs, every line drawn', await measure(100_000, false)));
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
