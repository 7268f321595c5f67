import { readAnswer } from '../src/core/answers/read.ts';
import { hardText, hardUnits, places } from '../src/core/answers/texts.fixture.ts';
import { longestRepair } from '../src/core/answers/tolerant.ts';
import { verdictSpec } from '../src/core/answers/verdict.fixture.ts';

// The time that it takes to read 100 KB of the texts that are hardest to read, beside JSON.parse on as much of valid JSON.

const length = 100_000;
const budgetMs = 50;
const rounds = 5;

/** The shortest of several runs, in milliseconds: what the work takes where nothing else runs. */
function shortest(work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...times);
}

const valid = JSON.stringify(Array.from({ length: length / 40 }, (_, index) => ({ prediction: 'YES', confidence: index % 100 })));
const parse = shortest(() => JSON.parse(valid));
console.info(`JSON.parse of ${valid.length} characters: ${parse.toFixed(2)} ms`);

const rows = Object.entries(hardUnits).flatMap(([name, unit]) => {
  const texts = [
    ...places.map((place) => ({ name: `${name}, ${place}`, text: hardText(unit, length, place) })),
    // As much as goes to the library that repairs, and prose behind it.
    { name: `${name}, repaired`, text: hardText(unit, longestRepair - 60, 'inside').padEnd(length, 'word ') },
  ];
  return texts.map(({ name: title, text }) => ({ name: title, ms: shortest(() => readAnswer(verdictSpec, text, true)) }));
});
rows.sort((first, second) => second.ms - first.ms);
for (const { name, ms } of rows.slice(0, 12)) {
  console.info(`${name.padEnd(40)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / parse).toFixed(0).padStart(5)} times JSON.parse`);
}
const worst = rows[0]?.ms ?? 0;
console.info(`worst of ${rows.length}: ${worst.toFixed(1)} ms (budget ${budgetMs} ms)`);
process.exitCode = worst < budgetMs ? 0 : 1;
