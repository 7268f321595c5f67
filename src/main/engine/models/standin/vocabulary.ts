/** How one fact can be named inside a sentence. */
export interface Wording {
  /** For lists and after `there is`: `no homelessness`. */
  readonly plain: string;
  /** For any place in a sentence: `the absence of homelessness`. */
  readonly forms: readonly string[];
  readonly plural: boolean;
}

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A number in words up to twelve. */
export function counted(value: number): string {
  return small[value] ?? String(value);
}

const same = (...forms: string[]): Wording => ({ plain: forms[0] ?? '', forms, plural: false });
const many = (...forms: string[]): Wording => ({ plain: forms[0] ?? '', forms, plural: true });
const yes = (value: string): boolean => /^(?:true|yes)$/i.test(value);
const lower = (value: string): string =>
  /^[\p{Lu}][\p{Ll}]/u.test(value) ? value.charAt(0).toLowerCase() + value.slice(1) : value;

/** `never married, not cohabiting` as one phrase. */
export function folded(value: string): string {
  const [head = '', ...rest] = lower(value).split(/,\s+/);
  return rest.length === 0 ? head : `${head} (${rest.join(', ')})`;
}

/** Something that is there or not. */
export function presence(noun: string, there: boolean, plural: boolean): Wording {
  if (there) return { plain: noun, forms: [noun], plural };
  return { plain: `no ${noun}`, forms: [`the absence of ${noun}`], plural: false };
}

/** A number of things that are counted, named in the plural. */
export function quantity(value: number, one: string, several: string): Wording {
  if (value === 0) return { plain: `no ${several}`, forms: [`the absence of ${several}`], plural: false };
  if (value === 1) return same(`one ${one}`, `a single ${one}`);
  return many(`${counted(value)} ${several}`, `the ${counted(value)} ${several}`);
}

type Teller = (value: string) => Wording;

const count =
  (one: string, several: string): Teller =>
  (value) =>
    quantity(Number(value), one, several);
const flag =
  (noun: string, plural = false): Teller =>
  (value) =>
    presence(noun, yes(value), plural);
const trait =
  (there: string, not: string): Teller =>
  (value) =>
    same(yes(value) ? there : not);

const marriages: readonly (readonly [RegExp, string])[] = [
  [/^never married, not/i, 'a single life in 2002'],
  [/^never married, cohab/i, 'a partner at home in 2002'],
  [/^married, spouse present/i, 'a marriage that lasted in 2002'],
];
const schoolings: readonly (readonly [RegExp, string])[] = [
  [/^not enrolled, no high school/i, 'schooling that ended without a degree or GED'],
  [/^not enrolled, GED/i, 'schooling that ended with a GED'],
  [/^not enrolled, high school/i, 'schooling that ended with a high school degree'],
  [/^not enrolled, some college/i, 'schooling that ended after some college'],
  [/^enrolled in grades/i, 'enrolment at a school in 2002'],
  [/^enrolled in a /i, 'enrolment at a college in 2002'],
];

function state(states: readonly (readonly [RegExp, string])[], value: string, noun: string): Wording {
  const words = states.find(([pattern]) => pattern.test(value))?.[1];
  return same(words ?? `${noun} given as “${folded(value)}”`);
}

/** Features of the data set that ships with the product; their names alone do not read well. */
const tellers: Readonly<Record<string, readonly [name: string, tell: Teller]>> = {
  age: ['age', (value) => same(`an age of ${value}`, `the age of ${value}`)],
  sex: ['sex', (value) => same(`being ${lower(value)}`)],
  gender: ['gender', (value) => same(`being ${lower(value)}`)],
  race: ['race', (value) => same(`being ${lower(value)}`)],
  numberofarrestsby2002: ['number of arrests by 2002', count('arrest by 2002', 'arrests by 2002')],
  convictedby2002: [
    'conviction by 2002',
    (value) =>
      yes(value)
        ? same('a conviction by 2002')
        : { plain: 'no conviction by 2002', forms: ['the absence of a conviction by 2002'], plural: false },
  ],
  hhsize97: ['household size in 1997', (value) => same(`a household of ${counted(Number(value))} in 1997`)],
  married02: ['marital status in 2002', (value) => state(marriages, value, 'the marital status')],
  college02: ['schooling in 2002', (value) => state(schoolings, value, 'the schooling')],
  experience02: [
    'years of work by 2002',
    (value) =>
      Number(value) === 0
        ? presence('work by 2002', false, false)
        : quantity(Number(value), 'year of work by 2002', 'years of work by 2002'),
  ],
  parentrelations: [
    'parents at home',
    (value) =>
      same(
        `growing up with ${folded(value)
          .replace(/^(?=biological)/, 'the ')
          .replace(/^anything else$/, 'other people than parents')}`,
      ),
  ],
  urbanrural: ['place of living', (value) => same(`living in ${/^[aeiou]/i.test(value) ? 'an' : 'a'} ${lower(value)} area`)],
  homelessness: ['homelessness', flag('homelessness')],
  faminjail: [
    'family member in jail',
    (value) => (yes(value) ? same('a family member in jail') : same('a family without anyone in jail')),
  ],
  foodstamp: ['food stamps', flag('food stamps', true)],
  victim: ['being a victim of crime', trait('having been a victim of crime', 'never having been a victim of crime')],
  askgod: ['asking God for help', trait('asking God for help', 'not asking God for help')],
  godhasnothingtodo: [
    'view of God',
    trait('the view that God has nothing to do with life', 'the view that God has a part in life'),
  ],
  depression: [
    'depression',
    (value) => (/^none/i.test(value) ? presence('depression', false, false) : same(`depression ${lower(value)}`)),
  ],
  cocaine: ['cocaine use', flag('cocaine use')],
  num_weight: ['weight', (value) => same(`a body weight of ${value} pounds`)],
  height_total_inches: ['height', (value) => same(`a height of ${value} inches`)],
  marijuana_anydrug: [
    'drug use',
    (value) => same(value.toLowerCase() === 'marijuana' ? 'marijuana use' : 'use of marijuana or another drug'),
  ],
};

function found(name: string): readonly [string, Teller] | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(tellers, key) ? tellers[key] : undefined;
}

/** A well-known feature in words, or null. */
export function knownWording(name: string, value: string): Wording | null {
  const tell = found(name)?.[1];
  return tell === undefined ? null : tell(value);
}

/** A feature's name as words. */
export function spoken(name: string): string {
  const known = found(name)?.[0];
  if (known !== undefined) return known;
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Ll}{3})(\d)/gu, '$1 $2')
    .replace(/[_\s]+/g, ' ')
    .trim();
  return /^\p{Lu}\p{Ll}/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}
