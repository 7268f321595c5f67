import { parameterText } from './words.ts';

/** What the fields of a screen are called that the engine calls by their keys in an experiment file. */
const fields: Readonly<Record<string, string>> = {
  'dataset.split': 'Training, %',
  'runtime.numCtx': 'Context, tokens',
  'runtime.numPredict': 'Longest answer, tokens',
  'runtime.timeoutSeconds': 'Limit of a call, seconds',
  'runtime.reproducible': 'Reproducible',
  numCtx: 'Context, tokens',
  numPredict: 'Longest answer, tokens',
};

/** The engine's sentence in the screen's words: `raise runtime.numCtx` -> `raise “Context, tokens”`. Quoted words stay. */
export function screenText(message: string, protocol?: string): string {
  const named = message.replace(
    /\boptions\.temperature( of the \w+)? in its cast/g,
    '“Temperature of every call” under “Sampling” at the end of its arm',
  );
  return named.replace(/"(?:[^"\\]|\\.)*"|\b(?:dataset|runtime|options|params)\.\w+|\bnum(?:Ctx|Predict)\b/g, (found) => {
    if (found.startsWith('"')) return found;
    const parameter = /^params\.(\w+)$/.exec(found)?.[1];
    const label = parameter === undefined ? fields[found] : parameterText(protocol ?? 'agentic-sim', parameter).label;
    return label === undefined ? found : `“${label}”`;
  });
}
