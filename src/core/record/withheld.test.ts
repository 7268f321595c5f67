import { expect, test } from 'vitest';
import type { Change } from '../../shared/changes.ts';
import { caseOf, examplesOf } from '../protocols/testing/cases.ts';
import { payloads } from '../protocols/testing/heldTrial.ts';
import { emptyRecord, replayInMemory, runInMemory, termsFor } from '../protocols/testing/memoryTrial.ts';
import { scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import { some } from '../protocols/testing/settings.ts';
import { heardSpeeches, speechOf, withholding } from './withheld.ts';

const instead = 'I take back what I said before, and have nothing to add to it.';

test.each(some.map((setting, place) => ({ ...setting, place })))(
  '$name: no role hears a speech that is withheld or replaced, or one after a cut',
  async (setting) => {
    const { protocol, bound, kind, labels, multiLabel, place } = setting;
    const kase = caseOf(kind, labels, multiLabel);
    const usual = termsFor(protocol, examplesOf(bound.shots, kase.labels), 0);

    const held = async (change: Change | undefined) => {
      const [record, effects, terms] = [emptyRecord(), scriptedEffects(), { ...usual, change }];
      const end = await runInMemory(record, bound, terms, kase, effects);
      const said = payloads(record, 'utterance-make').map(({ key, text }) => ({ key, text: record.texts.get(text) ?? '' }));
      return { record, terms, end, said, calls: effects.calls };
    };

    const first = await held(undefined);
    const speeches = [...new Set(first.said.map(({ key }) => speechOf(key)))];
    // Each choice of parameters has another speech withheld, or is cut at another one.
    const number = place % Math.max(1, speeches.length);
    const [speech] = speeches.slice(number);
    if (speech === undefined) return;
    const truncation = { of: 'arm', kind: 'truncate', speeches, draw: number + 1 } as const;
    const withhold = { of: 'arm', kind: 'withhold', speech, seeds: 0 } as const;
    const replace = { of: 'arm', kind: 'replace', speech, text: instead } as const;
    for (const change of [withhold, replace, truncation]) {
      const { record, terms, end, said, calls } = await held(change);
      const unheard = change === truncation ? speeches.slice(heardSpeeches(truncation, usual.caseSeed)) : [speech];
      const withheld = said.filter(({ key }) => unheard.includes(speechOf(key)));
      const isNext = ({ key }: { key: string }) => speechOf(key) === unheard[0];
      expect(withheld.filter(isNext)).toEqual(first.said.filter(isNext));
      for (const { text } of withheld) {
        const hearing = calls.filter(({ request }) => request.messages.some(({ content }) => content.includes(text)));
        expect(
          hearing.map(({ key }) => key),
          speech,
        ).toEqual([]);
      }
      const isHeard = (among: typeof calls, words: readonly string[]) =>
        among.some(({ request }) => request.messages.some(({ content }) => words.some((text) => content.includes(text))));
      // The words instead are heard where the speech was.
      const spoken = withheld.map(({ text }) => text);
      expect(isHeard(calls, [instead])).toBe(change === replace && isHeard(first.calls, spoken));
      expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
    }
  },
);

test('other words are heard in place of the first utterance of a speech, nothing in place of the others', () => {
  const [one, other] = ['The first thing to say is this.', 'The second thing to say is that.'];
  const text = `I said: ${other}`;
  const withheld = withholding({ of: 'arm', kind: 'replace', speech: 'round-1/pro', text }, 1);
  withheld.uttered('round-1/pro', one);
  withheld.uttered('round-1/pro', other);
  expect(withheld.without([{ role: 'user', parts: [`They said: ${one} ${other}`, one] }])).toEqual([
    { role: 'user', parts: [`They said: ${text} (Nothing was said here.)`, text] },
  ]);
});

test('who repeats word for word what was heard does not silence the earlier speech', () => {
  const withheld = withholding({ of: 'arm', kind: 'withhold', speech: 'turn-2/prosecutor', seeds: 0 }, 1);
  const [said, other] = ['He has four convictions, so the answer is yes.', 'He has changed since, and that counts.'];
  withheld.uttered('turn-1/prosecutor', said);
  withheld.uttered('turn-2/prosecutor', said);
  withheld.uttered('turn-2/prosecutor', other);
  expect(withheld.without([{ role: 'user', parts: [said, other] }])).toEqual([
    { role: 'user', parts: [said, '(Nothing was said here.)'] },
  ]);
});
