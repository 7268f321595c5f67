import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  keepVariant,
  ownCall,
  promptsReport,
  readVariantFile,
  readVariantText,
  recordedPrompts,
  refuseForeignPath,
  shippedAsVariant,
  writeWholeFile,
} from '../../main/engine/engine.ts';
import { AssizeError, badInput, type ExitCode, exitCode } from '../../shared/errors.ts';
import type { PromptsReport, VariantReport } from '../../shared/promptOutputs.ts';
import { type Command, optionHelp, type Surroundings } from '../command.ts';
import { storeNamed, type Words } from '../options.ts';

const usage =
  'assize prompts [list | new PROTOCOL NAME [--out PATH|-] | check FILE | add FILE | export EXPERIMENT ARM [--out PATH|-] [--store FILE]] [--force] [--json]';

const shortHash = (hash: string) => hash.slice(0, 12);

function listText({ folder, protocols, variants }: PromptsReport): string {
  const shipped = protocols.map(({ protocol, hash, prompts }) => `${protocol}  ${shortHash(hash)}  ${prompts.join(', ')}\n`);
  const own = variants.map(({ path, name, protocol, hash, about, problem }) =>
    name === null || hash === null || problem !== null
      ? `${problem}\n`
      : `${name}  ${protocol}  ${shortHash(hash)}  ${about === '' ? path : about}\n`,
  );
  const none = `You have no variants. They are files in ${folder}; ${ownCall} prompts new makes one.\n`;
  return `Shipped prompts, with their version:\n${shipped.join('')}\nYour variants:\n${own.length === 0 ? none : [...new Set(own)].join('')}`;
}

interface Question {
  readonly words: Words;
  readonly given: readonly string[];
  readonly surroundings: Surroundings;
}

/** The words behind the action's name. Throws bad input. */
function named({ given }: Question, ...names: readonly string[]): readonly string[] {
  const missing = names[given.length];
  if (missing !== undefined) throw badInput(`${missing} is missing. Usage: ${usage}`);
  const extra = given[names.length];
  if (extra !== undefined) throw badInput(`${JSON.stringify(extra)} is one word too many. Usage: ${usage}`);
  return given;
}

/** Writes to `--out`, or to stdout. Throws output-exists. */
function write({ words, surroundings }: Question, text: string): void {
  const out = words.text('out') ?? '-';
  if (out === '-') {
    surroundings.out(text, 'file');
    return;
  }
  refuseForeignPath(out, '--out');
  if (existsSync(out) && !words.flag('force')) {
    throw new AssizeError('output-exists', `${out} is there already; add --force to replace it`, { field: '--out' });
  }
  writeWholeFile(resolve(out), text);
  surroundings.say(`Written: ${out}`);
}

const actions: Readonly<Record<string, (question: Question) => void | Promise<void>>> = {
  list(question) {
    named(question);
    const report = promptsReport();
    question.surroundings.tell(report, listText(report));
  },
  new(question) {
    const [protocol = '', name = ''] = named(question, 'PROTOCOL', 'NAME');
    const text = shippedAsVariant(name, protocol);
    if (question.words.text('out') !== undefined) return write(question, text);
    question.surroundings.say(`Edit ${keepVariant(text, name).path}, and name it in an arm: "prompts": ${JSON.stringify(name)}`);
  },
  check(question) {
    const [file = ''] = named(question, 'FILE');
    const { name, protocol, about, hash, warnings } = readVariantFile(file);
    const report: VariantReport = { name, protocol, about, hash, warnings: [...warnings] };
    const shipped = promptsReport().protocols.find((each) => each.protocol === protocol);
    if (hash === shipped?.hash) question.surroundings.say(`${name} changes nothing: its words are the shipped ones.`);
    for (const { line, message } of warnings) question.surroundings.say(`WARNING: ${file}:${line}: ${message}`);
    question.surroundings.tell(report, `${name}  ${protocol}  ${hash}\n`);
  },
  add(question) {
    const [file = ''] = named(question, 'FILE');
    question.surroundings.say(`Kept: ${keepVariant(readVariantText(file), file).path}`);
  },
  async export(question) {
    const [experiment = '', arm = ''] = named(question, 'EXPERIMENT', 'ARM');
    write(question, await recordedPrompts(storeNamed(question.words.text('store'), question.surroundings.say), experiment, arm));
  },
};

export const promptsCommand: Command = {
  name: 'prompts',
  usage,
  summary: 'lists the prompts of the protocols and your own variants of them, and makes, checks, adds and exports variants',
  options: [
    ['list', 'the shipped prompts and your variants; also without a word'],
    ['new PROTOCOL NAME', 'a variant with all the shipped words, to edit: among your own, or where --out says'],
    ['check FILE', 'whether a variant can be used, and its version'],
    ['add FILE', 'keeps a variant among your own'],
    ['export EXPERIMENT ARM', 'the words that an arm was recorded with, as a variant'],
    ['--out PATH|-', 'the file to write; - is stdout'],
    ['--force', 'replaces a file that is there already'],
    optionHelp.store,
    optionHelp.json,
  ],
  positionals: () => ['[list]', '[WORD]', '[WORD]'],
  async run(words, surroundings): Promise<ExitCode> {
    const [name = 'list', ...given] = words.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) {
      throw badInput(`there is no "assize prompts ${name}"; there are ${Object.keys(actions).join(', ')}`);
    }
    await action({ words, given, surroundings });
    return exitCode.ok;
  },
};
