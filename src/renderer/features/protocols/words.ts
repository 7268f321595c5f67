import { findProtocol } from '../../../core/protocols/index.ts';
import { vote } from '../../../core/protocols/vote/protocol.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { isChanged, type Parameters, parameterFields, type Scalar } from './parameters.ts';

/** What a protocol does, and what its parameters are called, in plain words. A protocol or parameter without an entry shows its own name. */
interface ProtocolWords {
  readonly does: string;
  readonly parameters: Readonly<Record<string, { label: string; note?: string; choices?: Readonly<Record<string, string>> }>>;
}

type ParameterWords = ProtocolWords['parameters'];

/** Parameters of one meaning in every protocol that does not say otherwise. */
const everywhere: ParameterWords = {
  topK: { label: 'Labels that an answer ranks, where there are more than 12', note: '0 asks for a number for each label.' },
  temperature: { label: 'Temperature', note: '0 takes the likeliest word each time; higher values vary more.' },
  knowledge: {
    label: 'What may be used in addition to the facts',
    choices: { general: 'what is generally known; speakers name what they take from it', 'facts-only': 'nothing' },
  },
};

const shots = {
  label: 'Precedents of each label',
  note: 'Training cases with their labels; the data need a training share.',
};
const weights = {
  label: 'Weights of the votes',
  note: 'A list with a number for each seat; none: all count the same. See assize weights.',
};
const examples = { ...shots, label: 'Examples of each label' };

