import { exitCode } from '../../shared/errors.ts';
import { readProfile, startStandin } from '../../main/engine/engine.ts';
import type { Command } from '../command.ts';
import { standinBanner } from '../format.ts';
import { parseWords } from '../options.ts';

const usage = 'assize standin [--port N] [--profile NAME] [--seed N] [--log FILE]';
const usualPort = 11435;

export const standinCommand: Command = {
  name: 'standin',
  usage,
  summary: 'serves made-up answers over the Ollama interface, to try the program without a model',
  async run(args, { signal, say, out }) {
    const words = parseWords(
      args,
      {
        port: { type: 'string' },
        profile: { type: 'string' },
        seed: { type: 'string' },
        log: { type: 'string' },
      },
      [],
      usage,
    );
    const log = words.text('log');
    const standin = await startStandin({
      port: words.whole('port', 0) ?? usualPort,
      profile: readProfile(words.text('profile') ?? 'instant'),
      seed: words.whole('seed', 0) ?? 0,
      ...(log === undefined ? {} : { logFile: log }),
    });
    say(standinBanner);
    out(`${standin.url}\n`);
    say('Stop it with Ctrl+C.');
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await standin.close();
    return exitCode.ok;
  },
};
