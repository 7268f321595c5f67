// How long a search over many utterances takes, in an index that the program itself keeps: node bench/search.ts [UTTERANCES]
// (a million by default). Words follow Zipf's law; one is in half of all utterances. Times are of the clock.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomSource } from '../src/core/cases/shuffle.ts';
import { termsOf, withSearchIndex } from '../src/main/engine/store/searchIndex.ts';
import { atMost, print, rounded } from './support/lines.ts';

const utterances = Number(process.argv[2] ?? 1_000_000);
const [ofTrial, words, rounds, shown] = [40, 30, 5, 50];
const random = randomSource(1, 'search');

/** The rank of a word in a vocabulary of 20,000 whose n-th word is said 1/n times as often as the first. */
const rank = () => Math.floor(20_000 ** random.next());
const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te'];
const word = (of: number) => Array.from(of.toString(12), (digit) => syllables[Number.parseInt(digit, 12)]).join('');
const chinese = Array.from('法官判决被告证据合同责任租金押金损失');
const phrases = ['قال الشاهد إن الإيجار دفع', 'the check-out report', 'a settled habit'];

function utterance(): string {
  const said = Array.from({ length: words }, () => word(rank()));
  if (random.next() < 0.5) said[0] = 'landlord';
  const run = Array.from({ length: 8 }, () => chinese[random.below(chinese.length)]).join('');
  return [...said, run, random.next() < 0.01 ? phrases[random.below(phrases.length)] : ''].join(' ');
}

const asked: Readonly<Record<string, string>> = {
  'a word in half of all': 'landlord',
  'part of it': 'ndlo',
  'a common and a rare word': `landlord ${word(9_000)}`,
  'a rare word': word(15_000),
  'a phrase': '"check-out report"',
  'two Chinese characters': '证据',
  'three Chinese characters': '判决书',
  Arabic: 'الإيجار',
  'two letters': 'la',
  'a miss': 'zzzyzx',
  'a miss with a common word': 'landlord zzzyzx',
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const path = join(folder, 'search.db');
try {
  withSearchIndex(path, ({ said: index }) => {
    for (let trial = 0; trial < utterances / ofTrial; trial += 100) {
      index.together(() => {
        for (let each = trial; each < Math.min(trial + 100, utterances / ofTrial); each++) {
          const said = Array.from({ length: ofTrial }, (_none, seq) => ({ seq, text: utterance() }));
          index.put(`trial ${each}`, 'head', `experiment ${each % 7}`, said);
        }
      });
    }
  });
  print({ utterances, trials: utterances / ofTrial, MiB: Math.round(statSync(path).size / 2 ** 20) });
  const all: number[] = [];
  for (const [name, sought] of Object.entries(asked)) {
    const took: number[] = [];
    let count = 0;
    for (let round = 0; round < rounds; round++) {
      const from = performance.now();
      // As a search does: it opens the file and looks which trials are new.
      withSearchIndex(path, ({ said: index }) => {
        index.heads();
        count = index.find(termsOf(sought), null, shown).count;
      });
      took.push(performance.now() - from);
    }
    all.push(median(took));
    print({ query: name, ms: rounded(median(took)), found: count });
  }
  const ms = rounded(median(all));
  print({ what: 'median of the queries', ms, slowestMs: rounded(Math.max(...all)), ...atMost(ms, 100) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
