// Instructions as candidates for an arm's prompts: those of a file, and those that a model suggests in a separate experiment of one call.
import { createHash } from 'node:crypto';
import { narrate } from '../../../core/cases/narrative.ts';
import { partsOf } from '../../../core/prompts/variantParts.ts';
import { ownProtocols } from '../../../core/protocols/index.ts';
import { suggested } from '../../../core/protocols/suggestion/protocol.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import type { DatasetCase, Fact, Prediction } from '../../../shared/domain.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import {
  type ArmDefinition,
  armSchema,
  type DatasetDefinition,
  datasetSchema,
  type Experiment,
} from '../../../shared/experiment.ts';
import type { OptimiseReport } from '../../../shared/promptOutputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { transcriptEntry } from '../report/transcriptEntries.ts';
import { trialLines } from '../report/trialLines.ts';
import type { ExperimentRow } from '../store/experiments.ts';
import { refuseForeignPath } from '../store/location.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { loadFrozen } from './frozen.ts';
import { readTextFile } from './jsonFile.ts';
import type { PreparedArm, PreparedExperiment } from './preparedArm.ts';
import { withoutPrimary } from './primary.ts';
import { refuseLongParts, usableVariant } from './promptVariants.ts';

/** Cases that the model reads at most: a small one loses the task among more. */
const mostMistakes = 8;

const caseName = '1';

interface Mistakes {
  /** Cases that it was tried on, and how many of its verdicts were wrong; a failure is none. */
  readonly cases: number;
  readonly wrong: number;
  readonly shown: readonly string[];
}

const labelsText = (labels: Prediction): string =>
  [labels ?? []]
    .flat()
    .map((label) => JSON.stringify(label))
    .join(', ');

const mistakeText = (
  { facts, question }: DatasetCase,
  { truth, prediction }: TrialLine,
  kind: DatasetDefinition['kind'],
): string =>
  [
    ...(question === null ? [] : [question]),
    narrate(facts, kind),
    `Right answer: ${labelsText(truth)}`,
    `Answer given: ${labelsText(prediction)}`,
  ].join('\n');

/**
 * The first wrong verdicts among the trials of an experiment, as many as there is room for.
 * @param data what that experiment was made of, the only source of its cases
 * @param room characters for all of them
 */
export function mistakesIn(lines: readonly TrialLine[], data: Dataset, kind: DatasetDefinition['kind'], room: number): Mistakes {
  const byId = new Map(data.cases.map((kase) => [kase.id, kase]));
  const own = lines.filter(({ replicate }) => replicate === 0);
  const wrong = own.filter(({ correct }) => correct === false);
  let left = room;
  const shown = wrong
    .flatMap((line) => {
      const kase = byId.get(line.case);
      return kase === undefined ? [] : [mistakeText(kase, line, kind)];
    })
    .filter((text) => {
      if (text.length > left) return false;
      left -= text.length;
      return true;
    });
  return { cases: own.length, wrong: wrong.length, shown: shown.slice(0, mostMistakes) };
}

/** What the model reads: the question, the words that are to become better, and the mistakes. */
export function factsOf(
  { experiment }: PreparedExperiment,
  labels: readonly string[],
  place: PromptPlace,
  mistakes: Mistakes,
): Fact[] {
  const { question } = experiment.dataset;
  return [
    ...(question === undefined ? [] : [{ name: 'Question', value: question }]),
    { name: 'Possible answers', value: labelsText([...labels]) },
    // What is written like a slot comes back as one, and no instruction can have any.
    { name: 'Words of the prompt', value: wordsAt(place).replace(/\{\{(\w+)\}\}/g, '[$1]') },
    ...mistakes.shown.map((value, index) => ({ name: `Mistake ${index + 1}`, value })),
  ];
}

export function suggestionArm({ suggestions }: Experiment): ArmDefinition {
  const { atMost, by } = suggestions ?? {};
  return armSchema.parse({ name: 'suggestions', protocol: 'suggestion', params: { atMost }, cast: { '*': by } });
}

