import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';
import { findCycles } from './cycles.ts';
import {
  isIn,
  isTest,
  knownFiles,
  type Layer,
  layerOf,
  layers,
  measuredFiles,
  measuredPlaces,
  mostLines,
  preserves,
  sqlPlace,
} from './rules.ts';
import { type GlobalUse, type Reference, type Scan, scan } from './scan.ts';

export const ruleNames = [
  'nothing-seen',
  'unplaced',
  'unreadable-import',
  'unresolved-import',
  'layer',
  'outside',
  'test-import',
  'package',
  'builtin',
  'preserve',
  'global',
  'sql',
  'cycle',
  'length',
] as const;

export type RuleName = (typeof ruleNames)[number];

export interface Breach {
  readonly rule: RuleName;
  readonly file: string;
  readonly line: number;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Files of the repository: path from its root, with slashes, to text. */
export type Files = ReadonlyMap<string, string>;

export function describeBreach({ file, line, rule, message }: Breach): string {
  return `${file}:${line} [${rule}] ${message}`;
}

/** Holds the files against the rules of `rules.ts`. */
export function checkBoundaries(files: Files): Breach[] {
  const inSource = [...files.keys()].filter((path) => path.startsWith('src/'));
  if (inSource.length === 0) {
    return [
      {
        rule: 'nothing-seen',
        file: 'src/',
        line: 1,
        message: 'No file was seen: run the check from the repository root, or fix how it lists files.',
      },
    ];
  }
  const graph = new Map<string, Map<string, number>>();
  const breaches = [...files].flatMap(([path, text]) => checkLength(path, text));
  for (const path of inSource) {
    const layer = layerOf(path);
    if (!layer || !knownFiles.some((end) => path.endsWith(end))) {
      const placeNames = layers.map(({ place }) => place).join(', ');
      breaches.push({
        rule: 'unplaced',
        file: path,
        line: 1,
        message: `It is in no layer, or is of no known kind. Move it to one of ${placeNames}, or add its layer or kind to build/boundaries/rules.ts.`,
      });
    } else if (/\.tsx?$/.test(path)) {
      const found = scan(path, files.get(path) ?? '', !isTest(path));
      const targets = new Map<string, number>();
      graph.set(path, targets);
      breaches.push(...found.references.flatMap((reference) => checkReference({ path, layer, files, targets }, reference)));
      if (!isTest(path)) breaches.push(...checkUses(path, layer, found));
    }
  }
  breaches.push(...findCycles(graph).map(cycleBreach));
  return breaches.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function checkLength(file: string, text: string): Breach[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines <= mostLines || !isIn(file, measuredPlaces) || !measuredFiles.some((end) => file.endsWith(end))) return [];
  return [
    {
      rule: 'length',
      file,
      line: mostLines + 1,
      message: `It has ${lines} lines and ${mostLines} are the limit: split it by what its parts are about.`,
    },
  ];
}

function cycleBreach({ path, line }: { path: readonly string[]; line: number }): Breach {
  const file = path[0] ?? '';
  return {
    rule: 'cycle',
    file,
    line,
    message: `Import cycle ${[...path, file].join(' -> ')}. Move what both need into a separate file.`,
  };
}

interface Place {
  readonly path: string;
  readonly layer: Layer;
  readonly files: Files;
  /** Files of src/ that this one imports, with the line of the first import: filled here. */
  readonly targets: Map<string, number>;
}

function checkReference(place: Place, { kind, specifier, line }: Reference): Breach[] {
  const { path } = place;
  const breach = (rule: RuleName, message: string): Breach[] => [{ rule, file: path, line, message }];
  if (kind === 'reference')
    return breach(
      'unreadable-import',
      'A triple-slash reference goes around the tsconfig of the layer: import what you need instead.',
    );
  if (specifier === null) {
    return isTest(path)
      ? []
      : breach(
          'unreadable-import',
          'It is not clear what is imported here: write the module as a plain string, for instance in a table of imports.',
        );
  }
  if (specifier.startsWith('.')) return checkPath(place, specifier, line, kind);
  if (isBuiltin(specifier)) return checkBuiltin(place, specifier, line);
  if (/^[#~/]|^[a-z]+:/.test(specifier))
    return breach('unresolved-import', `${specifier} is neither a relative path nor a package: write the path.`);
  return checkPackage(place, specifier, line);
}

function checkPath({ path, layer, files, targets }: Place, specifier: string, line: number, kind: Reference['kind']): Breach[] {
  const breach = (rule: RuleName, message: string): Breach[] => [{ rule, file: path, line, message }];
  const target = join(dirname(path), specifier.replace(/\?.*$/, ''));
  if (!target.startsWith('src/')) {
    if (isTest(path) || isIn(target, layer.outside) || layer.outside.includes(`${target}/`)) return [];
    return breach(
      'outside',
      `${layer.name} may not reach ${target}: it may reach ${layer.outside.join(', ') || 'nothing outside src/'}.`,
    );
  }
  if (!files.has(target)) {
    if (kind === 'url' && [...files.keys()].some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`))) return [];
    return breach('unresolved-import', `There is no ${target}: write the path with its ending, as Node reads it.`);
  }
  if (!targets.has(target) && kind !== 'url') targets.set(target, line);
  if (isTest(target) && !isTest(path))
    return breach('test-import', `${target} is for tests only: move what you need to a file of the program.`);
  if (mayImport(layer, path, target)) return [];
  return breach(
    'layer',
    `${layer.name} may not import ${layerOf(target)?.name ?? 'no layer'}; it may import ${layer.imports.join(', ') || 'no other layer'}. Move the code to the layer that both may use, or hand the value in.`,
  );
}

/** Tests may import anything that their layer reaches, also through others. */
function mayImport(layer: Layer, path: string, target: string): boolean {
  const targetLayer = layerOf(target);
  if (!targetLayer) return false;
  const allowed = isTest(path) ? reachable(layer) : new Set([layer.name, ...layer.imports]);
  return allowed.has(targetLayer.name) || allowed.has(target);
}

function reachable(layer: Layer): Set<string> {
  const seen = new Set<string>([layer.name]);
  for (const name of seen) {
    for (const next of layers.find((each) => each.name === name || isIn(name, [each.place]))?.imports ?? []) seen.add(next);
  }
  return seen;
}

function checkBuiltin({ path, layer }: Place, specifier: string, line: number): Breach[] {
  if (isTest(path)) return [];
  const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  const refused = checkPreserve(path, line, 'modules', name);
  if (layer.builtins) return refused;
  return [
    ...refused,
    { rule: 'builtin', file: path, line, message: `${layer.name} runs without Node: hand in what ${name} would give.` },
  ];
}

function checkPackage({ path, layer }: Place, specifier: string, line: number): Breach[] {
  if (isTest(path)) return [];
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const refused = checkPreserve(path, line, 'modules', name);
  if (layer.packages.includes(name) || refused.length > 0) return refused;
  return [
    {
      rule: 'package',
      file: path,
      line,
      message: `${layer.name} may use ${layer.packages.join(', ') || 'no package'}, not ${name}. If it belongs there, add it in build/boundaries/rules.ts.`,
    },
  ];
}

function checkPreserve(file: string, line: number, what: 'modules' | 'globals', name: string): Breach[] {
  const preserve = preserves.find((each) => each[what].includes(name));
  if (!preserve || isIn(file, preserve.places)) return [];
  return [
    {
      rule: 'preserve',
      file,
      line,
      message: `${name} (${preserve.name}) belongs in ${preserve.places.join(', ')}. ${preserve.advice}`,
    },
  ];
}

function checkUses(file: string, layer: Layer, { globals, sql }: Scan): Breach[] {
  return [
    ...globals.flatMap((use) => checkGlobal(file, layer, use)),
    ...sql
      .filter(() => !isIn(file, [sqlPlace]))
      .map(
        (line): Breach => ({
          rule: 'sql',
          file,
          line,
          message: `This looks like SQL, which only ${sqlPlace} knows: add a query to the store.`,
        }),
      ),
  ];
}

/** `name` forbids every use; `name.member` forbids that member, and passing the object on, which would hide it. */
function matches(rule: string, { name, member }: GlobalUse): boolean {
  const [ruleName, ruleMember] = rule.split('.');
  return name === ruleName && (ruleMember === undefined || member === null || member === ruleMember);
}

function checkGlobal(file: string, layer: Layer, use: GlobalUse): Breach[] {
  const forbidden = layer.forbiddenGlobals.find((rule) => matches(rule, use));
  const shown = use.member === null ? use.name : `${use.name}.${use.member}`;
  if (forbidden !== undefined) {
    return [
      {
        rule: 'global',
        file,
        line: use.line,
        message: `${shown}: ${layer.name} does without ${forbidden}, so that the same input always gives the same output. Hand the value in.`,
      },
    ];
  }
  const kept = preserves.flatMap(({ globals }) => globals).find((rule) => matches(rule, use));
  return kept === undefined ? [] : checkPreserve(file, use.line, 'globals', kept);
}
