import { expect, test } from 'vitest';
import type { PreparedCall } from '../record/effects.ts';
import { protocols } from './index.ts';
import { caseOf } from './testing/cases.ts';
import { holdTrial, payloads } from './testing/heldTrial.ts';
import { textOf } from './testing/settings.ts';

const rules = { general: 'You may also use what is generally known.', 'facts-only': 'Use only the facts of the case.' };
const hold = (protocol: (typeof protocols)[number], params: object) =>
  holdTrial(protocol, { ...caseOf('text', 2), positive: null }, { params: { ...params }, says: () => null });

const asksFor = ({ request }: PreparedCall) => JSON.stringify(request.schema).includes('"outside"');

// What reasons are given for a precedent is the same in every arm, and its label is known.
const isOfPrecedent = (key: string) => key.startsWith('precedents/');

test.each(protocols.map((protocol) => [protocol.id, protocol] as const))(
  '%s states to every role what it may use, and asks a speaker to name what is from outside the facts',
  async (_id, protocol) => {
    for (const knowledge of ['general', 'facts-only'] as const) {
      const { effects, record } = await hold(protocol, { knowledge });
      for (const call of effects.calls.filter(({ key }) => !isOfPrecedent(key))) {
        expect(textOf(call), call.key).toContain(rules[knowledge]);
        expect(textOf(call).includes('"outside":'), call.key).toBe(asksFor(call));
      }
      const asked = effects.calls.filter(asksFor);
      expect(asked.length > 0).toBe(knowledge === 'general');
      const named = payloads(record, 'utterance-make').filter(({ outside }) => outside !== undefined);
      const speakers = new Set(asked.map(({ role }) => role));
      expect(named.every(({ role }) => speakers.has(role))).toBe(true);
    }
    for (const old of protocol.earlier) {
      const { effects } = await hold(old, {});
      const texts = effects.calls.map(textOf).join('\n');
      for (const rule of Object.values(rules)) expect(texts).not.toContain(rule);
      expect(texts).not.toContain('"outside":');
    }
  },
);