/** Experiments in which a model suggested instructions: their case describes cases of other data sets in words. */
export const suggestionExperiments = (store: Store): readonly ExperimentRow[] =>
  store.experiments
    .all()
    .filter(({ name }) => store.experiments.history(name).some(({ payload }) => payload.arms.some(isSuggestionArm)));

const isSuggestionArm = ({ protocol }: { readonly protocol: string }) => protocol === ownProtocols.suggestion.id;

export function suggestionExperiment(
  { experiment, dataPath, file }: PreparedExperiment,
  name: string,
  facts: readonly Fact[],
): PreparedExperiment {
  const definition = suggestionArm(experiment);
  const protocol = ownProtocols.suggestion;
  const question = 'Which instructions would make the answers better?';
  return {
    experiment: {
      ...withoutPrimary(experiment),
      name,
      replicates: 1,
      reading: 'strict',
      dataset: datasetSchema.parse({ path: experiment.dataset.path, kind: 'open' }),
      arms: [definition],
    },
    arms: [{ definition, protocol, bound: protocol.bind(definition.params, definition.cast), swap: null, variant: null }],
    dataPath,
    file,
    data: {
      cases: [{ id: caseName, facts: [...facts], question, truth: null, groups: {} }],
      splits: new Map([[caseName, 'test']]),
      sample: [caseName],
      labels: [],
      positive: null,
      multiLabel: false,
      fileHash: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
      checks: [],
    },
  };
}

/** Words in a row that an instruction and a case can have in common by chance. */
const mostCopied = 7;

/** Why an instruction is none in any prompt; null where it may be one. @param cases what the model read, in words */
export function noInstruction(instruction: string, cases: readonly string[]): string | null {
  const words = instructionKey(instruction)
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return 'it has no word';
  if (/^<.*>$/.test(instruction)) return 'it is a placeholder';
  const read = cases.map((text) => ` ${instructionKey(text)} `);
  const copies = words.some((_word, from) => {
    const run = words.slice(from, from + mostCopied + 1);
    return run.length > mostCopied && read.some((text) => text.includes(` ${run.join(' ')} `));
  });
  return copies ? 'it repeats a case' : null;
}

/** The result of the finished trial of such an experiment. Throws where it is not finished, or its answer was erased. */
function answerIn(
  store: Store,
  name: string,
): Pick<NonNullable<OptimiseReport['suggestions']>, 'outcome'> & { instructions: readonly string[] } {
  const [line] = trialLines(store, loadFrozen(store, name));
  if (line === undefined || line.outcome === null) {
    throw new AssizeError('interrupted', `experiment ${JSON.stringify(name)} is not finished; run the command again to continue`);
  }
  const events = lastAttempt(parseChain(store.events.chain(line.trial)));
  const instructions = events.flatMap((event) => {
    const entry = transcriptEntry(event, (ref) => store.blobs.get(ref) ?? null);
    if (entry?.kind !== 'step' || entry.step !== suggested.name) return [];
    if (entry.said === null) {
      throw new AssizeError('not-found', `what the model suggested in ${JSON.stringify(name)} was erased; name the file’s own`, {
        file: store.path,
      });
    }
    return suggested.read(entry.said).instructions;
  });
  return { outcome: line.outcome, instructions };
}

/**
 * The instructions of the answer as candidates: white space made single, without those that say the same as one before or as
 * one of the list, and without those that are no instruction or that no prompt can have.
 */
