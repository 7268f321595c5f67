import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as engine from '../../main/engine/engine.ts';
import { AssizeError, badInput, exitCode } from '../../shared/errors.ts';
import type { OptimiseReport, PromptsReport, VariantReport } from '../../shared/promptOutputs.ts';
import { type Command, optionHelp, type Surroundings, storeNamed, type Words } from '../command.ts';
import { amount, count, demoBanner, lines, proportion, table } from '../format.ts';
import { runOptionHelp, runRequest } from '../runRequest.ts';

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
  const none = `You have no variants. They are files in ${folder}; ${engine.ownCall} prompts new makes one.\n`;
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

function write({ words, surroundings }: Question, text: string): void {
  const out = words.text('out') ?? '-';
  if (out === '-') {
    surroundings.out(text, 'file');
    return;
  }
  engine.refuseForeignPath(out, '--out');
  if (existsSync(out) && !words.flag('force')) {
    throw new AssizeError('output-exists', `${out} is there already; add --force to replace it`, '--out');
  }
  engine.writeWholeFile(resolve(out), text);
  surroundings.say(`Written: ${out}`);
}

const actions: Readonly<Record<string, (question: Question) => void | Promise<void>>> = {
  list(question) {
    named(question);
    const report = engine.promptsReport();
    question.surroundings.tell(report, listText(report));
  },
  new(question) {
    const [protocol = '', name = ''] = named(question, 'PROTOCOL', 'NAME');
    const text = engine.shippedAsVariant(name, protocol);
    if (question.words.text('out') !== undefined) return write(question, text);
    question.surroundings.say(
      `Edit ${engine.keepVariant(text, name).path}, and name it in an arm: "prompts": ${JSON.stringify(name)}`,
    );
  },
  check(question) {
    const [file = ''] = named(question, 'FILE');
    const { name, protocol, about, hash, warnings } = engine.readVariantFile(file);
    const report: VariantReport = { name, protocol, about, hash, warnings: [...warnings] };
    const shipped = engine.promptsReport().protocols.find((each) => each.protocol === protocol);
    if (hash === shipped?.hash) question.surroundings.say(`${name} changes nothing: its words are the shipped ones.`);
    for (const { line, message } of warnings) question.surroundings.say(`WARNING: ${file}:${line}: ${message}`);
    question.surroundings.tell(report, `${name}  ${protocol}  ${hash}\n`);
  },
  add(question) {
    const [file = ''] = named(question, 'FILE');
    question.surroundings.say(`Kept: ${engine.keepVariant(engine.readVariantText(file), file).path}`);
  },
  async export(question) {
    const [experiment = '', arm = ''] = named(question, 'EXPERIMENT', 'ARM');
    write(
      question,
      await engine.recordedPrompts(storeNamed(question.words.text('store'), question.surroundings.say), experiment, arm),
    );
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
  async run(words, surroundings) {
    const [name = 'list', ...given] = words.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) {
      throw badInput(`there is no "assize prompts ${name}"; there are ${Object.keys(actions).join(', ')}`);
    }
    await action({ words, given, surroundings });
  },
};

type Suggestions = NonNullable<OptimiseReport['suggestions']>;

function finding({ winner, cases }: OptimiseReport): string {
  if (winner === null) return 'There was no instruction to try: the words of the arm stay as they are.';
  const { name, comparison } = winner;
  const { value, low, high } = comparison.difference;
  const over = `over the ${amount(cases.confirmation, 'case')} that had no say in the choice`;
  if (value === null) return `${name} and the arm as it was have no case in common.`;
  const points = `Accuracy of ${name} less that of the arm as it was, ${over}: ${proportion(value)}`;
  if (low === null || high === null) return `${points}; there is no interval: ${comparison.difference.why_null ?? ''}.`;
  const shown =
    low > 0
      ? 'It is better.'
      : high < 0
        ? 'It is worse.'
        : 'It is not shown to be better or worse: keep the words that you have.';
  return `${points} [${proportion(low)}, ${proportion(high)}]. ${shown}`;
}

