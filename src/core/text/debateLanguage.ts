/**
 * The language of an English text, by lists of words: hedging, certainty, concession, agreement and tone, as counts of places. Words alone, never
 * what is meant: irony, negation beyond a few words, and paraphrases are not seen. The lists are this program's own. How well they find hedging and
 * concession was measured on sentences labelled by hand (`debateLanguage.test.ts`); certainty, agreement and tone were not measured. Texts in other
 * languages are not counted, nor are English ones that are too short to judge: they have hardly any words that only English has.
 */

/** Goes up with every change of the lists: counts of different versions are not compared. */
export const lexiconVersion = 2;

/** Places of each kind in a text of so many words. */
export interface LanguageCounts {
  readonly words: number;
  readonly hedging: number;
  readonly certainty: number;
  readonly concession: number;
  readonly agreement: number;
  /** Words that praise a person, less those that blame. */
  readonly tone: number;
}

const phrases = (...lists: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}’'-])(?:${lists.join('|')})(?![\\p{L}-])`, 'giu');

/** What comes before a word of which the opposite is said; the second anywhere in the clause. */
const denied = "(?<!\\b(?:not|never|hardly)\\s|n[’']t\\s)";
const deniedInClause = "(?<!\\b(?:not|never|nobody|cannot)\\b[^.!?;,]*|n[’']t\\b[^.!?;,]*)";
const isRight = `${deniedInClause}(?:is|are) (?:quite |certainly )?right (?:that|to|about|in)`;

const hedging = [
  // Leaves out the month (next to a number, another month or a word such as `in`) and permission (`you may`, `may ask`).
  /(?<![\p{L}’'-])(?<!\b(?:you|in|of|by|since|until|from|during|last|next|early|late|every) |\p{N} )may(?![\p{L}’'-])(?!\s+(?:ask|not ask|\p{N}|(?:and|or) (?:april|june)))/giu,
  /(?<![\p{L}’'-])(?<!\b(?:you|his|her|their|the|of|military) )might(?![\p{L}’'-])(?!\s+(?:ask|not ask)\b)/giu,
  /(?<![\p{L}’'])could(?!\s+(?:not|never)\b|n[’']t|[\p{L}-])/giu,
  phrases(
    ...['perhaps', 'maybe', 'possibly', 'probably', 'presumably', 'likely', 'unlikely', 'arguably', 'apparently', 'supposedly'],
    ...['conceivably', 'seemingly', 'somewhat', 'roughly', 'approximately', 'generally', 'seems?', 'seemed', 'possible'],
    ...['possibility', 'appears? (?:to|that)', 'suggests?', 'suggested', 'uncertain', 'uncertainty', 'unclear', 'tends? to'],
    ...['not (?:entirely |fully |quite |so )?(?:sure|certain|clear)', 'in (?:my|our) (?:view|opinion)', 'in all likelihood'],
    ...['I (?:still )?(?:think|believe|suppose|suspect|guess|doubt)', 'I would (?:argue|say|suggest)', 'lean(?:s|ing)? towards?'],
    ...[
      '(?:to|in) some (?:extent|degree)',
      'as far as (?:we|I|is) know?n?',
      'cannot (?:be )?ruled? out',
      'must have \\p{L}+(?:ed|n|t)',
    ],
    '(?:about|around) (?=\\p{N}|a (?:third|half|quarter)|half|two|three|four|five|six|seven|eight|nine|ten)',
  ),
];

const certainty = phrases(
  ...[
    ...['clearly', 'certainly', 'undoubtedly', 'definitely', 'obviously', 'plainly', 'surely', 'absolutely', 'undeniabl[ey]'],
    ...['unquestionably', 'conclusive(?:ly)?', 'evidently', 'indisputabl[ey]', 'always', 'proves?', 'is certain'],
    ...['(?:without|beyond) (?:a |any |all )?(?:reasonable )?doubt', '(?:no|little) doubt', 'no question that'],
  ].map((each) => denied + each),
);