export function candidatesFrom(
  store: Store,
  { experiment }: PreparedExperiment,
  place: PromptPlace,
  listed: readonly Candidate[],
  { cases, wrong, shown }: Mistakes,
): { readonly candidates: readonly Candidate[]; readonly report: NonNullable<OptimiseReport['suggestions']> } {
  const { outcome, instructions } = answerIn(store, experiment.name);
  const { atMost = 0, by } = experiment.suggestions ?? {};
  const known = new Set(listed.map(({ instruction }) => instructionKey(instruction)));
  const candidates: Candidate[] = [];
  const refused: { instruction: string; problem: string }[] = [];
  let repeated = 0;
  for (const [index, said] of instructions.entries()) {
    const instruction = said.replace(/\s+/g, ' ').trim();
    const key = instructionKey(instruction);
    if (known.has(key)) {
      repeated += 1;
      continue;
    }
    known.add(key);
    try {
      const problem = noInstruction(instruction, shown);
      if (problem !== null) throw badInput(problem);
      candidates.push(candidateOf(instruction, `suggestion-${String(index + 1).padStart(2, '0')}`, place));
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      refused.push({ instruction, problem: error.message });
    }
  }
  const mistakes = { cases, wrong, shown: shown.length };
  return {
    candidates,
    report: { model: by?.model ?? '', at_most: atMost, mistakes, outcome, suggested: instructions.length, repeated, refused },
  };
}

export interface PromptPlace {
  readonly arm: PreparedArm;
  /** `PROMPT/TEXT`, such as `answer/cot`. */
  readonly into: string;
  readonly numCtx: number;
}

const mostCandidates = 64;

const partsOfArm = ({ protocol, variant }: PreparedArm) => partsOf(variant?.prompts ?? protocol.prompts);

/** The words of the text as the arm has them. Throws bad input where its prompts have no such text. */
export function wordsAt({ arm, into }: PromptPlace): string {
  const texts = partsOfArm(arm).flatMap(({ prompt, text, words }) =>
    text === null ? [] : [{ name: `${prompt}/${text}`, words }],
  );
  const found = texts.find(({ name }) => name === into);
  if (found !== undefined) return found.words;
  const known = texts.map(({ name }) => name).join(', ');
  throw badInput(`protocol ${arm.protocol.id} has no text ${JSON.stringify(into)}; it has ${known}`, '--into');
}

/** What distinguishes instructions: neither capitals nor spaces nor marks. */
export const instructionKey = (instruction: string): string =>
  instruction
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();

export type Candidate = Readonly<ReturnType<typeof candidateOf>>;

/** An instruction before the words of a text of the arm's prompts. Throws bad input where no prompt can have it. */
export function candidateOf(instruction: string, name: string, { arm, into, numCtx }: PromptPlace) {
  const parts = partsOfArm(arm).map((part) =>
    `${part.prompt}/${part.text}` === into ? { ...part, words: `${instruction}\n\n${part.words}` } : part,
  );
  const about = instruction.slice(0, 500).toWellFormed();
  const { variant, content } = usableVariant({ name, protocol: arm.protocol.id, about, parts });
  refuseLongParts(variant, numCtx, name);
  return { instruction, variant, text: content };
}

/** The instructions of a file, one a line. Throws bad input with file and line. */
export function candidatesIn(path: string, place: PromptPlace): Candidate[] {
  refuseForeignPath(path, '--instructions');
  const lines = readTextFile(path, 'an instruction on each line').split(/\r?\n/);
  const given = lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ instruction: line.trim(), line: index + 1 }]));
  if (given.length > mostCandidates) {
    throw badInput(`there are ${given.length} instructions; give at most ${mostCandidates}`, { file: path });
  }
  return given.map(({ instruction, line }, index) => {
    const twice = given.findIndex((other) => other.instruction === instruction);
    if (twice < index)
      throw badInput(`this is the instruction of line ${given[twice]?.line} again; remove one`, { file: path, line });
    try {
      return candidateOf(instruction, `instruction-${String(line).padStart(2, '0')}`, place);
    } catch (error) {
      // Its line is one of the variant, which no one has seen.
      throw error instanceof AssizeError ? badInput(error.message, { file: path, line }) : error;
    }
  });
}
