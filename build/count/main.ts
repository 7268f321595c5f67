// Prints each failed test, and last what the reports in test-results add up to. Exit 1 where anything failed or no test ran.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';
import { countLine, countResults } from './count.ts';

const count = countResults((file) => JSON.parse(readFileSync(join(root, 'test-results', file), 'utf8')));
for (const failure of count.failures) console.log(`FAILED  ${failure}`);
console.log(countLine(count));
process.exitCode = count.failed === 0 ? 0 : 1;