function suggestedText({ model, at_most, mistakes, outcome, suggested, repeated, refused }: Suggestions): string[] {
  const { cases, wrong, shown } = mistakes;
  const asked = `${model} was asked for at most ${amount(at_most, 'instruction')}. It read ${count(shown)} of the ${amount(wrong, 'wrong verdict')} that the arm as it is gave on the ${amount(cases, 'case')} to choose on`;
  if (outcome !== 'decided') return [`${asked}. It gave no answer that can be used: ${outcome}.`];
  const lost = [
    repeated === 0 ? '' : `${count(repeated)} said what another one says`,
    refused.length === 0 ? '' : `${count(refused.length)} cannot be used`,
  ].filter((words) => words !== '');
  return [
    `${asked}, and suggested ${count(suggested)}${lost.length === 0 ? '' : `; ${lost.join(', ')}`}.`,
    ...refused.map(({ instruction, problem }) => `Not tried: ${JSON.stringify(instruction)}: ${problem}.`),
  ];
}

function text(report: OptimiseReport): string {
  const { arm, into, cases, suggestions, candidates, experiments, store } = report;
  const rows = candidates.map((candidate) => [
    candidate.name,
    count(candidate.stages),
    count(candidate.cases),
    proportion(candidate.accuracy),
    candidate.instruction.length > 60 ? `${candidate.instruction.slice(0, 59)}…` : candidate.instruction,
  ]);
  const alike = cases.like_test_cases;
  const isChosen = candidates.length > 1;
  const how = isChosen
    ? `chosen on ${amount(cases.selection, 'validation case')}, confirmed on ${count(cases.confirmation)} others`
    : `nothing to choose among; ${amount(cases.confirmation, 'validation case')} to confirm on`;
  return lines(
    report.standin && demoBanner,
    `Instructions in ${into} of ${arm}: ${how}. No test case was used${alike === 0 ? '' : `; ${amount(alike, 'validation case')} like one of them left out`}.`,
    suggestions && suggestedText(suggestions),
    candidates.length > 0 && `\n${table(['candidate', 'stages', 'cases', 'accuracy', 'instruction'], rows)}`,
    isChosen && 'The accuracies are of the cases that candidates were dropped by: that of the winner is too high.',
    finding(report),
    `Record: ${store}, ${experiments.map((name) => JSON.stringify(name)).join(', ')}`,
  );
}

export const optimiseCommand: Command = {
  name: 'optimise',
  usage:
    'assize optimise <experiment.json> --arm NAME --into PROMPT/TEXT [--instructions FILE] [--out FILE] [--store FILE] [--ollama URL] [--concurrency N] [--retry KIND[,KIND]] [--between HH:MM-HH:MM] [--allow-host HOST]… [--start-ollama] [--json]',
  summary: 'finds the best of several instructions for the prompts of an arm, yours or a model’s, only on the validation split',
  options: [
    ['<experiment.json>', 'the experiment; its validation split needs a share'],
    ['--arm NAME', 'the arm whose prompts are changed'],
    ['--into PROMPT/TEXT', 'the text of the prompts that each of them is put before, such as answer/cot; docs/prompts.md'],
    ['--instructions FILE', 'the candidates, one a line; not needed where the experiment file has "suggestions"'],
    ['--out FILE', 'writes the prompts with the winner as a variant'],
    optionHelp.store,
    ...runOptionHelp,
    optionHelp.json,
  ],
  async run(words, { signal, say, live, tell }) {
    const to = words.text('out');
    if (to !== undefined) {
      engine.refuseForeignPath(to, '--out');
      if (existsSync(to)) throw new AssizeError('output-exists', `${to} is there already; choose another name`, '--out');
    }
    const wanted = { arm: words.need('arm'), instructions: words.text('instructions'), into: words.need('into') };
    const { request, followed } = runRequest(words, { signal, say });
    live(followed.text);
    const { report, winner } = await engine.optimise(words.positionals[0] ?? '', wanted, {
      ...request,
      onStep: (what) => say(`${what}.`),
    });
    if (to !== undefined && winner !== null) engine.writeWholeFile(resolve(to), winner);
    tell(report, text(report));
    return report.winner === null ? exitCode.failedTrials : exitCode.ok;
  },
};
