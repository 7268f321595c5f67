import { z } from 'zod';
import { namesKinds } from './errors.ts';

const name = z.string().min(1).max(200);
const factName = z.string().min(1);
/** Characters of a question, an instruction or a speech that a change states. */
export const mostWords = 4000;
const words = z.string().min(1).max(mostWords);

/** `INV`: the verdict must not change. `DIR`: the probability of the label must not move the other way. */
export const expectationSchema = z.union([
  z.literal('INV'),
  z.strictObject({ DIR: z.enum(['up', 'down']), label: z.string().min(1) }),
]);
export type Expectation = z.infer<typeof expectationSchema>;

const kindOf = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({
    of: name,
    kind: z.literal(kind),
    /** What is expected of the change, stated beforehand; absent: nothing. */
    expect: expectationSchema.optional(),
    ...shape,
  });

/** The one thing in which an arm differs from another: its trials are those of the other with this changed. */
export const changeSchema = z.discriminatedUnion(
  'kind',
  [
    /** Facts by name with another value; null: the fact is left out. */
    kindOf('facts', { facts: z.record(factName, z.string().min(1).nullable()) }),
    /** A fact with each of its values replaced by another; cases with other values stay as they are. */
    kindOf('attribute', { attribute: factName, to: z.record(z.string(), z.string().min(1)) }),
    /** Other seeds of the models; nothing else. */
    kindOf('seed', { number: z.int().min(1).max(1000) }),
    /** Who plays: the casts differ, and nothing else. */
    kindOf('model', {}),
    kindOf('prompts', {}),
    /** Parameters of the protocol, and nothing else. */
    kindOf('params', {}),
    /** The facts come in reverse. */
    kindOf('fact-order', {}),
    /** Slips of the keyboard in the words of the facts. */
    kindOf('noise', {}),
    kindOf('question', { question: words }),
    /** A sentence among the facts that tells the court what to do. */
    kindOf('instruction', { text: words }),
    /** A role gets the instruction to mislead the judge. */
    kindOf('mislead', { role: z.string().min(1) }),
    /**
     * What a role says in one turn is withheld from everyone; its key in the record, such as `turn-2/defense`. `seeds`: with the
     * seeds of the arm that `seed` numbers so, which is then what it is compared with; 0: with those of `of`.
     */
    kindOf('withhold', { speech: name, seeds: z.int().min(0).max(1000) }),
    /** Everyone, its speaker included, hears other words than a role says in one turn. `speech` as of `withhold`. */
    kindOf('replace', { speech: name, text: words }),
    /** Later speeches are withheld; the case's seed draws how many are heard. `speeches`: all, in order. `draw`: from 1. */
    kindOf('truncate', { speeches: z.array(name).min(1).max(1000), draw: z.int().min(1).max(1000) }),
  ],
  namesKinds,
);
export type Change = z.infer<typeof changeSchema>;
export type ChangeKind = Change['kind'];

export const trialChangeSchema = z.strictObject({
  kind: z.enum(changeSchema.options.map((option) => option.shape.kind.value)),
  /** In a few words. */
  text: z.string(),
  /** Whether it changes this case: not without the fact, or with that value already. Null: erased. */
  applies: z.boolean().nullable(),
  /** Value of an attribute before and after; null for other changes, and where it does not apply. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  expect: expectationSchema.optional(),
  /** The speech that is withheld; absent for other changes. */
  speech: z.string().optional(),
  /** The words that the court hears in place of a speech; absent for other changes. */
  replaced: z.strictObject({ speech: z.string(), text: z.string() }).optional(),
  /** How many of the speeches are heard; absent for other changes. */
  truncated: z.strictObject({ heard: z.int(), of: z.array(z.string()) }).optional(),
  /** The facts of this case that are left out, and how many it has; absent where anything else is changed. */
  left_out: z.strictObject({ facts: z.array(z.string()), of: z.int() }).optional(),
  /** Number of the other seeds; absent where the seeds are those of the changed arm. */
  seeds: z.int().optional(),
});
export type TrialChange = z.infer<typeof trialChangeSchema>;

/** Roles that argue for a side, as the protocols call them. */
export const advocates: readonly string[] = ['prosecutor', 'debater', 'agentA'];
/** Parameters that say how long a debate is. */
export const debateLengths: readonly string[] = ['turns', 'rounds', 'maxRounds'];

const quoted = (text: string) => JSON.stringify(text);

/** Names of the facts that a change gives another value or leaves out. */
export function changedFacts(change: Change): string[] {
  if (change.kind === 'attribute') return [change.attribute];
  return change.kind === 'facts' ? Object.keys(change.facts) : [];
}

/** A change in a few words, such as `age is 70` or `without age`. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case 'facts':
      return Object.entries(change.facts)
        .map(([fact, value]) => (value === null ? `without ${fact}` : `${fact} is ${value}`))
        .join(', ');
    case 'attribute': {
      const moves = Object.entries(change.to);
      const targets = [...new Set(moves.map(([, to]) => to))];
      return targets.length === 1
        ? `${change.attribute} is ${targets[0]}`
        : `${change.attribute}: ${moves.map(([from, to]) => `${from} → ${to}`).join(', ')}`;
    }
    case 'seed':
      return `seeds ${change.number}`;
    case 'model':
      return 'another model';
    case 'prompts':
      return 'other prompts';
    case 'params':
      return 'other parameters';
    case 'fact-order':
      return 'facts in reverse';
    case 'noise':
      return 'typing errors in the facts';
    case 'question':
      return `the question is ${quoted(change.question)}`;
    case 'instruction':
      return 'an instruction among the facts';
    case 'mislead':
      return `${change.role} told to mislead`;
    case 'withhold':
      return `without the speech ${change.speech}${change.seeds === 0 ? '' : `, seeds ${change.seeds}`}`;
    case 'replace':
      return `other words in the speech ${change.speech}`;
    case 'truncate':
      return `cut at random${change.draw === 1 ? '' : `, draw ${change.draw}`}`;
  }
}
