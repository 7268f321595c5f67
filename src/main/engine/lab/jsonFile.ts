// Reads a JSON file and remembers where its keys stand, so that errors can name the line.
import { readFileSync, statSync } from 'node:fs';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import type { z } from 'zod';
import { type AssizeError, badInput } from '../../../shared/errors.ts';

type Path = readonly (string | number)[];

/** A key path as messages spell it: `arms[0].cast`. */
export const fieldName = (path: Path): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

export interface JsonFile {
  readonly value: unknown;
  /** An error about a key path of this file; a path that is not there is placed at its nearest parent. */
  error(message: string, path: Path): AssizeError;
  /** Checks the file against a schema; the first problem is thrown with its place. */
  parse<T>(schema: z.ZodType<T>): T;
  /** The same file with another value. @param placeOf key path in that value -> key path in this file */
  replaced(value: unknown, placeOf: (path: Path) => Path): JsonFile;
}

const mostBytes = 64 * 1024 * 1024;

const readFailures: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this file may not be read; check its permissions',
  EPERM: 'this file may not be read; check its permissions',
};

function readBytes(path: string): Buffer {
  try {
    // Before opening: to read a device would never end.
    const stats = statSync(path);
    if (stats.isDirectory()) throw badInput('this is a folder; name a file in it', { file: path });
    if (!stats.isFile()) throw badInput('this is not a regular file', { file: path });
    if (stats.size > mostBytes)
      throw badInput('the file is larger than 64 MB; an experiment file is a few kilobytes', { file: path });
    return readFileSync(path);
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error && 'code' in error)) throw error;
    throw badInput(readFailures[String(error.code)] ?? `the file cannot be read (${String(error.code)})`, { file: path });
  }
}

/** The text of a file in UTF-8. Throws bad input. @param holds what it should hold, for the words */
export function readTextFile(path: string, holds: string): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readBytes(path));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badInput('the file is not valid UTF-8; save it as UTF-8', { file: path });
  }
  if (text.trim() === '') throw badInput(`the file is empty; it must contain ${holds}`, { file: path });
  return text;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function nodeAt(root: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

function parse(text: string, path: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badInput('this is nested too deeply for an experiment file', { file: path });
  }
  const [first] = errors;
  if (root !== undefined && first === undefined) return root;
  const offset = first?.offset ?? 0;
  const reason =
    first === undefined
      ? 'value expected'
      : printParseErrorCode(first.error)
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .toLowerCase();
  throw badInput(`this is not valid JSON: ${reason}`, { file: path, line: lineAt(text, offset) });
}

/** What would be right, in zod's words; the branches of a union one after the other. */
function expectation(issue: z.core.$ZodIssue): string {
  const branches =
    issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => (first === undefined ? [] : [expectation(first)])) : [];
  return branches.length > 0
    ? branches.join(', or ')
    : issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, '');
}

/** A key with nearly this name that the schema knows at the place and the file does not have there. */
function knownKey(schema: z.ZodType, value: unknown, parent: Path, key: string): string | undefined {
  const near = [key.replace(/_?(columns?|names?)$/i, ''), key.replace(/s$/, ''), `${key}s`];
  return near.find((name) => {
    const renamed: unknown = structuredClone(value);
    const object = parent.reduce((inner, part) => Reflect.get(Object(inner), part) as unknown, renamed);
    if (name === '' || typeof object !== 'object' || object === null || name in object) return false;
    Object.assign(object, { [name]: null });
    const issues = schema.safeParse(renamed).error?.issues ?? [];
    return !issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys.includes(name));
  });
}

/** Reads a JSON file. Throws bad input for a missing file, broken JSON and a repeated key. */
export function readJsonFile(path: string): JsonFile {
  const text = readTextFile(path, 'an experiment as JSON');
  const root = parse(text, path);
  const errorAt = (message: string, at: Path) => {
    const node = nodeAt(root, at);
    return badInput(message, { file: path, line: lineAt(text, node.offset), ...(at.length > 0 ? { field: fieldName(at) } : {}) });
  };
  // JSON.parse would silently take the last of two equal keys.
  const seen = new Set<string>();
  visit(text, {
    onObjectProperty(name, _offset, _length, line, _character, parent) {
      const at = [...parent(), name];
      if (seen.has(JSON.stringify(at))) {
        const place = { file: path, line: line + 1, field: fieldName(at) };
        throw badInput(`key ${JSON.stringify(name)} occurs twice; remove one of them`, place);
      }
      seen.add(JSON.stringify(at));
    },
  });
  const fileWith = (value: unknown, placeOf: (at: Path) => Path): JsonFile => {
    const error: JsonFile['error'] = (message, at) => errorAt(message, placeOf(at));
    return {
      value,
      error,
      replaced: (other, within) => fileWith(other, (at) => placeOf(within(at))),
      parse(schema) {
        const result = schema.safeParse(value);
        if (result.success) return result.data;
        const [issue] = result.error.issues;
        if (issue === undefined) throw error('the file does not fit its schema', []);
        if (issue.code === 'unrecognized_keys') {
          const [key] = issue.keys;
          const at = [...issue.path.filter((part) => typeof part !== 'symbol'), ...(key === undefined ? [] : [key])];
          const meant = key === undefined ? undefined : knownKey(schema, value, at.slice(0, -1), key);
          const hint = meant === undefined ? '' : `, or did you mean ${JSON.stringify(meant)}?`;
          throw error(`unknown key ${JSON.stringify(key)}; remove it or check its spelling${hint}`, at);
        }
        const at = issue.path.filter((part) => typeof part !== 'symbol');
        throw error(
          findNodeAtLocation(root, [...placeOf(at)]) === undefined
            ? `this key is missing: ${expectation(issue)}`
            : expectation(issue),
          at,
        );
      },
    };
  };
  return fileWith(JSON.parse(text), (at) => at);
}
