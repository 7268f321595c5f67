// Reads experiment and study files whose arms are partly a matrix, as files that have only arms.
import { z } from 'zod';
import { isRecord } from '../../../core/answers/fields.ts';
import { matrixArms, matrixProblem } from '../../../core/matrix/matrix.ts';
import { matrixSchema } from '../../../shared/matrix.ts';
import { type JsonFile, readJsonFile } from './jsonFile.ts';

/** An experiment or study file with the arms of its matrix after those it names; their faults are placed in the matrix. Throws bad input. */
export function readArmsFile(path: string): JsonFile {
  const file = readJsonFile(path);
  if (!isRecord(file.value) || !Object.hasOwn(file.value, 'matrix')) return file;
  const { matrix } = file.parse(z.looseObject({ matrix: matrixSchema }));
  const problem = matrixProblem(matrix);
  if (problem !== null) throw file.error(problem.message, ['matrix', ...problem.at]);
  const { matrix: _expanded, arms = [], ...rest } = file.value;
  // What is no list is refused by the schema of the file.
  if (!Array.isArray(arms)) return file.replaced({ ...rest, arms }, (at) => at);
  const made = matrixArms(matrix);
  const written = made.map(({ place: _place, model: _model, ...arm }) => arm);
  return file.replaced({ ...rest, arms: [...arms, ...written] }, (at) => {
    const [key, index, part, ...inside] = at;
    const arm = key === 'arms' && typeof index === 'number' ? made[index - arms.length] : undefined;
    if (arm === undefined) return at;
    const protocol = ['matrix', 'protocols', arm.protocol];
    if (part === 'protocol') return protocol;
    if (part === 'params' || part === 'prompts') return [...protocol, part, ...inside.slice(0, 1)];
    if (part !== 'cast') return ['matrix'];
    const isOwn = Object.hasOwn(matrix.protocols[arm.protocol]?.cast ?? {}, inside[0] ?? '');
    return isOwn ? [...protocol, part, ...inside] : ['matrix', 'models', arm.place];
  });
}
