// The arms of a matrix: each model in each protocol with each of its values, but for those that are left out.
import { type ArmDefinition, longestName } from '../../shared/experiment.ts';
import type { Matrix } from '../../shared/matrix.ts';
import { armNameSeparator } from '../figures/armNames.ts';
import { findProtocol } from '../protocols/index.ts';

/** Arms that one matrix can make: statistics compare each arm with each other. */
export const mostMatrixArms = 400;

export interface MatrixArm extends Pick<ArmDefinition, 'name' | 'protocol' | 'params' | 'prompts' | 'cast'> {
  /** Place of its model in `models`. */
  readonly place: number;
  readonly model: string;
}

interface Problem {
  readonly message: string;
  /** Key path inside the matrix. */
  readonly at: readonly (string | number)[];
}

const text = (value: unknown): string => JSON.stringify(value);
const isSame = (one: unknown, other: unknown): boolean => text(one) === text(other);

/** Every choice of one value from each list, the last list varying first. */
const product = <Value>(lists: readonly (readonly Value[])[]): Value[][] =>
  lists.reduce<Value[][]>((made, list) => made.flatMap((before) => list.map((value) => [...before, value])), [[]]);

/** The name of an arm by what it is, so that no other arm can change it. @param changed its parameters in words, without those at their defaults */
export const armNameFrom = (protocol: string, model: string, prompts: string, changed: readonly string[]): string =>
  [findProtocol(protocol)?.title ?? protocol, model, prompts, ...changed].filter((part) => part !== '').join(armNameSeparator);

const paramText = ([name, value]: readonly [string, unknown]) => `${name}: ${typeof value === 'string' ? value : text(value)}`;

function defaultsOf(protocol: string): (name: string) => unknown {
  const properties = Object(findProtocol(protocol)?.paramsSchema.properties);
  return (name) => (Object.hasOwn(properties, name) ? Object(properties[name]).default : undefined);
}

const modelOf = (entry: Matrix['models'][number]): string => (typeof entry === 'string' ? entry : entry.model);

/** The ways in which a protocol is asked: values of its parameters, and its prompts. */
function waysOf({ protocols }: Matrix, protocol: string) {
  const { params = {}, prompts = [null] } = protocols[protocol] ?? {};
  const chosen = product(Object.entries(params).map(([name, values]) => values.map((value) => [name, value] as const)));
  return chosen.flatMap((values) => prompts.map((variant) => ({ values: Object.fromEntries(values), prompts: variant })));
}

type Exclusion = Matrix['exclude'][number];

const isExcluded = (
  arm: { model: string; protocol: string; values: Readonly<Record<string, unknown>>; prompts: string | null },
  { model, protocol, params = {}, prompts }: Exclusion,
): boolean =>
  (model === undefined || model === arm.model) &&
  (protocol === undefined || protocol === arm.protocol) &&
  (prompts === undefined || prompts === arm.prompts) &&
  Object.entries(params).every(([name, value]) => Object.hasOwn(arm.values, name) && isSame(arm.values[name], value));

/** How many arms it makes, those counted that are left out. */
export const matrixSize = ({ models, protocols }: Pick<Matrix, 'models' | 'protocols'>): number =>
  models.length *
  Object.values(protocols).reduce(
    (sum, { params, prompts = [null] }) =>
      sum + Object.values(params).reduce((ways, values) => ways * values.length, prompts.length),
    0,
  );

function cellsOf(matrix: Matrix) {
  return Object.keys(matrix.protocols).flatMap((protocol) =>
    waysOf(matrix, protocol).flatMap((way) =>
      matrix.models.map((entry, place) => ({ ...way, protocol, entry, place, model: modelOf(entry) })),
    ),
  );
}

function repeatedIn(values: readonly unknown[], at: Problem['at']): Problem[] {
  const index = values.findIndex((value, place) => values.findIndex((other) => isSame(other, value)) < place);
  return index < 0 ? [] : [{ message: `${text(values[index])} is here twice; name each once`, at: [...at, index] }];
}

/** What keeps arms from being made of it, or null: more arms than one matrix can make, something twice, or an exclusion of nothing. */
export function matrixProblem(matrix: Matrix): Problem | null {
  const { models, protocols, exclude } = matrix;
  const [repeated] = [
    ...repeatedIn(models.map(modelOf), ['models']),
    ...Object.entries(protocols).flatMap(([protocol, { params, prompts = [] }]) => [
      ...Object.entries(params).flatMap(([name, values]) => repeatedIn(values, ['protocols', protocol, 'params', name])),
      ...repeatedIn(prompts, ['protocols', protocol, 'prompts']),
    ]),
  ];
  if (repeated !== undefined) return repeated;
  const size = matrixSize(matrix);
  if (size > mostMatrixArms) {
    return {
      message: `this makes ${size} arms, and a matrix can make ${mostMatrixArms}, those in "exclude" counted; take values out, or make two experiments`,
      at: [],
    };
  }
  const cells = cellsOf(matrix);
  const idle = exclude.findIndex((each) => !cells.some((cell) => isExcluded(cell, each)));
  if (idle >= 0) {
    return { message: `no arm of the matrix has this: ${text(exclude[idle])}; correct it or take it out`, at: ['exclude', idle] };
  }
  const arms = matrixArms(matrix);
  if (arms.length === 0) return { message: 'this leaves out every arm of the matrix', at: ['exclude'] };
  const long = arms.find(({ name }) => name.length > longestName);
  return long === undefined
    ? null
    : {
        message: `the name of an arm would be longer than ${longestName} characters; write that arm in "arms": ${long.name}`,
        at: [],
      };
}

/**
 * The arms, by protocol, values and models in the order of the matrix. A parameter at its default is left out of the arm and of
 * its name, so that a further value, or a further parameter with its default among the values, changes no other arm.
 */
export function matrixArms(matrix: Matrix): MatrixArm[] {
  return cellsOf(matrix)
    .filter((cell) => !matrix.exclude.some((each) => isExcluded(cell, each)))
    .map(({ protocol, values, prompts, entry, place, model }) => {
      const defaultOf = defaultsOf(protocol);
      const changed = Object.entries(values).filter(([name, value]) => !isSame(defaultOf(name), value));
      const member = typeof entry === 'string' ? { model, backend: 'default', options: {} } : entry;
      return {
        name: armNameFrom(protocol, model, prompts ?? '', changed.map(paramText)),
        protocol,
        params: Object.fromEntries(changed),
        ...(prompts === null ? {} : { prompts }),
        cast: { '*': member, ...matrix.protocols[protocol]?.cast },
        place,
        model,
      };
    });
}
