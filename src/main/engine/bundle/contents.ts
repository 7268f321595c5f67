// What a bundle holds: the part of a store that one experiment rests on, as files of text.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import { leafBytes, leafHash } from '../../../core/checkpoint/merkle.ts';
import { signatureType, verifierKeyText } from '../../../core/checkpoint/note.ts';
import { partName, rootHash } from '../../../core/record/hash.ts';
import { erasureChain } from '../../../core/record/identity.ts';
import { refsOf } from '../../../core/record/texts.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { withoutFolder } from '../queries/experiment.ts';
import { chainsOf, eventLines } from '../report/export.ts';
import { bundledReport } from '../report/html/experiment/experimentReport.ts';
import { trialReport } from '../report/html/trialReport.ts';
import { trialLines, withCourse } from '../report/trialLines.ts';
import { parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';

export interface BundleFile {
  readonly path: string;
  readonly pieces: Iterable<string>;
}

export interface BundleOptions {
  /** Leaves out every text about a case, with the salts that would prove a guess. */
  readonly redacted: boolean;
  /** Folder of the program's resources: the verifiers are among them. */
  readonly resources: string;
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/** A trained assistant rests on debates of other experiments over the same data set, which are checked with it. */
function experimentsIn(store: Store, frozen: FrozenExperiment, chains: readonly string[]): FrozenExperiment[] {
  if (!chains.some((chain) => chain.startsWith('assistant/') && store.events.head(chain) !== undefined)) return [frozen];
  const others = store.experiments.all().filter(({ name, dataset }) => name !== frozen.name && dataset === frozen.dataset.id);
  return [frozen, ...others.map(({ name }) => loadFrozen(store, name))];
}

/** The texts that some chains and the list of cases name; those of messages by the beginning of their name. */
function textsNamed(store: Store, dataset: number, chains: readonly string[]): (ref: string) => boolean {
  const refs = new Set<string>();
  const parts = new Set<string>();
  for (const chain of chains) {
    for (const stored of store.events.chain(chain)) {
      const event = parseStored(stored);
      for (const ref of refsOf(event)) refs.add(ref);
      if (event.kind === 'call-answer') for (const [, names] of event.payload.messages) for (const name of names) parts.add(name);
    }
  }
  const { manifest } = store.datasets.get(dataset);
  if (manifest !== null) refs.add(manifest);
  for (const { ref } of store.datasets.cases(dataset)) refs.add(ref);
  return (ref) => refs.has(ref) || parts.has(partName(ref));
}

function* texts(store: Store, dataset: number, chains: readonly string[], redacted: boolean): Generator<string> {
  const isNamed = textsNamed(store, dataset, chains);
  for (const { ref, dataset: of, bytes } of store.blobs.all()) {
    if (bytes === null || (of !== 0 && (redacted || of !== dataset)) || !isNamed(ref)) continue;
    const content = isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
    yield line({ ref, dataset: of, ...content });
  }
}

/** A line without what the data set says of its case. */
const withoutData = ({ change, ...rest }: TrialLine) => ({
  ...rest,
  groups: {},
  weight: undefined,
  ...(change === undefined ? {} : { change: { ...change, from: null, to: null } }),
});

/** The page of the verifier in one file: a browser loads no module from the file system. */
const pageWith = (page: string, ...modules: readonly string[]) =>
  page
    .replace('VERSION', programVersion)
    .replace('/* verify.mjs */', () =>
      modules.join('\n').replace(/^(?:import [^;]* from '\.\/\w+\.mjs'|export \{[^;]*\});$/gm, ''),
    );

/** The verifier: each file uses only those before it. */
const modules = [
  'zip.mjs',
  'bytes.mjs',
  'files.mjs',
  'fields.mjs',
  'uses.mjs',
  'words.mjs',
  'places.mjs',
  'log.mjs',
  'trials.mjs',
  'statistics.mjs',
  'reviews.mjs',
  'texts.mjs',
  'sentences.mjs',
  'verify.mjs',
] as const;

/** An entry of a chain that is in the bundle says which; of the others there is the hash, as far as a checkpoint covers it. */
function* entries(store: Store, chains: ReadonlySet<string>, signed: number): Generator<string> {
  for (const { position, chain, head } of store.log.leaves()) {
    const hex = head.toString('hex');
    if (chains.has(chain)) yield line({ chain, head: hex });
    else if (position < signed) yield line({ hash: base64.encode(leafHash(leafBytes(chain, hex))) });
  }
}

/** The newest checkpoint, the newest that a witness signed where that is another, all keys of the log, and the log. */
function logFiles(store: Store, chains: readonly string[]): BundleFile[] {
  const rows = store.log.checkpoints();
  const newest = rows.at(-1);
  if (newest === undefined) return [];
  const cosigned = rows.findLast(({ cosignatures }) => cosignatures !== '') ?? newest;
  const name = store.log.origin() ?? '';
  const keys = rows.map(({ key }) => `${verifierKeyText({ name, type: signatureType.log, publicKey: key })}\n`);
  return [
    { path: 'checkpoint.txt', pieces: [newest.note + newest.cosignatures] },
    ...(cosigned === newest ? [] : [{ path: 'cosigned.txt', pieces: [cosigned.note + cosigned.cosignatures] }]),
    { path: 'key.txt', pieces: new Set(keys) },
    { path: 'log.jsonl', pieces: entries(store, new Set(chains), Math.max(newest.size, cosigned.size)) },
  ];
}

/** The files of an experiment's bundle, but for the manifest, and the root of its chains. */
export function bundleContents(
  store: Store,
  experiment: string,
  statistics: StatsReport,
  { redacted, resources }: BundleOptions,
): { readonly files: readonly BundleFile[]; readonly root: string } {
  const frozen = loadFrozen(store, experiment);
  const { id: dataset, salt } = frozen.dataset;
  const definition = withoutFolder(frozen.definition);
  const experiments = experimentsIn(store, frozen, chainsOf(store, frozen));
  const { manifest } = store.datasets.get(dataset);
  const own = new Set(store.erasures.list().flatMap((each, place) => (each.dataset === manifest ? [place] : [])));
  const hasErasures = own.size > 0;
  const chains = [...new Set(experiments.flatMap((each) => chainsOf(store, each))), ...(hasErasures ? [erasureChain] : [])];
  const heads = chains.flatMap((chain) => {
    const head = store.events.head(chain);
    return head === undefined ? [] : [{ chain, head }];
  });
  const root = rootHash(heads);
  function* trials(): Generator<string> {
    for (const each of experiments) {
      for (const found of trialLines(store, each)) {
        const { first_answer: _first, deliberation: _effect, ...columns } = withCourse(store, found);
        yield line(redacted ? withoutData(columns) : columns);
      }
    }
  }
  function* report(): Generator<string> {
    yield bundledReport(store, statistics, { file: 'the bundle', root, redacted });
  }
  /** Made when it is written: all at once would not fit in memory. */
  function* reportOf(trial: string): Generator<string> {
    yield trialReport(store, experiment, trial);
  }
  const ended = redacted ? [] : store.trials.heads(experiment).filter(({ status }) => status === 'done');
  function* erased(): Generator<string> {
    for (const row of store.erasures.rows()) if (own.has(row.erasure)) yield line(row);
  }
  const resource = (name: string) => readFileSync(join(resources, 'bundle', name), 'utf8');
  return {
    root,
    files: [
      { path: 'README.txt', pieces: [resource('README.txt').replace('DATAFILE', () => definition.dataset.path)] },
      ...modules.map((path) => ({ path, pieces: [resource(path)] })),
      { path: 'verify.html', pieces: [pageWith(resource('verify.html'), ...modules.map(resource))] },
      { path: 'experiment.json', pieces: [line(definition)] },
      { path: 'events.jsonl', pieces: eventLines(store, chains) },
      { path: 'salts.json', pieces: [line(redacted ? { 0: '' } : { 0: '', [dataset]: Buffer.from(salt).toString('hex') })] },
      { path: 'texts.jsonl', pieces: texts(store, dataset, chains, redacted) },
      ...(hasErasures ? [{ path: 'erased.jsonl', pieces: erased() }] : []),
      { path: 'trials.jsonl', pieces: trials() },
      { path: 'statistics.json', pieces: [line({ ...statistics, store: '' })] },
      { path: 'report.html', pieces: report() },
      ...logFiles(store, chains),
      ...ended.map(({ trial }) => ({ path: `reports/${trial}.html`, pieces: reportOf(trial) })),
    ],
  };
}
