import { readFileSync } from 'node:fs';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { z } from 'zod';
import { type AssizeError, badInput } from '../../../shared/errors.ts';

type Path = readonly (string | number)[];

const fieldName = (path: Path) =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('').replace(/^\./, '');

/** A JSON file with the places of its keys, so that an error can name line and field. */
export interface JsonFile {
  readonly path: string;
  readonly value: unknown;
  /** An error about a key path of this file; a path that is not there is placed at its nearest parent. */
  error(message: string, path: Path): AssizeError;
  /** Checks the file against a schema; the first problem is thrown with its place. */
  parse<T>(schema: z.ZodType<T>): T;
}

const mostBytes = 64 * 1024 * 1024;

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw badInput('there is no such file', { file: path });
    if (code === 'EISDIR') throw badInput('this is a folder; name the experiment file in it', { file: path });
    if (code === 'EACCES') throw badInput('this file may not be read; check its permissions', { file: path });
    throw error;
  }
  if (bytes.length > mostBytes) throw badInput('the file is larger than 64 MB; an experiment file is a few kilobytes', { file: path });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badInput('the file is not valid UTF-8; save it as UTF-8', { file: path });
  }
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

/** Reads a JSON file. Throws bad input for a missing file, broken JSON and a repeated key. */
export function readJsonFile(path: string): JsonFile {
  const text = readText(path);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (root === undefined || first !== undefined) {
    const offset = first?.offset ?? 0;
    const reason = first === undefined ? 'the file is empty' : printParseErrorCode(first.error).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    throw badInput(`this is not valid JSON: ${reason}`, { file: path, line: lineAt(text, offset) });
  }
  const error = (message: string, at: Path) => {
    const node = nodeAt(root, at);
    return badInput(message, { file: path, line: lineAt(text, node.offset), ...(at.length > 0 ? { field: fieldName(at) } : {}) });
  };
  refuseRepeatedKeys(root, [], error);
  const value: unknown = JSON.parse(text);
  return {
    path,
    value,
    error,
    parse(schema) {
      const result = schema.safeParse(value);
      if (result.success) return result.data;
      const [issue] = result.error.issues;
      if (issue === undefined) throw error('the file does not fit its schema', []);
      if (issue.code === 'unrecognized_keys') {
        const [key] = issue.keys;
        const at = [...issue.path.filter((part) => typeof part !== 'symbol'), ...(key === undefined ? [] : [key])];
        throw error(`unknown key ${JSON.stringify(key)}; remove it or check its spelling`, at);
      }
      throw error(issue.message, issue.path.filter((part) => typeof part !== 'symbol'));
    },
  };
}

/** JSON.parse would silently take the last of two equal keys. */
function refuseRepeatedKeys(node: Node, path: Path, error: JsonFile['error']): void {
  const seen = new Set<string>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') refuseRepeatedKeys(child, [...path, index], error);
    else if (child.type === 'property') {
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      if (seen.has(name)) throw error(`key ${JSON.stringify(name)} stands twice`, [...path, name]);
      seen.add(name);
      if (value !== undefined) refuseRepeatedKeys(value, [...path, name], error);
    }
  }
}
