// Prints how many marks on numbers and quotes are right, and writes that for the screens and into docs/marks.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { readLabelled } from './labelled.ts';
import { faultsIn } from './score.ts';
import { accuracyFile, accuracyJson, documentFile, documentText } from './written.ts';

const json = accuracyJson();
const document = documentText(readFileSync(documentFile, 'utf8'));
writeFileSync(accuracyFile, json);
writeFileSync(documentFile, document);
console.log(document.slice(document.indexOf('<!-- figures -->'), document.indexOf('<!-- end of figures -->')));
for (const fault of faultsIn(readLabelled('development'))) console.log(`development, ${fault}`);
