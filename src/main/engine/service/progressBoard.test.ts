import { expect, test } from 'vitest';
import { openProgressBoard } from './progressBoard.ts';

test('progress is shown while an action tells of it, and listeners hear of each change', async () => {
  const board = openProgressBoard();
  let heard = 0;
  const stop = board.onChange(() => (heard += 1));
  const result = await board.during('one', async (tell) => {
    tell({ share: 0.5, what: 'half' });
    expect(board.of('one')).toEqual({ share: 0.5, what: 'half' });
    expect(board.of('other')).toBeNull();
    return 'done';
  });
  expect([result, board.of('one'), heard]).toEqual(['done', null, 2]);
  stop();
  await board.during('one', async (tell) => tell({ share: 1, what: 'all' }));
  expect(heard).toBe(2);
});

test('it stays until the last action of a name has ended, whichever way', async () => {
  const board = openProgressBoard();
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = board.during('one', async (tell) => {
    tell({ share: 0.1, what: 'long' });
    await promise;
  });
  await expect(board.during('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(board.of('one')).toEqual({ share: 0.1, what: 'long' });
  resolve();
  await long;
  expect(board.of('one')).toBeNull();
});
