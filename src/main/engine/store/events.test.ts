import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openStore, type Store } from './store.ts';

const room = openFolder('events');
let store: Store;
let path: string;

beforeAll(() => {
  path = room.path('events.db');
  store = openStore(path, { create: true });
});

afterAll(() => store.close());

const measure = (key: string, name = 'n', value = 1) => ({ v: 1, key, name, value }) as const;
const append = (chain: string, payload: ReturnType<typeof measure>) =>
  store.write(() => store.events.append(chain, 'measure-take', payload));

/**
 * The expected values come from Python, which shares no code with the program:
 *
 *   import hashlib
 *   def sized(text): data = text.encode(); return len(data).to_bytes(4, 'big') + data
 *   def genesis(chain): return hashlib.sha256(sized('assize/chain/1') + sized(chain)).digest()
 *   def event(previous, seq, kind, payload):
 *     return hashlib.sha256(previous + seq.to_bytes(8, 'big') + sized(kind) + payload.encode()).digest()
 *
 *   a = event(genesis('0123456789abcdef'), 0, 'measure-take', '{"v":1,"key":"a","name":"n","value":1}')
 *   b = event(a, 1, 'measure-take', '{"v":1,"key":"ключ €","name":"\\u0000\\n","value":0.1}')
 *   c = event(b, 2, 'trial-close', '{"v":1,"at":"2026-01-02T03:04:05.000Z","outcome":"decided","incomplete":false}')
 */
describe('golden values', () => {
  test('a chain of three events', () => {
    const chain = '0123456789abcdef';
    expect(append(chain, measure('a'))).toBe('1060b09b7fff4be73cd0af8d487c921eb7c128bc56835a905a8b4029f8778943');
    expect(append(chain, measure('ключ €', '\0\n', 0.1))).toBe(
      'eef98a062c7b4c611e606944bb797e406492190edf381eb1a46769b9732a8b0c',
    );
    const close = { v: 1, at: '2026-01-02T03:04:05.000Z', outcome: 'decided', incomplete: false } as const;
    expect(store.write(() => store.events.append(chain, 'trial-close', close))).toBe(
      '9d9f7e8808168efcaad11d0c373624c93bdcd51e9f5acb976e6fafcac08a6c45',
    );
    expect(store.events.head(chain)).toBe('9d9f7e8808168efcaad11d0c373624c93bdcd51e9f5acb976e6fafcac08a6c45');
    expect(store.events.chain(chain)[0]?.prevHash.toString('hex')).toBe(
      '2c25845c2ea3fa6d8e7765bad9912bfdf4e0ec32da96d685dd43824e04d1afd8',
    );
  });
});

describe('payloads', () => {
  const texts = [
    '\0',
    'a\0b',
    '😀',
    'e\u0301',
    '\u2028\u2029',
    '\ud800',
    'x\udfffy',
    '\udc00\ud800',
    '\ufffd',
    '"\\',
    '\u007f\u0080',
    'ﷺ',
  ];

  test.each(texts.map((text) => [JSON.stringify(text), text]))(
    '%s comes back as it was, and its stored bytes have its hash',
    (_name, text) => {
      const chain = `text ${JSON.stringify(text)}`;
      append(chain, measure(text, text));
      const [event] = store.events.chain(chain);
      const stored = event?.payload.toString('utf8') ?? '';
      expect(stored.isWellFormed()).toBe(true);
      expect(JSON.parse(stored)).toEqual(measure(text, text));
      // What is stored is UTF-8 to the byte: no unpaired surrogate has found its way into the file.
      expect(Buffer.from(stored, 'utf8').equals(event?.payload ?? Buffer.alloc(0))).toBe(true);
    },
  );

  test('a payload of ten million characters', () => {
    const long = 'long '.repeat(2_000_000);
    append('long', measure('k', long));
    const [event] = store.events.chain('long');
    expect(JSON.parse(event?.payload.toString('utf8') ?? '')).toEqual(measure('k', long));
  });

  test('a payload that does not fit its kind is not stored', () => {
    expect(() =>
      store.write(() => store.events.append('misfit', 'measure-take', { ...measure('k'), value: Number.NaN })),
    ).toThrow();
    expect(() =>
      store.write(() => store.events.append('misfit', 'measure-take', { ...measure('k'), more: 1 } as never)),
    ).toThrow();
    expect(store.events.chain('misfit')).toEqual([]);
  });
});

describe('chains', () => {
  test('any interleaving of appends leaves every chain without a gap, linked from its own name on', () => {
    let round = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'ä', 'a/b'), { minLength: 1, maxLength: 30 }), (order) => {
        round += 1;
        const names = order.map((name) => `${round} ${name}`);
        for (const [index, name] of names.entries()) append(name, measure(String(index)));
        for (const name of new Set(names)) {
          const events = store.events.chain(name);
          expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
          for (const [index, { prevHash }] of events.entries()) {
            if (index > 0) expect(prevHash.equals(events[index - 1]?.hash ?? Buffer.alloc(0))).toBe(true);
          }
          expect(store.events.head(name)).toBe(events.at(-1)?.hash.toString('hex'));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('the same events in a chain of another name have other hashes from the first one on', () => {
    const [one, two] = ['one', 'two'].map((name) => [append(name, measure('k')), append(name, measure('l'))]);
    expect(one?.[0]).not.toBe(two?.[0]);
    expect(one?.[1]).not.toBe(two?.[1]);
  });

  test('a write that fails leaves nothing behind, and the next one continues where it was', () => {
    append('rolled', measure('k'));
    expect(() =>
      store.write(() => {
        store.events.append('rolled', 'measure-take', measure('l'));
        throw new Error('on purpose');
      }),
    ).toThrow('on purpose');
    append('rolled', measure('m'));
    expect(store.events.chain('rolled').map(({ seq }) => seq)).toEqual([0, 1]);
  });

  test('the table itself refuses a second event in one place', () => {
    const db = new Database(path);
    append('unique', measure('k'));
    expect(() => db.exec("INSERT INTO events SELECT * FROM events WHERE trial = 'unique'")).toThrow('UNIQUE');
    db.close();
  });

  test("all events come chain by chain, in the order of the names' bytes, and names are found by their beginning", () => {
    for (const name of ['p/2', 'p/1', 'p0', 'p', 'p/ü', 'p/z']) append(name, measure('k'));
    expect(store.events.names('p/')).toEqual(['p/1', 'p/2', 'p/z', 'p/ü']);
    expect(store.events.names('nobody')).toEqual([]);
    const order = [...store.events.all()].map(({ trial, seq }) => `${trial} ${String(seq).padStart(4, '0')}`);
    const chains = [...new Set([...store.events.all()].map(({ trial }) => trial))];
    expect(chains).toEqual(chains.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(new Set(order).size).toBe(order.length);
    expect(
      store.events
        .heads()
        .map(({ chain }) => chain)
        .toSorted(),
    ).toEqual(chains.toSorted());
  });

  test('other statements may run while events are gone through, and a walk may be left at any point', () => {
    for (const { trial } of store.events.all()) {
      expect(store.events.head(trial)).toBeDefined();
      break;
    }
    append('after', measure('k'));
    let seen = 0;
    for (const { trial } of store.events.all()) if (store.events.chain(trial).length > 0) seen += 1;
    expect(seen).toBeGreaterThan(10);
  });
});
