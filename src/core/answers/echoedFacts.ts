import { namesVerdict, wordsOf } from './verdictNames.ts';

/** Labels that answer any question: nearly every fact about a case may be one of them. */
const generic = /^(?:yes|no|true|false|[a-z]|[-+]?\d{1,6}(?:\.\d{1,6})?)$/i;

/** Words of keys for what was known before anybody decided. */
const known =
  /^(?:facts?|features?|inputs?|history|background|past|known|demographics|attributes?|profile|witness|witnesses|juror|jurors)$/u;

/** Parts of words that name what is to be decided, beside the words of `namesVerdict`. */
const decided =
  /arrest|recidiv|offend|offens|guilt|liab|convict|likel|probab|risk|predict|primar|main|top|status|flag|value|determin|judg|decid|conclu|class|will|would|should|expect|assess|evaluat|recommend|suggest|winn|preferr|statement|claim|hypothes|violat|valid|positive|negative|true|false|yes|no$|score|stance|conviction|reply|return|content|data$|item|lean|^tend|inclin|gut|hunch|instinct|^(?:me|my|mine|i|own|self|jury|court|majority)$/u;

/** Whether a key names facts as such: `history`, `facts`. */
export const namesFacts = (key: string): boolean => wordsOf(key).some((word) => known.test(word));

/** Whether a key may name what is to be decided, by more words than those of a verdict. */
export const isOfDecision = (key: string): boolean => namesVerdict(key) || wordsOf(key).some((word) => decided.test(word));

/** How many of the keys may be those of facts that are repeated back. */
export const countFacts = (keys: readonly string[]): number => keys.filter((key) => !isOfDecision(key)).length;

/**
 * Whether a label under this key is a fact repeated back. The reader knows no facts: it takes one where the key says
 * so, or where all labels are generic and the key, of no decision, stands in a table of `facts` or more than one.
 */
export const echoesFact = (key: string, labels: readonly string[], facts: number): boolean =>
  namesFacts(key) || (facts >= 2 && !isOfDecision(key) && labels.every((label) => generic.test(label)));
