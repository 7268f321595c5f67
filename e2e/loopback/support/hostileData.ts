import { type CaseDefinition, caseDefinitionSchema } from '../../../src/shared/api/dataFiles.ts';
import type { DraftInput } from '../../../src/shared/api/experiments.ts';
import { csvOf } from './corpora.ts';
import type { EngineConnection } from './engineApi.ts';
import { runToItsEnd } from './record.ts';

const columns = 12;

/** A text as far as it can be the name of a file. */
export const fileNameOf = (text: string): string => `${text.replaceAll('/', '')}.csv`;

/** A file whose columns, cells, groups and labels are the given texts, each of them at least once in a cell. */
export function hostileFile(texts: readonly string[]): { csv: string; definition: CaseDefinition } {
  const textAt = (index: number) => texts[index % texts.length] ?? '';
  const names = [...new Set(texts)].slice(0, columns);
  const [first = '', second = '', third = ''] = texts;
  const rows = Array.from({ length: Math.ceil(texts.length / columns) + 1 }, (_none, row) => [
    `${row + 1}`,
    ...names.map((_name, column) => textAt(row * columns + column)),
    row % 2 === 0 ? first : second,
    third,
  ]);
  return {
    csv: csvOf([['id', ...names, 'outcome', `group ${first}`], ...rows]),
    definition: caseDefinitionSchema.parse({
      format: 'csv',
      id: 'id',
      label: { column: 'outcome' },
      positive: first,
      question: `Who is right? ${third}`,
      groups: [`group ${first}`],
    }),
  };
}

export interface HostileRecord {
  readonly entry: string;
  readonly experiment: string;
  readonly trial: string;
}

/** A data set and a finished experiment in which everything that has a name has one of the given texts as its name. */
export async function makeHostileRecord(
  engine: EngineConnection,
  texts: readonly string[],
  model: string,
): Promise<HostileRecord> {
  const [first = '', second = '', third = ''] = texts;
  const { csv, definition } = hostileFile(texts);
  const { upload } = await engine.upload(fileNameOf(first), csv);
  const entry = await engine.api.dataFiles.add({ upload, name: `Data ${first}`, definition });
  const draft: DraftInput = {
    name: `Experiment ${second}`,
    entry: entry.id,
    sample: { n: 2 },
    backend: 'ollama',
    arms: [
      { name: `Court ${third}`, protocol: 'agentic-sim', cast: { '*': { model } } },
      { name: `Solo ${first}`, protocol: 'standard', cast: { '*': { model } } },
    ],
  };
  const { experiment, lines } = await runToItsEnd(engine.api, draft);
  const trial = lines.find(({ protocol }) => protocol === 'agentic-sim')?.trial;
  if (trial === undefined) throw new Error('no trial was held in court');
  return { entry: entry.id, experiment, trial };
}
