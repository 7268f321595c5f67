import { readFileSync } from 'node:fs';
import { refuseForeignPath, tryCase, usualOllamaUrl } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import { type Command, optionHelp, type Surroundings } from '../command.ts';
import { followRun } from '../liveRun.ts';
import { serverWords, storeNamed } from '../options.ts';
import { transcriptText } from '../transcript.ts';

async function readFacts(path: string, { readInput }: Surroundings): Promise<string> {
  if (path === '-') return readInput();
  refuseForeignPath(path, '--facts');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError)
      throw badInput('the file is not valid UTF-8; save it as UTF-8', { file: path, field: '--facts' });
    throw badInput('this file cannot be read; check its name and permissions', { file: path, field: '--facts' });
  }
}

export const tryCommand: Command = {
  name: 'try',
  usage:
    'assize try --protocol P --model M --question Q [--facts FILE|-] [--labels A,B] [--num-ctx N] [--store FILE] [--ollama URL] [--allow-host HOST]… [--start-ollama] [--json]',
  summary: 'puts one case on trial that you describe in words',
  options: [
    ['--protocol P', 'the protocol, such as standard, agentic-sim or, for an open question, socrasynth'],
    ['--model M', 'the model that plays every role'],
    ['--question Q', 'what is to be decided'],
    ['--facts FILE|-', 'a text file with what is known of the case; - is stdin; an open question may do without'],
    ['--labels A,B', 'the possible answers; of two, the second is the positive one. Without them the question is open'],
    ['--num-ctx N', 'context in tokens, prompt and answer together; 8192 without it'],
    optionHelp.store,
    [
      '--ollama URL',
      `the server, ${usualOllamaUrl} without it (OLLAMA_HOST does not count here); http://127.0.0.1:11435 is the demo model`,
    ],
    optionHelp.startOllama,
    optionHelp.allowHost,
    optionHelp.json,
  ],
  async run(words, surroundings) {
    const { signal, say, live, tell } = surroundings;
    const [labels, facts] = [words.text('labels'), words.text('facts')];
    const { url = usualOllamaUrl, allowedHosts } = serverWords(words, say);
    const request = {
      protocol: words.need('protocol'),
      model: words.need('model'),
      question: words.need('question'),
      labels: labels === undefined ? [] : labels.split(',').map((label) => label.trim()),
      facts: labels === undefined && facts === undefined ? '' : await readFacts(words.need('facts'), surroundings),
      url,
      numCtx: words.whole('num-ctx', 256),
    };
    const followed = followRun();
    live(followed.text);
    const report = await tryCase(request, {
      store: storeNamed(words.text('store'), say),
      allowedHosts,
      signal,
      startOllama: words.flag('start-ollama') ? { say } : undefined,
      onProgress: followed.onProgress,
      onCall: followed.onCall,
      onPreparing: followed.onPreparing,
    });
    tell(report, transcriptText(report, { private: false }));
    return report.outcome === 'decided' ? exitCode.ok : exitCode.failedTrials;
  },
};
