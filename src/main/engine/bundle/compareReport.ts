// Whether a report is what a record holds: it is made again from the record, and the two are compared.
import { existsSync, readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate/browser';
import { changedLines } from '../../../core/text/differences.ts';
import type { CheckpointView } from '../../../shared/api/record.ts';
import type { ReportComparison } from '../../../shared/commandOutputs.ts';
import { badInput } from '../../../shared/errors.ts';
import { copiedRows, coveredRow, keyRows, rootRow, signerRows } from '../report/html/account.ts';
import { attribute } from '../report/html/markup.ts';
import { generatorTag } from '../report/html/page.ts';
import { leftOutIn } from '../report/html/trialReport.ts';
import { comparedPage, type ReportWatch, withRecord } from '../report/reports.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { programVersion } from '../version.ts';
import { readableFile, rowsOfCopy } from './differences.ts';
import { isBundle } from './unpackBundle.ts';

const titleOf = (page: string): string => /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '';

export const isReport = (path: string): boolean => /\.html?$/i.test(path) && existsSync(path);

/** What a report is of, as its title says it. Throws bad input where that is nothing of this record. */
function reportedIn(store: Store, page: string, file: string): { readonly experiment: string; readonly trial?: string } {
  const title = titleOf(page);
  const [, trial] = /: trial ([0-9a-f]{16}) of /.exec(title) ?? [];
  if (trial !== undefined) {
    const row = store.trials.get(trial);
    if (row === undefined) throw badInput(`this report is of trial ${trial}, and the record has no such trial`, { file });
    return { experiment: row.experiment, trial };
  }
  const found = store.experiments.all().find(({ name }) => title === attribute(`Experiment ${name}`).source);
  if (found === undefined)
    throw badInput('this is no report that Assize saved as HTML, or it is of an experiment that the record does not have', {
      file,
    });
  return { experiment: found.name };
}

/** The version of the program that made a report, as the report names it. */
const versionIn = (page: string): string | undefined =>
  page.match(/<meta name="generator" content="Assize ([\w.+-]{1,40})">/)?.[1];

/** The event that fixed the experiment, as a report names it. */
const freezeIn = (page: string): string | undefined =>
  page.match(/Event that fixed data, prompts and parameters<\/th><td><code>([0-9a-f]{64})/)?.[1];

/** The prevalence that a report over an experiment was made for, where it states one. */
function prevalenceIn(page: string): number | undefined {
  const [, stated] = /As it would be where [^<]{0,200}?(\d+(?:\.\d+)?)% of the cases/.exec(page) ?? [];
  const share = Number(stated) / 100;
  return share > 0 && share < 1 ? share : undefined;
}

/** Sections by title, in order; `''` for what comes before the first. Sections of one title are one. */
function sectionsOf(page: string): Map<string, string> {
  const sections = new Map<string, string>();
  for (const [at, part] of page.split('<section id="').entries()) {
    const [, named = part.slice(0, part.indexOf('"'))] = /<h2>([^<]*)<\/h2>/.exec(part) ?? [];
    const title = at === 0 ? '' : readableFile('.html', named);
    sections.set(title, `${sections.get(title) ?? ''}${part}`);
  }
  return sections;
}

/** Roots, heads and fingerprints, as reports and the files of a bundle write them. */
const hash = /\b[0-9a-f]{64}\b|[A-Za-z0-9+/]{43}=/g;

/** A row without what differs from record to record: hashes, times, numbers, and names that nobody can check here. */
const formOf = (row: string): string =>
  row
    .slice(0, row.indexOf('</tr>'))
    .replace(/(?<=^<th scope="row">Copied from<\/th><td>)(?:[^<]|<\/?bdi>)*/, '')
    .replace(/<bdi>[^<]*<\/bdi>/g, '<bdi>')
    .replace(hash, '#')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC|\d[\d,]*/g, '0')
    .replace(/(<bdi>|<code>#<\/code>|#)(?:, \1)+/g, '$1');

/** The forms of all rows on the state of a record that a report can have: with other words a row is a forger's. */
const stateForms = (): ReadonlySet<string> => {
  const [key, root, time] = ['0'.repeat(64), `${'0'.repeat(43)}=`, '2026-01-01T00:00:00.000Z'];
  const signed = { ...{ store: '', origin: '', key: '', note: '' }, size: 1, root, made_at: time, fingerprint: key };
  const witnesses = [[], [null], [time]].map((times) => times.map((at) => ({ name: '', fingerprint: null, at })));
  const checkpoints = witnesses.flatMap((cosigners) => [false, true].map((time_stamp) => ({ ...signed, cosigners, time_stamp })));
  const opened = { bundle: '', bundle_signers: [key] };
  const copied = { file: '', root: key, at: time };
  const views: readonly Partial<CheckpointView>[] = [
    {},
    ...[null, time].map((bundle_signed_at) => ({ ...opened, bundle_signed_at })),
    ...checkpoints.flatMap((checkpoint) => [1, 2].map((size) => ({ checkpoint, size }))),
  ];
  const none = { size: 0, bundle: null, bundle_signers: [], bundle_signed_at: null, checkpoint: null };
  const rows = [[], [key]].flatMap((signers) =>
    views.flatMap((view) => {
      const [whole, adopted] = [
        { ...none, ...view },
        { ...copied, signers },
      ];
      return [rootRow(key, whole), ...copiedRows(adopted), ...signerRows(whole, adopted)];
    }),
  );
  const all = [...rows, ...[0, 1].map((signedTrials) => coveredRow(signedTrials, 1))];
  return new Set(keyRows(all).source.split('<tr>').slice(1).map(formOf));
};

const isOfState = (row: string, forms: ReadonlySet<string>) => forms.has(formOf(row));

function withoutState(text: string, forms: ReadonlySet<string>): string {
  const [first, ...rows] = text.split('<tr>');
  return [first, ...rows.map((row) => (isOfState(row, forms) ? row.slice(row.indexOf('</tr>') + 5) : `<tr>${row}`))].join('');
}

/**
 * Titles of the sections that differ in more than the state of the record, in order. Rows on that state count as such only where
 * the report that was made now has some: anywhere else they are a forger's.
 * @returns null where nothing but such rows differs
 */
function partsThatDiffer(page: string, made: string): string[] | null {
  const [given, own] = [sectionsOf(page), sectionsOf(made)];
  const forms = stateForms();
  const hasState = (title: string) => withoutState(own.get(title) ?? '', forms) !== own.get(title);
  const compared = (sections: ReadonlyMap<string, string>, title: string) =>
    hasState(title) ? withoutState(sections.get(title) ?? '', forms) : sections.get(title);
  const parts = [...new Set([...given.keys(), ...own.keys()])].filter((title) => compared(given, title) !== compared(own, title));
  const isSameOrder = [...given.keys()].join('\n') === [...own.keys()].join('\n');
  return parts.length === 0 && isSameOrder ? null : parts;
}

/**
 * Whether a hash is one of a bundle: of its record and its signatures, or the root of the whole record that its reports name, of which
 * the bundle can hold a part.
 * @param made the report that was made of it, which has its root and its signers
 */
function hashesOf(bundle: string, made: string): (found: string) => boolean {
  const files = unzipSync(readFileSync(bundle), { filter: ({ name }) => !/^texts\.jsonl$|\.mjs$|^verify\.html$/.test(name) });
  const texts = Object.entries(files).map(([name, bytes]) => {
    const text = strFromU8(bytes);
    return name.endsWith('.html')
      ? (/Record root when this was written<\/th><td><code>[0-9a-f]{64}/.exec(text)?.[0] ?? '')
      : text;
  });
  const known = new Set([made, ...texts].flatMap((text) => text.match(hash) ?? []));
  return (found) => known.has(found);
}

/** The file of a bundle that has these bytes. */
const fileWith = (bundle: string, given: Buffer): string | undefined =>
  Object.entries(
    unzipSync(readFileSync(bundle), {
      filter: ({ name, originalSize }) => /\.html$/.test(name) && originalSize === given.length,
    }),
  ).find(([, bytes]) => given.equals(bytes))?.[0];

/** Sections with a row on the state of the record that names a hash which is none of the record, and these rows. */
function foreignRows(page: string, isKnown: (found: string) => boolean): { readonly parts: string[]; readonly rows: string } {
  const forms = stateForms();
  const foreign = [...sectionsOf(page)].flatMap(([title, text]) => {
    const rows = text
      .split('<tr>')
      .slice(1)
      .filter(
        (row) =>
          isOfState(row, forms) &&
          row
            .slice(0, row.indexOf('</tr>'))
            .match(hash)
            ?.some((found) => !isKnown(found)),
      );
    return rows.length === 0 ? [] : [{ title, rows }];
  });
  const rows = foreign.flatMap((each) => each.rows.map((row) => `<tr>${row.slice(0, row.indexOf('</tr>'))}</tr>`));
  return { parts: foreign.map(({ title }) => title), rows: rowsOfCopy(rows.join('')) };
}

/**
 * Compares a report with the same one made of a record, also of a damaged store: then both have to say so. Of a bundle its events
 * and texts count, and not the report in it; and a root or key in the report that is nowhere in the bundle is a difference.
 * The version that a report names as its maker is no difference, nor that it names none.
 * @throws bad-input for what is no report of it, store-unreadable for a record that cannot be read
 */
export async function compareReport(path: string, record: string, watch: ReportWatch): Promise<ReportComparison> {
  const given = readFileSync(path);
  const page = given.toString('utf8');
  const { of, isOtherRun, whole } = await withRecord(record, async (at) => {
    const { of, isOtherRun } = await withStore(openStoreReadOnly(at), (store) => {
      const of = reportedIn(store, page, path);
      const freeze = freezeIn(page);
      const history = store.experiments.history(of.experiment);
      return { of, isOtherRun: freeze !== undefined && history.every(({ hash }) => hash !== freeze) };
    });
    const prevalence = of.trial === undefined ? prevalenceIn(page) : undefined;
    return {
      of,
      isOtherRun,
      whole: await comparedPage(at, { ...of, damaged: true, prevalence, without: leftOutIn(page) }, watch),
    };
  });
  const maker = versionIn(page);
  const made = whole.replace(generatorTag(programVersion), maker === undefined ? '' : generatorTag(maker));
  const isSame = given.equals(Buffer.from(made, 'utf8'));
  const differing = partsThatDiffer(page, made);
  const foreign = isBundle(record) ? foreignRows(page, hashesOf(record, made)) : { parts: [], rows: '' };
  const parts = differing === null && foreign.parts.length === 0 ? null : [...new Set([...(differing ?? []), ...foreign.parts])];
  const texts = [page, made].map((text) => (differing === null ? rowsOfCopy(text) : readableFile('.html', text)));
  const [reported = '', held = ''] = differing === null && parts !== null ? [foreign.rows, texts[1]] : texts;
  // What is not seen on the page differs as it is written.
  const found = isSame || reported !== held ? changedLines(reported, held) : changedLines(page, made);
  const inBundle = parts === null && isBundle(record) ? fileWith(record, given) : undefined;
  return {
    report: path,
    record,
    ...{ experiment: of.experiment, trial: of.trial ?? null },
    result: isSame ? 'same' : parts === null ? 'same-but-state' : 'different',
    parts: parts ?? [],
    ...(inBundle === undefined ? {} : { in_bundle: inBundle }),
    ...(isOtherRun ? { other_run: true } : {}),
    ...(maker === undefined ? { no_version: true } : made === whole ? {} : { made_by: maker, made_again_by: programVersion }),
    ...{ in_report: found.a, in_record: found.b, more_lines: found.more },
  };
}
