import { examine, ollamaHostUrl } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { serverUrl, serverWords, storeNamed } from '../options.ts';

const marks = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'assize doctor [experiment.json] [--store FILE] [--ollama URL] [--allow-host HOST]… [--json]',
  summary: 'checks servers, models, store and hardware, and says how to fix what is wrong',
  options: [
    ['[experiment.json]', 'checks the servers and models of this experiment instead of the usual server'],
    optionHelp.store,
    [
      '--ollama URL',
      'the server to examine; without it OLLAMA_HOST, which try and run do not read, else http://127.0.0.1:11434;\nwith an experiment as in run',
    ],
    optionHelp.allowHost,
    optionHelp.json,
  ],
  async run(words, { out, say }) {
    const [experiment] = words.positionals;
    const { url: given, allowedHosts } = serverWords(words, say);
    const url = given ?? (experiment === undefined ? serverUrl(ollamaHostUrl(process.env) ?? undefined) : undefined);
    const report = await examine({ store: storeNamed(words.text('store'), say), url, allowedHosts, experiment });
    const isNamed = words.text('store') !== undefined;
    if (words.flag('json')) out(`${JSON.stringify(report, null, 2)}\n`);
    else {
      for (const { name, state, found, mend } of report.checks) {
        out(`${marks[state]}  ${name}: ${found}\n${mend === null ? '' : `         -> ${mend}\n`}`);
      }
      if (!isNamed) {
        const whose = process.env.ASSIZE_STORE ? 'the one that ASSIZE_STORE names' : 'the default one';
        out(`\nThe store above is ${whose}. A program started with --store has another one: give doctor the same --store.\n`);
      }
      if (report.advice.length > 0) {
        const lines = report.advice.map(({ name, mend }, index) => `${index + 1}. ${name}: ${mend}\n`);
        out(`\nWhat to do, the most important first:\n${lines.join('')}`);
      }
    }
    // An Ollama that refuses the calls of a trial is no backend for one.
    const useless = /^(ollama|ollama version|models|backend .*)$/;
    const isAway = report.checks.some(({ name, state }) => state === 'problem' && useless.test(name));
    return report.ok ? exitCode.ok : isAway ? exitCode.noBackend : exitCode.badInput;
  },
};
