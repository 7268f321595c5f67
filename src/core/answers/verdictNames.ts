/** Nouns for what an answer decides, as models write them; singular, in lower case. */
export const verdictNouns = [
  'answer',
  'verdict',
  'prediction',
  'decision',
  'ruling',
  'judge?ment',
  'classification',
  'conclusion',
  'determination',
  'label',
  'outcome',
  'result',
  'choice',
  'selection',
  'vote',
  'finding',
  'forecast',
  'assessment',
  'estimate',
  'guess',
  'opinion',
  'response',
  'output',
  'call',
  'class',
  'category',
  'pick',
  'inference',
  'position',
  'view',
  'option',
  'diagnosis',
  'disease',
  'rating',
  'vorhersage',
  'antwort',
  'urteil',
  'entscheidung',
  'ergebnis',
  'r\u00e9ponse',
  'pr\u00e9diction',
  'd\u00e9cision',
  'respuesta',
  'predicci\u00f3n',
  'veredicto',
  'decisi\u00f3n',
  'risposta',
  'resposta',
  'previs\u00e3o',
] as const;

/** Other words that make a key or the words in front of a colon say what the answer decides. */
const verdictWords =
  'predicted|predicts|predicting|decided|answered|answers|labels|classified|chosen|selected|picked|concluded|judged|final|finally|revised|revision|correct|corrected|correction|corrections|amended|amendment|updated|update|edit|actual|actually|real|really|changed|change|override|overridden|overrule|overruled|overturned|retraction|rectified|now|instead|better|best|pred|ans|y|target|assistant|gold|truth|will|say|says|choose|conclude|decide|predict|take|go|therefore|thus|hence|so|overall|summary|sum|balance|weighing|considered|considering|sorry|oops|wait|ps|apologies|hmm|rather|replacement|resolution|disposition|reply|submission|thought|boxed|erratum|errata|typo|dr|bottom|misspoke|meant|mistake|error|precise|addendum';

const nounKey = new RegExp(`^(?:${verdictNouns.join('|')})s?$`, 'u');
const wordKey = new RegExp(`^(?:${verdictWords})$`, 'u');

/** Tags that only set a text off. */
export const isFormatting = (key: string): boolean =>
  /^(?:b|strong|em|i|u|mark|span|p|div|td|li|h[1-6]|text|code|pre)$/.test(key.trim());

/** Chinese and Japanese words, which stand without spaces. */
const joined =
  /\u7b54\u6848|\u7ed3\u8bba|\u7d50\u8ad6|\u9884\u6d4b|\u9810\u6e2c|\u4e88\u6e2c|\u5224\u51b3|\u5224\u6c7a|\u88c1\u51b3|\u6700\u7ec8|\u66f4\u6b63|\u7b54\u3048|\u56de\u7b54|\u043e\u0442\u0432\u0435\u0442|\u0432\u0435\u0440\u0434\u0438\u043a\u0442|\u0440\u0435\u0448\u0435\u043d\u0438\u0435/u;

/** Words with which a verdict is another's, an earlier one, or one among several. */
const others =
  /^(?:alternative|alternatives|alternate|other|others|second|runner|opposite|opposing|rejected|discarded|unlikely|less|least|wrong|incorrect|prosecution|prosecutor|prosecutors|defense|defence|attorney|opponent|opponents|counsel|previous|previously|initial|initially|first|draft|old|original|originally|earlier|prior|example|examples|sample|if|unless|without|counterfactual|hypothetical|possible|potential|differential|allowed|options|choices|candidates|candidate|enum|const|default|format|schema|type|from|instead_of|before)$/u;

const wordsOf = (key: string): string[] =>
  key
    .slice(-200)
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');

/** Whether words name a verdict that is another's, an earlier one or one among several: `alternative`, `defense_verdict`. */
export const namesOtherVerdict = (key: string): boolean => wordsOf(key).some((word) => others.test(word));

/** Whether a key, or the words in front of a colon, announce what the answer decides: `final_answer`, `newPrediction`. */
export const namesVerdict = (key: string): boolean =>
  !namesOtherVerdict(key) && (joined.test(key) || wordsOf(key).some((word) => nounKey.test(word) || wordKey.test(word)));

/** Whether a key is a noun for the answer itself: one that declines declines the answer. */
export const namesAnswer = (key: string): boolean =>
  !namesOtherVerdict(key) &&
  wordsOf(key).some((word) => /^(?:answer|verdict|prediction|decision|ruling|conclusion|classification)$/.test(word));
