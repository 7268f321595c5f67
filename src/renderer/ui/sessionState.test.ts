import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clearSessionState, readSessionState, saveSessionState } from './sessionState.ts';

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
    saveSessionState('draft', { question: 'Who?' }, storage);
    expect(readSessionState('draft', shape, storage)).toEqual({ question: 'Who?' });
    clearSessionState('draft', storage);
    expect(readSessionState('draft', shape, storage)).toBeNull();
  });

  it.each(['{"question": 7}', '{"question": "Who?", "more": 1}', '{broken'])(
    'is dropped where its shape is another: %s',
    (text) => {
      const storage = memory();
      storage.setItem('assize/draft', text);
      expect(readSessionState('draft', shape, storage)).toBeNull();
    },
  );

  it('continues without keeping if the storage is full', () => {
    const full = {
      setItem() {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    expect(() => saveSessionState('draft', 'x', full)).not.toThrow();
  });
});
