import { settingsOf, shippedPrompts } from '../../../core/figures/armSettings.ts';
import { swapTitles } from '../../../core/figures/swapText.ts';
import { changeTitle } from '../../../core/telling/unheard.ts';
import { asTitle } from '../../../core/text/shorten.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { fieldText } from '../trial/words.ts';
import { factsApart } from './factsApart.ts';

type Tried = Pick<TrialView, 'line' | 'title' | 'question' | 'facts' | 'erased' | 'cast' | 'params' | 'entries'>;

/** Something that two trials have in common or not, with what it is in each; null where that is too long to be shown. */
interface Part {
  readonly what: string;
  readonly isSame: boolean;
  readonly values: readonly [string, string] | null;
}

const mostParameters = 5;

const and = new Intl.ListFormat('en-GB');

/** That whether a ruling is right can be said of one of the two alone; null where it can of both, or of neither. */
export function oneTruthText(a: TrialLine, b: TrialLine): string | null {
  if ((a.truth === null) === (b.truth === null)) return null;
  const [known, which, other] = a.truth === null ? [b, 'second', 'first'] : [a, 'first', 'second'];
  return `The ${labelNoun(known)} is known only for the case of the ${which} trial. Whether the ruling of the ${other} is right cannot be said.`;
}

const modelsOf = ({ cast }: Tried) => and.format([...new Set(cast.map(({ model }) => model))].toSorted());
/** Options of models, with their roles where these differ. */
function optionsOf({ cast }: Tried): string {
  const all = new Set(cast.map(({ options }) => options ?? 'none'));
  const [only] = all;
  return all.size < 2 ? (only ?? 'none') : cast.map(({ role, options }) => `${role} ${options ?? 'none'}`).join(', ');
}
const castOf = ({ cast }: Tried) => cast.map(({ role, model }) => `${role} ${model}`).join();
const promptsOf = ({ line: { prompts } }: Tried) =>
  prompts === undefined ? shippedPrompts : `${prompts.name} ${prompts.hash.slice(0, 12)}`;
const unchanged = 'nothing';
const changeOf = ({ line: { change, swap }, entries }: Tried) =>
  change === undefined ? (swap === null ? unchanged : swapTitles[swap]) : changeTitle(change, entries);

/** Where only one trial is changed: in which one, and how. */
function changePart(a: Tried, b: Tried): Part {
  const values = [changeOf(a), changeOf(b)] as const;
  const [first, second] = values;
  const isSame = first === second;
  if (isSame || !values.includes(unchanged)) return { what: 'what was changed', isSame, values };
  const [which, how] = first === unchanged ? ['second', second] : ['first', first];
  return { what: `one change (in the ${which}: ${how})`, isSame, values: null };
}

function partsOf(a: Tried, b: Tried): Part[] {
  const part = (what: string, of: (tried: Tried) => string): Part => {
    const values = [of(a), of(b)] as const;
    return { what, isSame: values[0] === values[1], values };
  };
  const unnamed = (what: string, isSame: boolean): Part => ({ what, isSame, values: null });
  const has = (is: boolean, ...parts: readonly Part[]) => (is ? parts : []);
  const isOfProtocol = a.line.protocol === b.line.protocol;
  const settings = [settingsOf(a.params), settingsOf(b.params)] as const;
  // A parameter that only one of two protocols has is part of the protocol.
  const differing = Object.keys({ ...settings[0], ...settings[1] }).filter(
    (name) => settings[0][name] !== settings[1][name] && (isOfProtocol || settings.every((each) => name in each)),
  );
  const options = part('model options', optionsOf);
  const models = part('model', modelsOf);
  const prompts = part('prompts', promptsOf);
  const change = changePart(a, b);
  const server = part('server', ({ line }) => and.format(line.backends));
  return [
    // Cases from Try a case have no id that says anything.
    a.title === null && b.title === null
      ? part('case id', ({ line }) => line.case)
      : unnamed('question', a.question === b.question),
    ...has(a.erased === null && b.erased === null, unnamed('facts', factsApart(a, b).length === 0)),
    part('protocol', ({ line }) => protocolTitle(line.protocol)),
    models,
    ...has(isOfProtocol && models.isSame && castOf(a) !== castOf(b), unnamed('cast', false)),
    ...has(!options.isSame, options),
    ...differing
      .slice(0, mostParameters)
      .map((name) => part(fieldText(name), ({ params }) => asTitle(`${settingsOf(params)[name] ?? 'not set'}`))),
    ...has(differing.length > mostParameters, unnamed('more parameters', false)),
    // Without a variant the words are those of the protocol.
    ...has(isOfProtocol || !prompts.isSame, prompts.isSame ? unnamed('prompts', true) : prompts),
    ...has(!server.isSame, server),
    ...has(!change.isSame, change),
    part('seed', ({ line }) => `${line.seed}`),
  ];
}

/** What two trials have in common and in what they differ, a sentence each; null where there is nothing to say. */
export function inCommon(a: Tried, b: Tried): { readonly same: string | null; readonly different: string | null } {
  const parts = partsOf(a, b);
  const listed = (isSame: boolean) =>
    parts
      .filter((part) => part.isSame === isSame)
      .map(({ what, values }) => (values === null ? what : `${what} (${isSame ? values[0] : values.join('; ')})`));
  const sentence = (title: string, all: readonly string[]) => (all.length === 0 ? null : `${title} ${and.format(all)}.`);
  return { same: sentence('Both have the same', listed(true)), different: sentence('They differ in', listed(false)) };
}
