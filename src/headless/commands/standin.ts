import { biasHelp, onlyPace, profileHelp, readBias, readProfile, startDemoServer } from '../../main/engine/engine.ts';
import { badInput } from '../../shared/errors.ts';
import { type Command, fired, portFault } from '../command.ts';
import { demoBanner } from '../format.ts';

const usualPort = 11435;

function read<T>(field: string, reader: (text: string) => T, text: string): T {
  try {
    return reader(text);
  } catch (error) {
    throw badInput(error instanceof Error ? error.message : String(error), field);
  }
}

function startFault(error: unknown, port: number): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open' && 'code' in error)
    return badInput(`the log cannot be written (${String(error.code)})`, '--log');
  return portFault(error, port);
}

export const demoCommand: Command = {
  name: 'standin',
  usage: 'assize standin [--port N] [--profile NAME] [--bias KIND=…]… [--seed N] [--log FILE]',
  summary: 'serves made-up answers over the Ollama interface, to try the program without a model',
  options: [
    ['--port N', `the port, ${usualPort} without it; 0 takes any that is free`],
    ['--profile NAME', profileHelp],
    ['--bias KIND=…', `an effect planted on purpose; may be given several times\n${biasHelp}`],
    ['--seed N', 'another seed, other answers above temperature 0; 0 without it'],
    ['--log FILE', 'writes a line for every request'],
  ],
  async run(words, { signal, say, out }) {
    const log = words.text('log');
    const port = words.whole('port', 0) ?? usualPort;
    const profile = words.text('profile') ?? 'instant';
    read('--profile', readProfile, profile);
    const standin = await startDemoServer({
      port,
      profile,
      biases: words.texts('bias').map((text) => read('--bias', readBias, text)),
      seed: words.whole('seed', 0) ?? 0,
      ...(log === undefined ? {} : { logFile: log }),
    }).catch((error: unknown) => {
      throw startFault(error, port);
    });
    if (/laptop|workstation/.test(profile)) say(onlyPace);
    say(demoBanner);
    out(`${standin.url}\n`);
    say('Stop it with Ctrl+C.');
    await fired(signal);
    await standin.close();
  },
};
