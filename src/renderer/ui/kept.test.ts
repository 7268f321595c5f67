import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forget, keep, readKept } from './kept.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

const shape = z.strictObject({ question: z.string() });

describe('what survives a reload', () => {
  it('comes back as it was kept, until it is forgotten', () => {
    const storage = memory();
    keep('draft', { question: 'Who?' }, storage);
    expect(readKept('draft', shape, storage)).toEqual({ question: 'Who?' });
    forget('draft', storage);
    expect(readKept('draft', shape, storage)).toBeNull();
  });

  it.each(['{"question": 7}', '{"question": "Who?", "more": 1}', '{broken'])(
    'is dropped where its shape is another: %s',
    (text) => {
      const storage = memory();
      storage.setItem('assize/draft', text);
      expect(readKept('draft', shape, storage)).toBeNull();
    },
  );

  it('goes on without keeping where the storage is full', () => {
    const full = {
      setItem() {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    expect(() => keep('draft', 'x', full)).not.toThrow();
  });
});