const words: Readonly<Record<string, ProtocolWords>> = {
  socrasynth: {
    does: 'Two agents, several rounds, a critic and a panel of judges. The agents debate sharply at first and more agreeably later; the critic scores their arguments, the panel both sides. It also takes open questions. 4 to 23 calls in a trial, 19 to 28 for an open question.',
    parameters: {
      subtopics: {
        label: 'Subtopics',
        note: 'Settled by both agents before they argue; 0: none. Empty: five for an open question, none for labels.',
      },
      maxRounds: { label: 'Rounds of refutation at most', note: 'Between openings and closing statements.' },
      contentiousness: { label: 'Contentiousness at first', note: '0 is full agreement, 1 a devil’s advocate.' },
      style: {
        label: 'How prompts state the contentiousness',
        choices: { number: 'as a number with its definition', words: 'in words' },
      },
      schedule: {
        label: 'How contentiousness falls',
        choices: { decay: 'by the decay, then 0.3 for the proposal', phases: 'in equal steps to 0.5, then 0.1 for the proposal' },
      },
      decay: { label: 'Decay of contentiousness', note: 'It is divided by this before each round; at 0.1 the rounds end.' },
      critSides: {
        label: 'Whose claim the critic scores',
        choices: { proponent: 'that of agent A alone: arguments of B count against it', both: 'those of both agents: the mean' },
      },
      feedback: {
        label: 'The critic tells the agents what to improve',
        note: 'After each round: the weakest reason of their own, and the strongest against them.',
      },
      critDepth: {
        label: 'Depth of the critic',
        choices: {
          0: 'reasons as given',
          1: 'reasons that are claims themselves are examined',
          2: 'and their reasons too',
        },
      },
      opening: {
        label: 'Openings',
        choices: { independent: 'neither knows the other’s', sequential: 'agent B knows that of agent A' },
      },
      panelReads: { label: 'What the panel reads', choices: { closing: 'closing statements', all: 'all that was said' } },
      stances: {
        label: 'Stances on labelled cases',
        choices: { free: 'each agent predicts and may concede', assigned: 'each defends one of two labels' },
      },
      onAgreement: {
        label: 'Once both predict the same',
        choices: { recommend: 'they make joint recommendations and end', panel: 'closing statements and the panel follow too' },
      },
      moderated: { label: 'Wait for a moderator', note: 'For the subtopics, and for one remark after the first round.' },
      compareWithAnswer: { label: 'Compare with a plain answer', note: 'One model answers alone, and the panel compares both.' },
      comparison: {
        label: 'How judges compare',
        choices: {
          blinded: 'two answers without names, of nearly equal length, in both orders',
          named: 'the closing statements and the answer, once',
        },
      },
    },
  },
  'agentic-sim': {
    does: 'Two sides, several speeches each, one judge. A prosecutor and a defender argue in turns; the judge notes a private belief after each speech and then rules, without known cases to read. 7 to 13 calls in a trial with three speeches a side.',
    parameters: {
      beliefUpdates: {
        label: 'The judge’s belief',
        note: 'When the judge states how sure it is.',
        choices: {
          live: 'asked after every speech',
          retrospective: 'recalled in the ruling',
          none: 'not asked',
        },
      },
      priorBelief: { label: 'Ask the judge before anyone speaks', note: 'One more call: the belief from the facts alone.' },
      turns: { label: 'Speeches of each side', note: 'The first opens, the last closes, those between rebut.' },
      contested: { label: 'The two labels in dispute', note: 'For data with more than two labels.' },
    },
  },
  courtroom: {
    does: 'Two sides, one speech each, one or several judges. A clerk names the two answers in dispute, a prosecutor and an attorney argue for one each, and the judges decide. If the data have a training share, they also read cases from it with their right answers. 3 calls in a trial and one for each judge.',
    parameters: {
      weights,
      judges: { label: 'Judges' },
      deliberation: {
        label: 'How the judges decide',
        choices: {
          sequential: 'in turn, each knowing those before; the last one decides',
          parallel: 'each alone; the bench majority decides',
        },
      },
      judgesSee: {
        label: 'What a judge in turn reads',
        choices: { all: 'all opinions before it', previous: 'the opinion just before it' },
      },
      judgeOrder: {
        label: 'Order of judges in turn',
        choices: { seats: 'as they are seated', shuffled: 'drawn by the seed', strength: 'by their weights, the strongest last' },
      },
      shots,
      retriever: {
        label: 'How precedents are found',
        choices: { similar: 'the nearest training cases', random: 'drawn by the seed' },
      },
      precedents: {
        label: 'Labels that have precedents',
        choices: {
          auto: 'every label of up to 12, else the two in dispute',
          all: 'every label',
          contested: 'the two in dispute',
        },
      },
      sides: {
        label: 'Who argues for which label',
        choices: { random: 'drawn by the seed', fixed: 'the prosecutor for what the clerk finds' },
      },
      argumentOrder: {
        label: 'Whose argument is read first',
        choices: { 'prosecutor-first': 'the prosecutor’s', random: 'drawn by the seed' },
      },
      argumentWords: { label: 'Longest argument, in words', note: 'A longer one is cut at the end of a sentence.' },
      ambiguity: {
        label: 'Fresh hearings that show whether a case is ambiguous',
        note: 'They are held once for a case and never change a verdict.',
        choices: { 0: 'not asked', 5: 'five, as in the paper' },
      },
    },
  },
  'debate-feedback': {
    does: 'Two or more debaters, several rounds, one judge. The judge changes its first opinion after each round. An assistant can rate the answers, so that only reliable rounds count. 13 to 17 calls in a trial with two debaters.',
    parameters: {
      debaters: { label: 'Debaters', note: 'The first two take opposing positions, more are free.' },
      rounds: { label: 'Rounds' },
      tolerance: { label: 'End where the opinion moves by less', note: 'After a round that passed; 0 always holds all rounds.' },
      smoothing: { label: 'Weight of the newest opinion', note: '1 is no smoothing, 0 never moves.' },
      assistant: {
        label: 'Who rates the answers',
        choices: {
          none: 'no one: every round passes',
          model: 'a language model',
          trained: 'an assistant trained on earlier debates',
        },
      },
      assistantVersion: { label: 'Version of the trained assistant', note: 'Empty: the newest when the experiment begins.' },
      passing: {
        label: 'What must be reliable for a round to pass',
        choices: {
          max: 'the best answer',
          mean: 'the mean of all answers',
          each: 'each by itself: other answers are not heard',
        },
      },
      threshold: { label: 'Reliability from which a round passes' },
      learntThreshold: {
        label: 'Use the threshold that the trained assistant has learnt',
        note: 'It separates right from wrong statements best, on debates that the assistant was not trained on.',
      },
      concessions: {
        label: 'Ask debaters whether the others have convinced them',
        note: 'A debater still argues for its position; the assistant does not learn from what it no longer believes.',
      },
      onUnreliable: {
        label: 'After a round that does not pass',
        choices: { initial: 'back to the first opinion', keep: 'the opinion stays as it was' },
      },
      memory: {
        label: 'What a round knows of those before',
        choices: { none: 'nothing, as in the paper', transcript: 'all that was said' },
      },
      words: { label: 'Longest statement, in words', note: 'A longer one is cut at the end of a sentence.' },
    },
  },
  single: {
    does: 'One model, no debate: one short reason and then its answer, in one call. It is the baseline that Courtroom-LLM is compared with; next to other debates take StandardLLM, which can be asked in six ways.',
    parameters: { shots: examples },
  },
  vote: {
    does: `Several votes, no debate: ${vote.preset.voters} independent answers to the same prompt, unless you set another number; the one with most votes wins. One call for each.`,
    parameters: { voters: { label: 'Voters' }, weights, shots: examples },
  },
  evince: {
    does: 'Two agents, several rounds, no judge. They say how likely they find each answer and argue, sharply at first and in search of common ground later. The mean of both decides; who argues better counts more. Up to 22 calls in a trial.',
    parameters: {
      topK: { label: 'Labels in each statement', note: 'The likeliest ones; all where there are no more.' },
      explorer: {
        label: 'Ask the agent that replies first to explore',
        note: 'Once, in the first round: it looks for further answers and spreads its percentages.',
      },
      weights: {
        label: 'What an agent counts by',
        choices: { crit: 'how well it argues', entropy: 'how sure it is' },
      },
      maxRounds: { label: 'Most rounds', note: 'The debate ends before where nothing moves any more.' },
      contentiousness: {
        label: 'Contentiousness at the start',
        note: '0 agrees with all that can be agreed with, 1 is a devil’s advocate.',
      },
      modulation: {
        label: 'How contentiousness changes',
        choices: {
          exponential: 'falls fast, then slowly',
          linear: 'falls by 0.2 each round',
          fixed: 'stays as it began',
          mixture: 'no debate: the mean of two statements',
          metric: 'follows how far the agents are apart, and never rises',
          'metric-rising': 'follows how far the agents are apart, up and down',
        },
      },
      tolerance: { label: 'Change that counts as none', note: 'The debate ends where all measures move by less.' },
      gate: {
        label: 'Least score of arguments that are passed on',
        note: 'CRIT from 0 to 1; 0 passes everything on.',
      },
      retrieveAbove: {
        label: 'Look up known cases above this uncertainty',
        note: 'Entropy of the mixture from 0 to 1; 1 never looks any up. The data need a training share.',
      },
      wdOrder: {
        label: 'Distance between labels',
        choices: { nominal: 'any two are equally far apart', labels: 'on a line, in the order of the labels' },
      },
      aliases: {
        label: 'Other names of a label',
        note: 'Labels that are one class of the measures: {"other name": "label"}.',
      },
    },
  },
  standard: {
    does: 'One model, no debate, in one call: the baseline for every debate. Six ways of asking (“Parameters”): outright or with reasons, each with or without labelled examples; in four steps, or with a critique of its own first answer (three calls). For the comparison of Courtroom-LLM take Single model.',
    parameters: {
      style: {
        label: 'How it is asked',
        choices: {
          system1: 'the answer at once',
          cot: 'reasons first, then the answer',
          'cot-nshot': 'reasons first, with labelled examples',
          'few-shot': 'labelled examples, then the answer at once',
          'cot-4-step': 'four steps of reasoning, then the answer',
          reflexion: 'answer, critique of it, final answer: three calls',
        },
      },
      shots: { label: 'Labelled examples', note: 'Drawn from the training share; only for the styles with examples.' },
      factors: { label: 'Facts to weigh', note: 'At most so many; 0 asks for each fact.' },
    },
  },
};

