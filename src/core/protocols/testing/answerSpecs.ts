import type { AnswerSpec } from '../../answers/answer.ts';
import { jsonSchemaOf } from '../../answers/schema.ts';
import type { Court } from '../court.ts';
import { emptyRecord, runInMemory } from './memoryTrial.ts';
import { scriptedEffects } from './scriptedModel.ts';
import { all, perParameters, prepare, type Setting } from './settings.ts';

const listening = (court: Court, heard: (spec: AnswerSpec<unknown>) => void): Court => ({
  ...court,
  ask(key, role, prompt, spec, options) {
    heard(spec);
    return court.ask(key, role, prompt, spec, options);
  },
  askOnce(key, role, question) {
    heard(question.answer);
    return court.askOnce(key, role, question);
  },
});

/** Each protocol with every choice of parameters, and with every form of verdict. */
const isWanted = (setting: Setting): boolean =>
  perParameters.includes(setting) ||
  setting ===
    all.find(
      ({ protocol, labels, multiLabel }) =>
        protocol === setting.protocol && labels === setting.labels && multiLabel === setting.multiLabel,
    );

/** Protocol -> the settings that between them ask for every form of answer. */
export const settingsOfSpecs: ReadonlyMap<string, readonly Setting[]> = Map.groupBy(
  all.filter(isWanted),
  ({ protocol }) => protocol.id,
);

/** Every form of answer of the settings, once each. */
export async function specsOf(settings: readonly Setting[]): Promise<AnswerSpec<unknown>[]> {
  const specs = new Map<string, AnswerSpec<unknown>>();
  for (const setting of settings) {
    const { kase, terms } = prepare(setting);
    const heard = (spec: AnswerSpec<unknown>) => specs.set(JSON.stringify([spec.labelFields, jsonSchemaOf(spec)]), spec);
    const bound = { ...setting.bound, run: (court: Court) => setting.bound.run(listening(court, heard), kase) };
    await runInMemory(emptyRecord(), bound, terms, kase, scriptedEffects());
  }
  return [...specs.values()];
}
