import { describe, expect, it, vi } from 'vitest';
import { bridgeChannels, portChannel } from '../../shared/api/bridge.ts';
import { engineOf, inOwnPlaces, page, sentTo, started } from './testing/startedShell.ts';

inOwnPlaces();

describe('the line between page and engine', () => {
  it('is one channel, whose ends go to the engine and to the page', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    fake.send(bridgeChannels.connect, page(fake));
    expect(sentTo(fake)).toEqual([{ kind: 'connect', connection: 1, ports: ['engine end 1'] }]);
    expect(fake.contents.posted).toEqual([{ channel: portChannel, message: null, ports: ['page end 1'] }]);
  });

  it('is made when the engine is ready, for a page that asked before', async () => {
    const fake = await started();
    fake.send(bridgeChannels.connect, page(fake));
    fake.send(bridgeChannels.connect, page(fake));
    expect(fake.contents.posted).toEqual([]);
    engineOf(fake).emit('message', { kind: 'ready' });
    expect(sentTo(fake).map(({ kind }) => kind)).toEqual(['connect']);
    expect(fake.contents.posted).toHaveLength(1);
  });

  it('is closed and remade for a page that was reloaded', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    fake.send(bridgeChannels.connect, page(fake));
    fake.send(bridgeChannels.connect, page(fake));
    expect(sentTo(fake).map(({ kind, ...rest }) => [kind, 'connection' in rest ? rest.connection : null])).toEqual([
      ['connect', 1],
      ['disconnect', 1],
      ['connect', 2],
    ]);
  });

  it('comes back with the next engine when one dies', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    fake.send(bridgeChannels.connect, page(fake));
    engineOf(fake).emit('exit', 137);
    fake.send(bridgeChannels.connect, page(fake));
    await expect.poll(() => fake.engines).toHaveLength(2);
    expect(engineOf(fake, 1).launch).toMatchObject({ incarnation: 2, awaitPage: false });
    engineOf(fake, 1).emit('message', { kind: 'ready' });
    expect(sentTo(fake, 1)).toMatchObject([{ kind: 'connect', connection: 2 }]);
    expect(fake.contents.posted).toHaveLength(2);
  });

  it('a page that has its port gets no other unasked', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    fake.send(bridgeChannels.connect, page(fake));
    engineOf(fake).emit('message', { kind: 'ready' });
    expect(fake.contents.posted).toHaveLength(1);
  });

  it('an engine that cannot start is explained, and the program ends', async () => {
    const fake = await started();
    fake.answers.showMessageBox.push({ response: 0 });
    engineOf(fake).emit('message', { kind: 'refuse', code: 'store-newer', message: 'The store is of a newer program.' });
    await expect.poll(() => fake.named('app.quit')).toHaveLength(1);
    expect(fake.named('dialog.showMessageBox')[0]?.words[1]).toMatchObject({ detail: 'The store is of a newer program.' });
  });
});

describe('the end', () => {
  it('is put off until the engine has ended its runs in order', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    const event = { preventDefault: vi.fn() };
    fake.app.emit('before-quit', event);
    fake.app.emit('before-quit', event);
    expect(event.preventDefault).toHaveBeenCalledTimes(2);
    expect(sentTo(fake)).toMatchObject([{ kind: 'stop' }]);
    expect(fake.named('app.quit')).toHaveLength(0);
    engineOf(fake).emit('exit', 0);
    await expect.poll(() => fake.named('app.quit')).toHaveLength(1);
    fake.app.emit('before-quit', event);
    expect(event.preventDefault).toHaveBeenCalledTimes(2);
    expect(fake.engines).toHaveLength(1);
  });

  it('ends an engine that does not end itself', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    vi.useFakeTimers();
    try {
      fake.app.emit('before-quit', { preventDefault: () => undefined });
      await vi.advanceTimersByTimeAsync(9_999);
      expect(fake.named('engine.kill')).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(fake.named('engine.kill')).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('comes with the last window', async () => {
    const fake = await started();
    fake.app.emit('window-all-closed');
    expect(fake.named('app.quit')).toHaveLength(1);
  });
});

describe('a page whose process dies', () => {
  it('is loaded again once, and then the user is asked', async () => {
    const fake = await started();
    fake.answers.showMessageBox.push({ response: 0 }, { response: 0 }, { response: 1 });
    const die = (reason: string) => fake.contents.emit('render-process-gone', {}, { reason });
    die('clean-exit');
    expect(fake.contents.reloads).toEqual([]);
    die('crashed');
    expect(fake.contents.reloads).toEqual([1]);
    die('oom');
    await expect.poll(() => fake.contents.reloads).toEqual([1, 2]);
    die('killed');
    await expect.poll(() => fake.named('app.quit')).toHaveLength(1);
    expect(fake.contents.reloads).toEqual([1, 2]);
    expect(fake.engines).toHaveLength(1);
  });
});
