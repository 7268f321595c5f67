import { verify } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { VerifyReport } from '../../shared/outputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { count } from '../format.ts';
import { jsonOption, parseWords, storeNamed } from '../options.ts';

const usage = 'assize verify <store> [--head HASH] [--json]';

function text({ result, trials, events, texts, root, head_matches, first_bad, store }: VerifyReport): string {
  if (result === 'tampered') {
    const place =
      first_bad === null ? [] : [first_bad.trial, first_bad.seq === null ? null : `event ${first_bad.seq}`, first_bad.kind];
    return `TAMPERED: ${store}\nFirst bad record: ${place.filter((part) => part !== null).join(', ')}: ${first_bad?.problem ?? ''}\n`;
  }
  const known =
    head_matches === true ? 'the given head is in it' : 'signer unknown: compare the root with one that you got by another way';
  return `Intact: ${store}\n${count(trials)} trials, ${count(events)} events, ${count(texts)} texts; ${known}.\nRoot: ${root ?? ''}\n`;
}

export const verifyCommand: Command = {
  name: 'verify',
  usage,
  summary: 'checks that a record was not changed',
  options: [
    ['<store>', 'the record to check'],
    ['--head HASH', 'a head or root that you received separately; the record must contain it'],
    optionHelp.json,
  ],
  async run(args, { out, say }) {
    const words = parseWords(args, { head: { type: 'string' }, ...jsonOption }, ['<store>'], usage);
    const head = words.text('head');
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw badInput('a head or root is 64 hexadecimal digits', { field: '--head' });
    const report = await verify(storeNamed(words.positionals[0], say), { head });
    out(words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : text(report));
    return report.result === 'intact' ? exitCode.ok : exitCode.tampered;
  },
};
