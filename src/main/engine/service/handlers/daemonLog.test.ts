import { expect, test, vi } from 'vitest';
import { openLogTail } from '../../models/daemon/logTail.ts';
import { withoutFolders } from '../failures.ts';
import { logTeller } from './daemon.ts';

test('each line of a growing log is looked through once, and none is told with its folders', () => {
  const tellable = vi.fn(withoutFolders);
  const tell = logTeller(tellable);
  const log = openLogTail();
  const seen: string[][] = [];
  for (let frame = 0; frame < 50; frame += 1) {
    log.write('stderr', `msg="cannot open /home/jane/.ollama/models/blob-${frame}"\n`);
    seen.push(tell(log.read()).lines.map(({ text }) => text));
  }
  expect(tellable).toHaveBeenCalledTimes(50);
  expect(seen.at(-1)).toHaveLength(50);
  expect(seen.at(-1)?.[7]).toBe('msg="cannot open blob-7"');
  expect(JSON.stringify(seen)).not.toContain('jane');
});
