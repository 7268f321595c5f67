import { examine, ollamaHostUrl } from '../../main/engine/engine.ts';
import type { DoctorReport } from '../../shared/commandOutputs.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp, serverUrl, serverWords, storeNamed } from '../command.ts';
import { lines } from '../format.ts';
import { places } from '../web/places.ts';

const marks = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

function reportText({ checks, advice }: DoctorReport, isNamed: boolean): string {
  const whose = process.env.ASSIZE_STORE ? 'the one that ASSIZE_STORE names' : 'the default one';
  return lines(
    checks.flatMap(({ name, state, found, mend: fix }) => [
      `${marks[state]}  ${name}: ${found}`,
      ...(fix === null ? [] : [`         -> ${fix}`]),
    ]),
    !isNamed && `\nThe store above is ${whose}. A program started with --store has another one: give doctor the same --store.`,
    advice.length > 0 && '\nWhat to do, the most important first:',
    advice.map(({ name, mend: fix }, index) => `${index + 1}. ${name}: ${fix}`),
  );
}

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
  async run(words, { say, tell }) {
    const [experiment] = words.positionals;
    const { url: given, allowedHosts } = serverWords(words, say);
    const url = given ?? (experiment === undefined ? serverUrl(ollamaHostUrl(process.env) ?? undefined) : undefined);
    const report = await examine({
      ...{ store: storeNamed(words.text('store'), say), url, allowedHosts, experiment },
      program: places.program,
    });
    tell(report, reportText(report, words.text('store') !== undefined));
    // An Ollama that refuses the calls of a trial is no backend for one.
    const useless = /^(ollama|ollama version|models|backend .*)$/;
    const isAway = report.checks.some(({ name, state }) => state === 'problem' && useless.test(name));
    return report.ok ? exitCode.ok : isAway ? exitCode.noBackend : exitCode.badInput;
  },
};
