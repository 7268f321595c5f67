/** A room of the program: one folder (or one file), a tsconfig, one set of rules. */
export interface Layer {
  readonly name: string;
  /** Path from the repository's root; a folder ends in a slash. */
  readonly place: string;
  /** Configuration that type-checks its files, tests aside. */
  readonly tsconfig: string;
  /** Layers that it may import, besides itself: a layer's name, or a single file of one. */
  readonly imports: readonly string[];
  /** Packages that it may import. Its tests may import any. */
  readonly packages: readonly string[];
  /** Whether it may import what Node brings along. */
  readonly builtins: boolean;
  /** Files outside src/ that it may import or point to; a folder ends in a slash. */
  readonly outside: readonly string[];
  /** Globals that it must do without: `name`, or `name.member`. */
  readonly forbiddenGlobals: readonly string[];
}

/** Modules and globals that belong in few places only. */
export interface Preserve {
  readonly name: string;
  readonly modules: readonly string[];
  readonly globals: readonly string[];
  /** Files and folders that may use them. */
  readonly places: readonly string[];
  readonly advice: string;
}

/** What makes the same input give different output, and what only a host has. */
const impure = [
  'Date',
  'Math.random',
  'Temporal.Now',
  'crypto',
  'performance',
  'process',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'globalThis',
];

const pure = { builtins: false, outside: [], forbiddenGlobals: impure } as const;
const hosted = { builtins: true, outside: ['package.json', 'resources/'], forbiddenGlobals: [] } as const;

export const layers: readonly Layer[] = [
  {
    name: 'shared',
    place: 'src/shared/',
    tsconfig: 'src/shared/tsconfig.json',
    imports: [],
    packages: ['zod', '@orpc/contract'],
    ...pure,
    // What the program and the verifier of a bundle both say.
    outside: ['resources/bundle/words.mjs'],
  },
  {
    name: 'core',
    place: 'src/core/',
    tsconfig: 'src/core/tsconfig.json',
    imports: ['shared'],
    packages: [
      'zod',
      '@noble/hashes',
      '@scure/base',
      'pure-rand',
      'jsonrepair',
      'yaml',
      'diff',
      '@stdlib/math-base-special-betainc',
      '@stdlib/math-base-special-erfc',
    ],
    ...pure,
  },
  {
    name: 'engine',
    place: 'src/main/engine/',
    tsconfig: 'tsconfig.json',
    imports: ['core', 'shared'],
    packages: [
      'zod',
      '@scure/base',
      'better-sqlite3',
      'csv-parse',
      'fflate',
      'hyparquet',
      'read-excel-file',
      'jsonc-parser',
      'ollama',
      'systeminformation',
      'undici',
      '@orpc/server',
      'piscina',
      'echarts',
    ],
    ...hosted,
  },
  {
    name: 'headless',
    place: 'src/headless/',
    tsconfig: 'tsconfig.json',
    imports: ['engine', 'shared'],
    packages: ['zod', 'ws', 'string-width'],
    ...hosted,
  },
  {
    name: 'shell',
    place: 'src/main/shell/',
    tsconfig: 'tsconfig.json',
    imports: [
      'shared',
      'src/main/engine/engine.ts',
      'src/main/engine/store/location.ts',
      'src/main/engine/service/engineEnvironment.ts',
      'src/main/engine/service/supervisor.ts',
    ],
    packages: ['zod', 'electron'],
    ...hosted,
  },
  {
    name: 'electron entry',
    place: 'src/main/index.ts',
    tsconfig: 'tsconfig.json',
    imports: ['shell', 'src/main/engine/store/location.ts'],
    packages: ['electron'],
    ...hosted,
  },
  {
    name: 'preload',
    place: 'src/preload/',
    tsconfig: 'src/preload/tsconfig.json',
    imports: ['shared'],
    packages: ['zod', 'electron'],
    builtins: false,
    outside: [],
    forbiddenGlobals: [],
  },
  {
    name: 'renderer',
    place: 'src/renderer/',
    tsconfig: 'src/renderer/tsconfig.json',
    imports: ['shared', 'core'],
    packages: [
      'zod',
      'react',
      'react-dom',
      'zustand',
      'echarts',
      'zrender',
      'react-aria-components',
      'lucide-react',
      'wouter',
      '@orpc/client',
      '@orpc/contract',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'diff',
      '@fontsource-variable/inter',
      '@fontsource-variable/source-serif-4',
      '@fontsource-variable/jetbrains-mono',
    ],
    builtins: false,
    outside: [],
    forbiddenGlobals: ['process'],
  },
];

const network = ['dgram', 'dns', 'dns/promises', 'http', 'http2', 'https', 'net', 'tls'].map((name) => `node:${name}`);

export const preserves: readonly Preserve[] = [
  {
    name: 'electron',
    modules: ['electron'],
    globals: [],
    places: ['src/main/index.ts', 'src/main/shell/', 'src/preload/'],
    advice: 'The engine runs without Electron too: let the shell do it, or hand the value in.',
  },
  {
    name: 'network',
    modules: [...network, 'undici', 'ollama', 'ws'],
    globals: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'navigator.sendBeacon', 'RTCPeerConnection', 'WebTransport'],
    // The bundler's page is fetched where the screens are developed, which a packed program does not do.
    places: ['src/main/engine/models/', 'src/headless/', 'src/renderer/api/', 'src/main/shell/development.ts'],
    advice: 'All traffic goes through the dispatcher of src/main/engine/models: take what you need from there.',
  },
  {
    name: 'processes',
    modules: ['node:child_process', 'node:cluster', 'systeminformation'],
    globals: [],
    places: [
      'src/main/engine/models/daemon/',
      'src/main/engine/hardware/',
      'src/main/engine/pdf/',
      'src/main/shell/',
      'src/headless/',
    ],
    advice: 'Code that starts a program must see that it ends: hand the work to one of these places.',
  },
  {
    name: 'database',
    modules: ['better-sqlite3', 'node:sqlite'],
    globals: [],
    places: ['src/main/engine/store/'],
    advice: 'The store is the only place that knows SQL: add a query to it.',
  },
];

/** The only folder whose text may be SQL. */
export const sqlPlace = 'src/main/engine/store/';

/** Ends of names of files that may stand in a layer. */
export const knownFiles = [
  '.ts',
  '.tsx',
  '.json',
  '.css',
  '.html',
  '.svg',
  '.txt',
  '.md',
  '.db.gz',
  '.db.br',
  '.parquet',
  '.xlsx',
];

/** Folders (and where they have them, ends of names) whose files have an upper length. */
export const measuredPlaces = ['src/', 'build/', 'bench/', 'e2e/', 'bin/'];
export const measuredFiles = ['.ts', '.tsx', '.js', '.css'];
export const mostLines = 400;

/** Tests, their fixtures and helpers: they may use every package and built-in, the clock and the network. */
export function isTest(path: string): boolean {
  return /\.(test|fixture)\.tsx?$|\/testing(\.tsx?$|\/)/.test(path);
}

export function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

export function layerOf(path: string, all: readonly Layer[] = layers): Layer | undefined {
  return all.find(({ place }) => isIn(path, [place]));
}
