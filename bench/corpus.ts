import { parseMethods } from '../src/core/answers/answer.ts';
import { corpus, readRow } from '../src/core/answers/corpus/corpus.fixture.ts';

// How much of the corpus of raw answers is read, by which method, and whether anything is read wrongly.

const failures = ['malformed', 'invalid_label', 'undecided'];
const columns = ['answers', 'usable', ...parseMethods, 'lost', ...failures, 'wrong'];
const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

const counts = corpus.map((part) => {
  const readings = part.rows.map((row) => ({ usable: row[1] !== null, ...readRow(part, row) }));
  const usable = readings.filter((reading) => reading.usable);
  const numbers: Record<string, number> = {
    answers: readings.length,
    usable: usable.length,
    lost: usable.filter(({ value }) => value === undefined).length,
    wrong: readings.filter(({ wrong }) => wrong).length,
  };
  for (const method of parseMethods) numbers[method] = usable.filter(({ read, wrong }) => read === method && !wrong).length;
  for (const kind of failures) numbers[kind] = readings.filter((reading) => !reading.usable && reading.read === kind).length;
  return { title: part.title, numbers };
});
const total = (column: string): number => counts.reduce((sum, { numbers }) => sum + (numbers[column] ?? 0), 0);

const width = Math.max(...counts.map(({ title }) => title.length)) + 2;
const line = (title: string, cell: (column: string) => string): string =>
  title.padEnd(width) + columns.map((column) => cell(column).padStart(column.length + 2)).join('');
console.info(line('', (column) => column));
for (const { title, numbers } of counts) console.info(line(title, (column) => String(numbers[column] ?? 0)));
console.info(line('all', (column) => String(total(column))));

console.info(`\nOf ${total('usable')} answers that say something that may be used:`);
for (const column of [...parseMethods, 'lost']) console.info(`  ${column.padEnd(16)} ${share(total(column), total('usable'))}`);
console.info(
  `Of ${total('answers') - total('usable')} others, ${failures.reduce((sum, kind) => sum + total(kind), 0)} are refused.`,
);
console.info(`Wrong values: ${total('wrong')}`);
process.exitCode = total('wrong') === 0 ? 0 : 1;
