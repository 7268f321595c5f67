import { resolve } from 'node:path';
import * as engine from '../../main/engine/engine.ts';
import { badInput } from '../../shared/errors.ts';
import { reportPartSchema, reportParts } from '../../shared/reportParts.ts';
import { type Command, optionHelp, prevalenceIn, storeNamed } from '../command.ts';
import { places } from '../web/places.ts';

const formats = [...engine.exportFormats, 'pdf', 'bundle'] as const;
export const exportCommand: Command = {
  name: 'export',
  usage: `assize export <experiment> [--store FILE] --format ${formats.join('|')} --out PATH|- [--trial ID] [--without PARTS] [--prevalence P] [--redact] [--damaged] [--force]`,
  summary: 'writes trials, events, or a report over the experiment or of one trial to a file',
  options: [
    ['<experiment>', 'its name, as the file says it'],
    optionHelp.store,
    [
      '--format NAME',
      'trials-csv, trials-jsonl: a line for each trial\ncases-csv: a line for each case, with the answer of every arm\nreviews-csv, reviews-jsonl: a line for each review, comment, adjudication and sign-off\nevents-jsonl: every event of the record, with its hashes; a hash is in place of each text\nhtml: a report for reading and printing, of one trial with --trial, else over the experiment\npdf: the same as a tagged PDF; needs Chrome, Edge or Chromium on this machine\nbundle: a zip with the record of the experiment, its reports (report.html to begin with) and what checks it without Assize',
    ],
    ['--out PATH|-', 'the file to write; - is stdout'],
    ['--trial ID', 'only this trial'],
    [optionHelp.prevalence[0], `html, pdf of an experiment: ${optionHelp.prevalence[1]}`],
    [
      '--without PARTS',
      `html, pdf of a trial: leaves out parts, which the report says; some of ${reportParts.join(',')}, with commas`,
    ],
    ['--redact', 'bundle: leaves out facts, speeches and prompts; case ids, truths, verdicts and totals by group stay'],
    ['--damaged', 'exports a record that fails its check all the same; the export says so'],
    ['--force', 'replaces a file that is there already'],
  ],
  async run(words, { out, say, progress, signal }) {
    const [experiment = ''] = words.positionals;
    const wanted = words.need('format');
    const format = formats.find((known) => known === wanted);
    if (format === undefined)
      throw badInput(`there is no format ${JSON.stringify(wanted)}; there are ${formats.join(', ')}`, '--format');
    const [redacted, trial, damaged, force] = [
      words.flag('redact'),
      words.text('trial'),
      words.flag('damaged'),
      words.flag('force'),
    ];
    if (redacted && format !== 'bundle') throw badInput('only a bundle can be redacted', '--redact');
    const prevalence = prevalenceIn(words);
    if (prevalence !== undefined && (trial !== undefined || (format !== 'html' && format !== 'pdf')))
      throw badInput(
        `only a report over an experiment, html or pdf, is at another prevalence; for numbers use: ${engine.ownCall} stats`,
        '--prevalence',
      );
    const without = words.text('without')?.split(',');
    if (without !== undefined && (trial === undefined || (format !== 'html' && format !== 'pdf')))
      throw badInput('parts are left out only of the report of a trial, html or pdf: name it with --trial', '--without');
    const unknown = without?.find((part) => !reportPartSchema.safeParse(part).success);
    if (unknown !== undefined)
      throw badInput(`there is no part ${JSON.stringify(unknown)}; there are ${reportParts.join(', ')}`, '--without');
    const target = words.need('out');
    engine.refuseForeignPath(target, '--out');
    const onProgress = ({ share, what }: { share: number; what: string }) => progress(`${Math.round(100 * share)}% ${what}`);
    const path = storeNamed(words.text('store'), say);
    await engine.withRecord(path, async (store, ofBundle) => {
      if (format === 'bundle') {
        if (target === '-') throw badInput('a bundle is checked before it is handed out; name a file', '--out');
        if (damaged)
          throw badInput(
            'a bundle can only be made of an intact record; take another format, or leave --damaged out',
            '--damaged',
          );
        if (trial !== undefined) throw badInput('a bundle is of a whole experiment; leave --trial out', '--trial');
        const request = { experiment, out: resolve(target), force, redacted, resources: places.resources };
        const root = await engine.exportBundle(store, request, { signal, onProgress });
        say(
          `Bundle root: ${root}. Give it to your readers by another way than the file: with it they see that the bundle was not replaced`,
        );
        if (ofBundle !== undefined)
          say(
            `The new bundle is not signed, because signatures stay in the bundle that it is made of. To hand those on, give ${path} itself`,
          );
      } else if (format === 'pdf' || format === 'html') {
        const [report, watch] = [
          { experiment, trial, damaged, prevalence, without: reportParts.filter((part) => without?.includes(part)) },
          { signal, onProgress },
        ];
        if (target !== '-') {
          const program = format === 'pdf' ? engine.needChromium() : null;
          const print = async (page: string) => (program === null ? page : engine.printPdf(program, page, signal));
          await engine.exportReport(store, { ...report, out: resolve(target), force }, watch, print);
        } else if (format === 'html') out(await engine.reportPage(store, report, watch), 'file');
        else throw badInput('a PDF is written whole or not at all; name a file', '--out');
      } else if (target === '-')
        await engine.exportToStream(store, experiment, { format, trial, damaged }, (text) => out(text, 'file'));
      else await engine.exportToFile(store, { experiment, out: resolve(target), force, format, trial, damaged });
    });
    if (target === '-') return;
    say(`Written: ${target}`);
    if (format === 'trials-csv' || format === 'trials-jsonl')
      say('Its field replicate counts from 0; screens, reports and verify count replicates from 1');
  },
};
