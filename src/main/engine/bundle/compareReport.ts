// Whether a report is what a record holds: it is made again from the record, and the two are compared.
import { existsSync, readFileSync } from 'node:fs';
import { changedLines } from '../../../core/text/differences.ts';
import type { ReportComparison } from '../../../shared/commandOutputs.ts';
import { badInput } from '../../../shared/errors.ts';
import { attribute } from '../report/html/markup.ts';
import { leftOutIn } from '../report/html/trialReport.ts';
import { type ReportWatch, reportPage } from '../report/reports.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { readableFile, rowsOfCopy, withoutCopy } from './differences.ts';
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

/** The prevalence that a report over an experiment was made for, where it states one. */
function prevalenceIn(page: string): number | undefined {
  const [, stated] = /As it would be where [^<]{0,200}?([\d.]+)% of the cases/.exec(page) ?? [];
  return stated === undefined ? undefined : Number(stated) / 100;
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

/**
 * Titles of the sections that differ in more than the state of the record, in order. Rows on that state count as such only where
 * the report that was made now has some: anywhere else they are a forger's.
 * @returns null where nothing but such rows differs
 */
function partsThatDiffer(page: string, made: string): string[] | null {
  const [given, own] = [sectionsOf(page), sectionsOf(made)];
  const hasState = (title: string) => withoutCopy(own.get(title) ?? '') !== own.get(title);
  const compared = (sections: ReadonlyMap<string, string>, title: string) =>
    hasState(title) ? withoutCopy(sections.get(title) ?? '') : sections.get(title);
  const parts = [...new Set([...given.keys(), ...own.keys()])].filter((title) => compared(given, title) !== compared(own, title));
  const isSameOrder = [...given.keys()].join('\n') === [...own.keys()].join('\n');
  return parts.length === 0 && isSameOrder ? null : parts;
}

/**
 * Compares a report with the same one made of a record, also of a damaged one: then both have to say so.
 * @throws bad-input for what is no report of it, store-unreadable for a record that cannot be read
 */
export async function compareReport(path: string, record: string, watch: ReportWatch): Promise<ReportComparison> {
  if (isBundle(record))
    throw badInput(
      'a report is compared with a store. A bundle has its own copy of each report: unpack it and compare the files',
      {
        field: '--against',
      },
    );
  const given = readFileSync(path);
  const page = given.toString('utf8');
  const of = await withStore(openStoreReadOnly(record), (store) => reportedIn(store, page, path));
  const prevalence = of.trial === undefined ? prevalenceIn(page) : undefined;
  const made = await reportPage(record, { ...of, damaged: true, prevalence, without: leftOutIn(page) }, watch);
  const isSame = given.equals(Buffer.from(made, 'utf8'));
  const parts = partsThatDiffer(page, made);
  const texts = [page, made].map((text) => (parts === null ? rowsOfCopy(text) : readableFile('.html', text)));
  const [reported = '', held = ''] = texts;
  // What is not seen on the page differs as it is written.
  const found = isSame || reported !== held ? changedLines(reported, held) : changedLines(page, made);
  return {
    report: path,
    record,
    ...{ experiment: of.experiment, trial: of.trial ?? null },
    result: isSame ? 'same' : parts === null ? 'same-but-state' : 'different',
    parts: parts ?? [],
    ...{ in_report: found.a, in_record: found.b, more_lines: found.more },
  };
}
