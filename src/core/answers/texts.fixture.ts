/** Units that make a text hard to read when they are repeated, each hard for another part of the reader. */
export const hardUnits: Readonly<Record<string, string>> = {
  'opening braces': '{',
  'empty objects': '{}',
  'nested arrays': '{"a":[',
  quotes: '"',
  'quotes in an object': '{"a":"b" "',
  'apostrophes in an object': "{'a':'b' '",
  'labelled fields': 'Prediction: YES\n',
  'spaces between quotes': `{"a": "b${' '.repeat(50)}`,
  thinking: '<think>',
  'thinking that ends': '<think>a</think>',
  'single fields with spaces': 'prediction    :   ',
  'fields on one line': 'Prediction: YES, ',
  'white space': ' \n',
  digits: '{"a": 1111111111',
  'broken objects': '{a "b" : }',
  'answers in quotes': "{'prediction': 'YES', 'confidence': 70}",
  'calls in an object': '{"a": b (',
  'comments in an object': '{"a": 1 /* ',
  retractions: 'Actually, YES. ',
  'rows of a table': '| Prediction | YES |\n',
  verdicts: 'Final answer: NO\n',
  hyphens: '-',
  asterisks: '**',
  lines: 'a\n',
  'strings side by side': '"a" "b" ',
  'strings that do not end': '"a": "b, ',
  'fences in an object': '`',
  'one long word': 'a',
  'long runs of spaces': `x${' '.repeat(2000)}`,
  'lines of spaces': '  \n',
  'digits alone': '1',
  'digits and commas': '1,',
  'digits and points': '1.',
  commas: ',',
  colons: ':',
  'labels in a row': 'NO ',
  'labels with commas': 'NO, ',
  'labels with or': 'NO or ',
  'labels of a condition': 'if would the answer is NO ',
  'answers of a text': 'the answer is not the answer ',
  'first persons': 'I would rather ',
  'words of certainty': 'everything all clearly ',
  refusals: 'I cannot answer ',
  'thinking that never closes its tag': '<think ',
  'thinking with attributes': '<think a="b">',
  'thinking of vendors': '<seed:',
  'thinking in brackets': '[think ',
  channels: '<|channel|>',
  'shares of ten': '8/10 ',
  'scales of ten': 'on a scale of 0 to 10 ',
  'ends of a scale': '1 = ',
  'quotes in quotes': '"\\"',
  'nested brackets': '[[',
  bullets: '- 1. ',
  'struck out': '~~a',
  'is a': 'is a ',
  hashes: '#> ',
};

const answer = '{"prediction":"YES","confidence":70}';

/** A text of about `length` characters: a unit alone, behind an answer, or in an object that needs a repair. */
export function hardText(unit: string, length: number, place: 'alone' | 'behind' | 'inside'): string {
  const repeated = unit.repeat(Math.floor(length / unit.length));
  if (place === 'alone') return repeated;
  return place === 'behind' ? `${answer}\n${repeated}end` : `{'prediction': 'YES', 'confidence': 70, 'note': ${repeated}}`;
}

export const places = ['alone', 'behind', 'inside'] as const;
