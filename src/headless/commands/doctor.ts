import { examine, resolveStorePath } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp } from '../command.ts';
import { jsonOption, parseWords, serverOptions, storeOption } from '../options.ts';
import { serverUrl, warnOfHosts } from './run.ts';

const usage = 'assize doctor [--store FILE] [--ollama URL] [--allow-host HOST] [--json]';
const marks = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

/** Ollama's own variable may lack the scheme, and may hold the wildcard address a server listens on. */
function usualServer(): string {
  const host = process.env.OLLAMA_HOST?.trim();
  return host ? host.replace('0.0.0.0', '127.0.0.1') : 'http://127.0.0.1:11434';
}

export const doctorCommand: Command = {
  name: 'doctor',
  usage,
  summary: 'tells what is there, what is wrong and how to mend it',
  options: [
    optionHelp.store,
    ['--ollama URL', 'the server to examine; without it OLLAMA_HOST, else http://127.0.0.1:11434'],
    optionHelp.allowHost,
    optionHelp.json,
  ],
  async run(args, { out, say }) {
    const words = parseWords(
      args,
      {
        ...storeOption,
        ...serverOptions,
        ...jsonOption,
      },
      [],
      usage,
    );
    const allowedHosts = words.texts('allow-host');
    warnOfHosts(allowedHosts, say);
    const url = serverUrl(words.text('ollama') ?? usualServer()) ?? '';
    const report = await examine({ store: resolveStorePath(words.text('store')), url, allowedHosts });
    if (words.flag('json')) out(`${JSON.stringify(report, null, 2)}\n`);
    else {
      for (const { name, state, found, mend } of report.checks) {
        out(`${marks[state]}  ${name}: ${found}\n${mend === null ? '' : `         -> ${mend}\n`}`);
      }
    }
    const away = report.checks.some(({ name, state }) => state === 'problem' && (name === 'ollama' || name === 'models'));
    return report.ok ? exitCode.ok : away ? exitCode.noBackend : exitCode.badInput;
  },
};