const concession = [
  phrases(
    ...['although', '(?<!as )though', 'admittedly', 'granted(?=[, ](?:that |the |he |she |it |they |this ))', 'granted(?=,)'],
    ...[
      'nevertheless',
      'nonetheless',
      'despite',
      'in spite of',
      'notwithstanding',
      'that said',
      'having said that',
      'to be fair',
    ],
    ...['even if', 'much as (?:I|we)', 'fair to say', '(?:fair|valid|good) (?:point|concern|objection)', 'change my mind'],
    ...['(?:I|we|defen[cs]e|prosecution|opponent|side|agent) (?:\\p{L}+ly )?(?:accepts?|concedes?|acknowledges?|admits?)'],
    ...['(?:I|we) (?:\\p{L}+ly )?agree', isRight, 'rightly \\p{L}+s'],
    ...['(?:no one|nobody) (?:disputes|denies)', '(?:cannot|do not|does not) (?:dispute|deny)'],
    ...['while (?:it is true|I (?:accept|agree|understand)|we (?:accept|agree)|the (?:defen[cs]e|prosecution))'],
  ),
  /(?<![\p{L}])(?:it is true that|true,|one (?:could|may|might) (?:say|argue)|of course)(?=[^.!?]*[,;] (?:but|yet|still)\b)/giu,
];

const agreement = [
  /(?<!\b(?:not|never|nobody|cannot|[’']t)(?: \p{L}+)? )(?<![\p{L}])(?:agrees?|agreed|concurs?)(?![\p{L}])/giu,
  phrases(isRight, 'shares? (?:the|your|this) (?:view|opinion|concern)', 'same conclusion', 'common ground'),
];

const kind = phrases(
  ...`honest(?:ly)? responsible reliable stable stability supportive faultless steady hard-?working caring capable cooperative
  promising respectful trustworthy law-abiding innocent remorse(?:ful)? mature diligent disciplined motivated resilient
  rehabilitated kind careful decent protective`.split(/\s+/),
);
const harsh = phrases(
  ...`dangerous violent violence reckless dishonest irresponsible unstable instability impulsive lazy careless deviant troubled
  aggressive manipulative hostile immoral delinquent delinquency negligent unreliable threat menace abusive lawless defiant
  antisocial disruptive unwilling incapable`.split(/\s+/),
);

/** Frequent words that only English has, or nearly so: each of the others may be a word elsewhere, two of them in one text hardly are. */
const onlyEnglish = new Set(
  `the and that his with this which does would who their they were your you them there then these she what when should because about into
  than its could been from only our we those cannot whose where while very other both`.split(/\s+/),
);
/** Different ones that a text needs, and their least share: English texts have about a fifth. */
const leastDifferent = 2;
const leastShare = 0.06;

const word = /[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu;

export const wordsOf = (text: string): string[] => (text.match(word) ?? []).map((each) => each.toLowerCase());

const countIn = (text: string, patterns: readonly RegExp[]): number =>
  patterns.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);

/** The counts of a text; null where it is not English, or too short to judge. */
export function languageOf(text: string): LanguageCounts | null {
  const words = wordsOf(text);
  const english = words.filter((each) => onlyEnglish.has(each));
  if (new Set(english).size < leastDifferent || english.length < leastShare * words.length) return null;
  return {
    words: words.length,
    hedging: countIn(text, hedging),
    certainty: countIn(text, [certainty]),
    concession: countIn(text, concession),
    agreement: countIn(text, agreement),
    tone: countIn(text, [kind]) - countIn(text, [harsh]),
  };
}

/** How many words in a row must recur to count as a repetition. */
const runLength = 4;

/** Share of the runs of four words of each text that occur in an earlier one, 0-1; null for texts of fewer words. */
export function repetitionIn(texts: readonly string[]): (number | null)[] {
  const said = new Set<string>();
  return texts.map((text) => {
    const words = wordsOf(text);
    const runs = words.slice(runLength - 1).map((_last, place) => words.slice(place, place + runLength).join(' '));
    const share = runs.length === 0 ? null : runs.filter((run) => said.has(run)).length / runs.length;
    for (const run of runs) said.add(run);
    return share;
  });
}
