// Makes the arms and the experiments that look for what a model remembers of the data.
import { basename } from 'node:path';
import { isEmbeddingRole } from '../../../core/protocols/cast.ts';
import { probes } from '../../../core/protocols/index.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { type CastMember, type DatasetDefinition, longestName } from '../../../shared/experiment.ts';
import { limits } from '../datasets/limits.ts';
import { readRows } from '../datasets/table.ts';
import type { PreparedArm, PreparedExperiment } from './preparedArm.ts';

export const maskedName = (arm: string): string => `${arm} (names masked)`;

/** Whether the names of an arm's cases can be masked: not with unmasked examples, and not twice. */
export const canBeMasked = ({ definition, protocol, bound }: PreparedArm): boolean =>
  definition.mask === undefined && bound.shots === 0 && bound.precedents === null && !probes.includes(protocol);

interface ColumnCount {
  readonly name: string;
  /** Value -> rows that have it, empty cells left out. */
  readonly values: ReadonlyMap<string, number>;
}

/** The columns of a file in order, with their values; for columns with too many values for labels, only that fact. */
async function countColumns(path: string, { format, delimiter, encoding, sheet }: DatasetDefinition): Promise<ColumnCount[]> {
  const { result } = await readRows(path, { format, delimiter, encoding, sheet }, () => {
    const columns: { name: string; values: Map<string, number> }[] = [];
    return {
      columns(names) {
        for (const name of names.slice(columns.length)) columns.push({ name, values: new Map() });
      },
      uses: () => true,
      row(cells) {
        columns.forEach(({ values }, place) => {
          const cell = cells[place] ?? '';
          if (cell.trim() === '' || (values.size > limits.labels && !values.has(cell))) return;
          values.set(cell, (values.get(cell) ?? 0) + 1);
        });
      },
      finish: () => columns,
    };
  });
  return result;
}

const rowsWith = ({ values }: ColumnCount) => [...values.values()].reduce((sum, rows) => sum + rows, 0);
const commonest = (column: ColumnCount) => Math.max(...column.values.values()) / rowsWith(column);

/** Different values of a hidden column: with more, baselines that learn it take very long. */
const mostValues = 50;

/** Of the second half of the columns the one whose most frequent value is rarest: it is the hardest to guess. */
function hiddenColumn(columns: readonly ColumnCount[]): ColumnCount | undefined {
  return columns
    .slice(Math.ceil(columns.length / 2))
    .filter(({ values }) => values.size >= 2 && values.size <= mostValues)
    .toSorted((one, other) => commonest(one) - commonest(other))[0];
}

function answering({ arms }: PreparedExperiment): CastMember[] {
  const members = arms.flatMap(({ definition }) =>
    Object.entries(definition.cast).flatMap(([role, member]) => (isEmbeddingRole(role) ? [] : [member])),
  );
  return [
    ...new Map(members.toReversed().map((member) => [JSON.stringify([member.model, member.backend]), member])).values(),
  ].toReversed();
}

/**
 * An experiment by itself over the same table: each model is shown the columns of a row up to a hidden one, in the order of the
 * file, and writes its value. The hidden column is the label, so that accuracy is the share of cells completed, and the
 * baselines show how many can be completed without memory of the row.
 * @returns the experiment as a file has it
 */
export async function rowsExperiment(
  prepared: PreparedExperiment,
): Promise<Record<string, unknown> & { readonly arms: { name: string }[] }> {
  const { experiment, dataPath, file } = prepared;
  const { dataset } = experiment;
  if (dataset.kind !== 'tabular') {
    throw file.error(`rows are completed in tables, and these are cases of kind ${dataset.kind}; use probe=names`, [
      'dataset',
      'kind',
    ]);
  }
  const columns = (await countColumns(dataPath, dataset)).filter(({ name }) => name !== dataset.id);
  const hidden = hiddenColumn(columns);
  if (hidden === undefined) {
    throw file.error(
      `no column of the second half of the table has 2 to ${mostValues} different values, so none can be completed`,
      ['dataset', 'path'],
    );
  }
  const place = columns.indexOf(hidden);
  const name = `${experiment.name}, rows`;
  if (name.length > longestName) {
    throw new AssizeError(
      'bad-input',
      `the name of the new experiment would have more than ${longestName} characters; shorten it`,
      'name',
    );
  }
  const learned = dataset.split.train > 0;
  const most = Math.floor(rowsWith(hidden) * 0.4);
  const { path, format, delimiter, encoding, id } = dataset;
  return {
    ...{ version: 1, name, seed: experiment.seed },
    dataset: {
      ...{ path, format, delimiter, encoding, kind: 'tabular', id },
      label: { column: hidden.name },
      question: `In the file ${basename(dataPath)}, what stands in the column ${hidden.name} of this row?`,
      exclude: [...(id === undefined ? [] : [id]), ...columns.slice(place + 1).map((column) => column.name)],
      // Without training cases there is no baseline that learned the column from other rows.
      split: learned ? dataset.split : { test: 0.5, train: 0.5 },
      sample:
        learned && dataset.sample.from === 'test' ? { n: dataset.sample.n } : { n: Math.min(dataset.sample.n ?? most, most) },
    },
    backends: experiment.backends,
    runtime: experiment.runtime,
    arms: answering(prepared).map((member) => ({
      name: `${member.model}${member.backend === 'default' ? '' : ` at ${member.backend}`}`,
      protocol: 'completion',
      cast: { predictor: member },
    })),
  };
}
