import { readdirSync, readFileSync } from 'node:fs';
// Loaded before the reader, so that their patterns are not counted as its own.
import 'jsonrepair';
import 'zod';
import ts from 'typescript';
import { hardText, hardUnits, places } from '../src/core/answers/texts.fixture.ts';
import { verdictSpec } from '../src/core/answers/verdict.fixture.ts';

// How the time grows with the length of the hardest texts: for the whole reader, and for every regular expression of
// its modules by itself. Twice the text may take twice the time; the budget for 100 KB is 50 ms. Times are the process's
// own, so that other work on the machine does not count.

const short = 50_000;
const long = 100_000;
const budgetMs = 50;
const rounds = 9;
/** Ratio above which growth is called more than linear; shorter times tell nothing. */
const steepest = 2.8;
const leastMs = 3;

function median(work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const started = process.cpuUsage();
    work();
    return process.cpuUsage(started).user / 1000;
  }).toSorted((first, second) => first - second);
  return times[Math.floor(rounds / 2)] ?? Number.NaN;
}

interface Row {
  readonly name: string;
  readonly longMs: number;
  readonly ratio: number;
}

function grow(name: string, textOf: (length: number) => string, work: (text: string) => void): Row {
  const [shortText, longText] = [textOf(short), textOf(long)];
  const started = process.cpuUsage();
  work(shortText);
  const once = process.cpuUsage(started).user / 1000;
  // A pattern that needs half a second once needs no more rounds to be found out.
  if (once > 500) return { name, longMs: 4 * once, ratio: Number.POSITIVE_INFINITY };
  const measure = (): Row => {
    const shortMs = median(() => work(shortText));
    const longMs = median(() => work(longText));
    return { name, longMs, ratio: longMs / shortMs };
  };
  const row = measure();
  if (row.ratio <= steepest) return row;
  // The clock or a collection of garbage may have been in the way: true growth shows twice.
  const again = measure();
  return again.ratio < row.ratio ? again : row;
}

/** The regular expressions that stand in the reader's modules as literals. */
function literals(): { readonly name: string; readonly pattern: RegExp }[] {
  const folder = new URL('../src/core/answers/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name));
  return files.flatMap((file) => {
    const found: { name: string; pattern: RegExp }[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
        found.push({ name: `${file} ${node.text.slice(0, 60)}`, pattern: new RegExp(source, `${flags.replace('g', '')}g`) });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(new URL(file, folder), 'utf8'), ts.ScriptTarget.Latest, true));
    return found;
  });
}

/** The patterns that the reader puts together from words when it is loaded, and for one answer. */
async function composed(): Promise<{ readonly name: string; readonly pattern: RegExp }[]> {
  const made = new Map<string, RegExp>();
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args: [string | RegExp, string?]) => {
      const pattern = new target(...args);
      made.set(pattern.source, new target(pattern.source, `${pattern.flags.replace('g', '')}g`));
      return pattern;
    },
  });
  const { readAnswer: read } = await import('../src/core/answers/read.ts');
  const answer = '{"prediction":"YES","confidence":70,"scale":"0-100"}';
  read(verdictSpec, `Well, not NO. ${answer} Actually, 7 out of 10. NO?`, true);
  read(verdictSpec, 'Prediction: YES\nConfidence: 70', true);
  globalThis.RegExp = original;
  return [...made].map(([source, pattern]) => ({ name: `composed /${source.slice(0, 60)}`, pattern }));
}

const made = await composed();
const { readAnswer } = await import('../src/core/answers/read.ts');
const { longestRepair } = await import('../src/core/answers/tolerant.ts');

const wholeReader = Object.entries(hardUnits).flatMap(([unitName, unit]) =>
  places.map((place) =>
    grow(
      `${unitName}, ${place}`,
      (length) => hardText(unit, length, place),
      (text) => {
        readAnswer(verdictSpec, text, true);
      },
    ),
  ),
);

const repaired = Object.entries(hardUnits).map(([unitName, unit]) => {
  // As much as goes to the library that repairs, and prose behind it.
  const object = hardText(unit, longestRepair - 60, 'inside');
  return grow(
    `${unitName}, repaired`,
    (length) => object.padEnd(length, 'word '),
    (text) => {
      readAnswer(verdictSpec, text, true);
    },
  );
});

const patterns = [...literals(), ...made];
const alone = patterns.flatMap(({ name, pattern }) =>
  Object.entries(hardUnits).map(([unitName, unit]) =>
    grow(
      `${name}, ${unitName}`,
      (length) => hardText(unit, length, 'alone'),
      (text) => {
        text.replace(pattern, '');
      },
    ),
  ),
);

function report(title: string, rows: readonly Row[]): number {
  const steep = rows.filter(({ longMs, ratio }) => longMs >= leastMs && ratio > steepest);
  console.info(`\n${title}: ${rows.length} measured, ${steep.length} grow by more than ${steepest}; the slowest, and those:`);
  const slowest = rows.toSorted((first, second) => second.longMs - first.longMs).slice(0, 8);
  for (const { name, longMs, ratio } of new Set([...slowest, ...steep])) {
    console.info(`${longMs.toFixed(1).padStart(9)} ms  x ${ratio.toFixed(2).padStart(6)}  ${name}`);
  }
  return steep.length;
}

const steepReadings = report('Readings', wholeReader);
report('Readings with a repair', repaired);
report(`Patterns by themselves (${patterns.length}; most of them get far shorter texts)`, alone);
const worst = Math.max(...[...wholeReader, ...repaired].map(({ longMs }) => longMs));
console.info(`\nworst reading of ${long} characters: ${worst.toFixed(1)} ms (budget ${budgetMs} ms)`);
process.exitCode = worst < budgetMs && steepReadings === 0 ? 0 : 1;
