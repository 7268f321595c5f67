import { describe, expect, test } from 'vitest';
import { caseOf, examplesOf } from '../protocols/testing/cases.ts';
import { payloads } from '../protocols/testing/heldTrial.ts';
import { emptyRecord, replayInMemory, runInMemory, termsFor } from '../protocols/testing/memoryTrial.ts';
import { scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import { perParameters } from '../protocols/testing/settings.ts';
import { speechOf } from './withheld.ts';

describe.each(perParameters.map((setting, place) => ({ ...setting, place })))('$name', (setting) => {
  const { protocol, bound, kind, labels, multiLabel, place } = setting;
  const kase = caseOf(kind, labels, multiLabel);
  const usual = termsFor(protocol, examplesOf(bound.shots, kase.labels), 0);

  const held = async (speech: string | null) => {
    const change = speech === null ? undefined : ({ of: 'arm', kind: 'withhold', speech, seeds: 0 } as const);
    const [record, effects, terms] = [emptyRecord(), scriptedEffects(), { ...usual, change }];
    const end = await runInMemory(record, bound, terms, kase, effects);
    const said = payloads(record, 'utterance-make').map(({ key, text }) => ({ key, text: record.texts.get(text) ?? '' }));
    return { record, terms, end, said, calls: effects.calls };
  };

  test('nobody hears a withheld speech, what came before it is the same, and the trial replays', async () => {
    const first = await held(null);
    const speeches = [...new Set(first.said.map(({ key }) => speechOf(key)))];
    // Each choice of parameters has another speech withheld.
    const speech = speeches[place % Math.max(1, speeches.length)];
    if (speech === undefined) return;
    const { record, terms, end, said, calls } = await held(speech);
    const withheld = said.filter(({ key }) => speechOf(key) === speech);
    expect(withheld).toEqual(first.said.filter(({ key }) => speechOf(key) === speech));
    for (const { text } of withheld) {
      const hearing = calls.filter(({ request }) => request.messages.some(({ content }) => content.includes(text)));
      expect(
        hearing.map(({ key }) => key),
        speech,
      ).toEqual([]);
    }
    expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  });
});
