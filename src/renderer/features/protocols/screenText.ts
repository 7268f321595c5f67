import { parameterText } from './words.ts';

/** What the fields of a screen are called that the engine calls by their keys in an experiment file. */
const fields: Readonly<Record<string, string>> = {
  'runtime.numCtx': 'Context, tokens',
  'runtime.numPredict': 'Longest answer, tokens',
  'runtime.timeoutSeconds': 'Limit of a call, seconds',
  'runtime.reproducible': 'Reproducible',
  'options.temperature': 'Temperature',
  numCtx: 'Context, tokens',
  numPredict: 'Longest answer, tokens',
};

/** Where an experiment file says what a screen asks for. */
const inFile = / \("[^()]+ in a file\)/g;

/** An arm that the engine advises in the words of an experiment file. */
const advisedVote = /an arm with "protocol": "vote" and "params": \{"voters": (\d+)\}/g;

/** What the command line says: on a screen the demo model is a choice, Ollama has a name, and there are no options. */
const onScreens: readonly (readonly [RegExp, string])[] = [
  [/^backend "default" does not answer/, 'Ollama does not answer'],
  [/^backend ("(?:[^"\\]|\\.)*") does not answer/, 'The server $1 does not answer'],
  [/try the demo model: assize standin$/, 'choose the demo model'],
  [/"assize vary" with --change \S+ or \S+ tests/g, 'the command assize vary tests'],
  [/ with --map [\s\S]*\.$/, ', and choose there what each value means.'],
];

/**
 * A sentence of the engine with the keys of an experiment file as the fields of the screen: `raise runtime.numCtx` ->
 * `raise “Context, tokens”`. Words within quotes are somebody's own and stay.
 */
export function screenText(message: string, protocol?: string): string {
  const known = onScreens.reduce((text, [words, others]) => text.replace(words, others), message);
  const plain = known.replaceAll(inFile, '').replaceAll(advisedVote, 'an arm of Majority vote with $1 voters');
  return plain.replace(/"(?:[^"\\]|\\.)*"|\b(?:runtime|options|params)\.\w+|\bnum(?:Ctx|Predict)\b/g, (found) => {
    if (found.startsWith('"')) return found;
    const parameter = /^params\.(\w+)$/.exec(found)?.[1];
    const label = parameter === undefined ? fields[found] : parameterText(protocol ?? 'agentic-sim', parameter).label;
    return label === undefined ? found : `“${label}”`;
  });
}
