// What the screens and docs/marks.md say of the marks, made from the labelled utterances.
import { join } from 'node:path';
import { accuracyTexts } from '../../src/core/text/unfoundedAccuracy.ts';
import { withBody } from '../markdown.ts';
import { root } from '../repository.ts';
import { readLabelled, type SetName } from './labelled.ts';
import { countsOf, tableOf } from './score.ts';

export const accuracyFile = join(root, 'src/core/text/unfoundedAccuracy.json');
export const documentFile = join(root, 'docs/marks.md');

const sets = { heldOut: 'Held out', development: 'Development' } as const satisfies Record<SetName, string>;
const names: readonly SetName[] = ['heldOut', 'development'];

export const accuracyJson = () =>
  `${JSON.stringify(Object.fromEntries(names.map((name) => [name, countsOf(readLabelled(name))])), null, 2)}\n`;

/** The page with the figures of today. */
export function documentText(page: string): string {
  const tables = names.map((name) => `### ${sets[name]}\n\n${tableOf(readLabelled(name))}`);
  return withBody(page, 'figures', [accuracyTexts(countsOf(readLabelled('heldOut'))).join(' '), ...tables].join('\n\n'));
}
