import { readProfile, startStandin } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { Command } from '../command.ts';
import { standinBanner } from '../format.ts';
import { parseWords, portFault } from '../options.ts';

const usage = 'assize standin [--port N] [--profile NAME] [--seed N] [--log FILE]';
const usualPort = 11435;

function namedProfile(name: string): ReturnType<typeof readProfile> {
  try {
    return readProfile(name);
  } catch (error) {
    throw badInput(error instanceof Error ? error.message : String(error), { field: '--profile' });
  }
}

/** What kept the server from starting, as bad input where an option is at fault. */
function startFault(error: unknown, port: number): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open' && 'code' in error)
    return badInput(`the log cannot be written (${String(error.code)})`, { field: '--log' });
  return portFault(error, port);
}

export const standinCommand: Command = {
  name: 'standin',
  usage,
  summary: 'serves made-up answers over the Ollama interface, to try the program without a model',
  options: [
    ['--port N', `the port, ${usualPort} without it; 0 takes any that is free`],
    [
      '--profile NAME',
      'a machine, misbehaviours, or both joined by +, such as laptop+hang:0.2; instant without it\n' +
        'machines: instant, laptop, workstation\n' +
        'misbehaviours: malformed, prose, flaky, hang, truncated, declining, wrong-label, garbage, error-line, overflow, empty, pull-cut\n' +
        'a number from 0 to 1 after a colon is the share of requests that are hit',
    ],
    ['--seed N', 'another seed, other answers; 0 without it'],
    ['--log FILE', 'writes a line for every request'],
  ],
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
    const port = words.whole('port', 0) ?? usualPort;
    const standin = await startStandin({
      port,
      profile: namedProfile(words.text('profile') ?? 'instant'),
      seed: words.whole('seed', 0) ?? 0,
      ...(log === undefined ? {} : { logFile: log }),
    }).catch((error: unknown) => {
      throw startFault(error, port);
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
