import { nearest, ownCall, programVersion } from '../main/engine/engine.ts';
import { AssizeError, badInput, diskError, type ErrorReport, type ExitCode, exitCode } from '../shared/errors.ts';
import { type Command, helpText, parseWords, type Surroundings } from './command.ts';
import { checkpointCommand, cosignCommand } from './commands/checkpoint.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eraseCommand } from './commands/erase.ts';
import { exportCommand } from './commands/export.ts';
import { importPredictionsCommand } from './commands/importPredictions.ts';
import { trainAssistantCommand, weightsCommand } from './commands/learn.ts';
import { modelsCommand } from './commands/models.ts';
import { moderateCommand } from './commands/moderate.ts';
import { optimiseCommand, promptsCommand } from './commands/prompts.ts';
import { runCommand, studyCommand } from './commands/run.ts';
import { demoCommand } from './commands/standin.ts';
import { reviewsCommand, statsCommand } from './commands/stats.ts';
import { adoptCommand, mergeCommand, rebuildCommand, replayCommand } from './commands/stores.ts';
import { showCommand, tryCommand } from './commands/try.ts';
import { varyCommand } from './commands/vary.ts';
import { verifyCommand } from './commands/verify.ts';
import { webCommand } from './commands/web.ts';
import { harmless, type Streams, terminalSurroundings } from './terminal.ts';

const commands: readonly Command[] = [
  runCommand,
  studyCommand,
  tryCommand,
  moderateCommand,
  reviewsCommand,
  eraseCommand,
  importPredictionsCommand,
  trainAssistantCommand,
  showCommand,
  exportCommand,
  statsCommand,
  verifyCommand,
  checkpointCommand,
  cosignCommand,
  rebuildCommand,
  adoptCommand,
  mergeCommand,
  replayCommand,
  webCommand,
  modelsCommand,
  promptsCommand,
  varyCommand,
  optimiseCommand,
  weightsCommand,
  doctorCommand,
  demoCommand,
];

function overview(): string {
  const entries = [
    ...commands,
    { name: 'help', summary: `lists the commands; ${ownCall} help COMMAND shows the options of one` },
    { name: 'version', summary: 'prints the version of the program' },
  ];
  const width = Math.max(...entries.map(({ name }) => name.length));
  return [
    `Assize ${programVersion}: puts a language model's decision on trial, and keeps the record.`,
    '',
    ...entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `${ownCall} COMMAND --help shows its options.`,
    '',
  ].join('\n');
}

function findCommand(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const names = commands.map((each) => each.name);
    const meant = names.filter((each) => each.split('-').includes(name) || each === `${name}s`);
    const near = meant.length > 0 ? meant : [nearest(name, names)].filter((each) => each !== undefined);
    const hint = near.length === 0 ? '' : `did you mean ${near.join(' or ')}? `;
    throw badInput(`there is no command ${JSON.stringify(name)}; ${hint}${ownCall} help lists the commands`);
  }
  return command;
}

function help([name, extra]: readonly string[]): string {
  if (extra !== undefined) throw badInput(`${JSON.stringify(extra)} is one word too many. Usage: ${ownCall} help [COMMAND]`);
  return name === undefined || isHelpOption(name) ? overview() : helpText(findCommand(name));
}

const isHelpOption = (word: string) => word === '--help' || word === '-h';

function errorReport(error: AssizeError): ErrorReport {
  const { file = null, line = null, field = null } = error.place;
  return { error: { code: error.code, message: error.advice, file, line, field } };
}

/** The first interrupt asks the command to end in order; a second one ends the process. */
function listenForInterrupts(controller: AbortController, leave: () => void): () => void {
  const onSignal = () => {
    if (controller.signal.aborted) {
      leave();
      process.exit(exitCode.interrupted);
    }
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
}

async function dispatch(args: readonly string[], surroundings: Surroundings & { finish(): void }): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || isHelpOption(name)) {
    surroundings.out(overview());
    return name === undefined ? exitCode.badInput : exitCode.ok;
  }
  if (name === 'help') {
    surroundings.out(help(rest));
    return exitCode.ok;
  }
  if (name === '--version' || name === 'version') {
    surroundings.out(`${programVersion}\n`);
    return exitCode.ok;
  }
  const command = findCommand(name);
  if (rest.some(isHelpOption)) {
    surroundings.out(helpText(command));
    return exitCode.ok;
  }
  try {
    return (await command.run(parseWords(rest, command.usage, command.positionals?.(rest)), surroundings)) ?? exitCode.ok;
  } finally {
    surroundings.finish();
  }
}

/** Runs the command line and returns its exit code; expected failures are printed. @param args words after the program's name */
export async function main(args: readonly string[], streams: Streams = process): Promise<number> {
  const controller = new AbortController();
  const surroundings = terminalSurroundings(controller.signal, streams, args.includes('--json'));
  const stopListening = listenForInterrupts(controller, surroundings.finish);
  try {
    return await dispatch(args, { ...surroundings, endAtOnce: stopListening });
  } catch (thrown) {
    const error = diskError(thrown);
    if (!(error instanceof AssizeError)) throw error;
    streams.stderr.write(`assize: ${harmless(error.describe())}\n`);
    if (args.includes('--json')) surroundings.out(`${JSON.stringify(errorReport(error))}\n`);
    // The entry point keeps the details of what should not have happened, and ends with its exit code.
    if (error.code === 'internal') throw error;
    return error.exitCode;
  } finally {
    stopListening();
  }
}