export function protocolDoes(id: string): string | null {
  return words[id]?.does ?? null;
}

/** `beliefUpdates` -> `belief updates`, for a name that has no special words. */
function spelledOut(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, (_match, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}

const wordsOf = (protocol: string, name: string) => words[protocol]?.parameters[name] ?? everywhere[name];

export function parameterText(protocol: string, name: string): { label: string; note: string | null } {
  const found = wordsOf(protocol, name);
  return { label: found?.label ?? spelledOut(name), note: found?.note ?? null };
}

export function choiceText(protocol: string, name: string, choice: Scalar): string {
  if (typeof choice === 'boolean') return choice ? 'yes' : 'no';
  const said = wordsOf(protocol, name)?.choices?.[choice];
  return said === undefined ? String(choice) : `${choice}: ${said}`;
}

/** A value as a sentence names it: `on`, `0.5`, `sequential`. */
export function valueAsText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** What parameters set differently from the defaults: `speeches of each side: 2`. */
export function changedText(protocol: string, params: Parameters): string[] {
  const fields = parameterFields(findProtocol(protocol)?.paramsSchema ?? {});
  return fields
    .filter((field) => isChanged(field, params))
    .map(({ name }) => {
      const { label } = parameterText(protocol, name);
      return `${label.slice(0, 1).toLowerCase()}${label.slice(1)}: ${valueAsText(params[name])}`;
    });
}

/** A role in words: `judge1` -> `Judge 1`, `agentA` -> `Agent A`. */
export function roleText(role: string): string {
  return capitalized(
    spelledOut(role)
      .replace(/(\d+)$/, ' $1')
      .replace(/ [a-z]$/, (letter) => letter.toUpperCase()),
  );
}

/** A prompt, or a text of one, in words: `critiqueOfDefense` -> `Critique of defense`, `first-answer` -> `First answer`. */
export const promptTitle = (id: string): string => roleText(id.replaceAll('-', ' '));
