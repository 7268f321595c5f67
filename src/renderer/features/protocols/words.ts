/** What a protocol does, and what its parameters are called, in plain words. A protocol or parameter without an entry shows its own name. */
interface ProtocolWords {
  readonly does: string;
  readonly parameters: Readonly<Record<string, { label: string; note?: string; choices?: Readonly<Record<string, string>> }>>;
}

const temperature = {
  label: 'Temperature',
  note: '0 takes the likeliest word each time; higher values vary more.',
};

const words: Readonly<Record<string, ProtocolWords>> = {
  'agentic-sim': {
    does: 'A prosecutor and a defender argue in turns before a judge, who notes a private belief after each speech and then rules.',
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
      temperature,
      contested: { label: 'The two labels in dispute', note: 'For data with more than two labels.' },
    },
  },
  standard: {
    does: 'One model reads the facts and answers in one call: the baseline that any deliberation has to beat.',
    parameters: {
      style: {
        label: 'How it is asked',
        choices: {
          system1: 'the answer at once',
          cot: 'reasons first, then the answer',
          'cot-nshot': 'reasons first, with labelled examples',
        },
      },
      shots: { label: 'Labelled examples', note: 'Drawn from the training share; only for the style with examples.' },
      temperature,
    },
  },
};

export function protocolDoes(id: string): string | null {
  return words[id]?.does ?? null;
}

/** `beliefUpdates` -> `belief updates`, for a parameter that has no words of its own. */
function spelledOut(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, (_match, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}

export function parameterWords(protocol: string, name: string): { label: string; note: string | null } {
  const found = words[protocol]?.parameters[name];
  return { label: found?.label ?? spelledOut(name), note: found?.note ?? null };
}

export function choiceWords(protocol: string, name: string, choice: string): string {
  const said = words[protocol]?.parameters[name]?.choices?.[choice];
  return said === undefined ? choice : `${choice}: ${said}`;
}

/** A role in words: `judge1` -> `Judge 1`. */
export function roleWords(role: string): string {
  const spaced = spelledOut(role).replace(/(\d+)$/, ' $1');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
