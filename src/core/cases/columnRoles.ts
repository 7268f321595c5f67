// What the columns of a data file are for, by what they are called and by their values.
import { numberIn } from '../imported/prediction.ts';

const idNames = /^(id|case|key|nr|no|number|uid|uuid|guid|index|docket|pubid)$|[_\s.-](id|nr|no)$|^case(id|no|nr|number)$/i;

/** Names that are of no fact even where their values repeat, as a customer's. */
export const repeatedIds = /(^|[_\s.-])(id|uid|uuid|guid)$|[a-z]I[dD]$/i;

/** Whether a column's name says that it identifies a row. */
export function mayBeId(name: string): boolean {
  return idNames.test(name.trim()) || /[a-z]I[dD]$/.test(name.trim());
}

const subjectNames =
  /^(person|individual|subject|participant|respondent|applicant|borrower|defendant|offender|claimant|plaintiff|patient|client|customer|student|pupil|employee|candidate|user|passenger|visit|application|loan|ticket|record|item|example|instance|observation|row|ref|reference)$|[_\s.-](number|ref|code)$/i;

/** Codes and numbers that say where somebody is. */
const addressNames = /zip|postal|post[_\s-]?code|phone|mobile|fax/i;

/** Whether a column's name says who or what a row is about: an id where its values are as short as one and never come twice. */
export const namesSubject = (name: string): boolean => subjectNames.test(name.trim()) && !addressNames.test(name);

/** Names of what is decided, or of what happened. */
export const labelNames =
  /^(y|labels?|class|classes|target|truth|gold|topic|intent|emotion|sentiment|diagnosis|disease|outcome|happened|verdict|ruling|decision|answer|ground_?truth|result|judge?ment|category|winner|decided.*)$|^y_|[_\s-](label|class|outcome|verdict|target|decision|truth|answer)$/i;

const laterNames =
  /(?<![a-z])(?:outcomes?|waited|delay(?:ed|s)?|resolved|resolution|discharged|appealed|repaid|refunded|follow[_\s-]?up|afterwards)(?![a-z])|[_\s.-]after$|^closed(?:[_\s.-]by)?$|(?:case|claim|complaint|request|ticket)[_\s.-](?:was[_\s.-])?closed$|(?<![a-z])(?:(?:closed|decided|settled|paid)[_\s.-]?(?:at|on|date|time)|(?:date|time)[_\s.-]?(?:of[_\s.-]|was[_\s.-])?(?:closed|decided|settled|paid))(?![a-z])/i;

/** Whether a column's name is one of what is often known only after a decision, such as `waited_hours` or `outcomeDate`. */
export const mayBeLater = (name: string): boolean => laterNames.test(name.trim().replaceAll(/([a-z])([A-Z])/g, '$1 $2'));

/** Names of attributes that people are protected by, and of regions. */
export const groupNames =
  /^((native|first|primary|home)[_\s-])?language$|^mother[_\s-]?tongue$|^(sex|gender|sexual[_\s-]orientation|race|ethnicity|ethnic[_\s-](group|origin)|religion|faith|disabled|disability([_\s-]status)?|nationality|citizenship|national[_\s-]origin|(country[_\s-]of[_\s-]birth|birth[_\s-]country)|marital[_\s-]?status|region|age([_\s-]?(group|band|bracket|range|class|cat|category|years))?)$/i;

/** Different numbers up to which each can be a group, as in a grade or a number of children. */
const mostNumbers = 5;

interface Cells {
  /** Different values; null where there are many. */
  readonly values: readonly string[] | null;
  readonly examples: readonly string[];
}

/** Whether a column has so many different numbers that no group can be made of each, as ages. */
export function areManyNumbers({ values, examples }: Cells): boolean {
  const filled = (values ?? examples).filter((value) => value.trim() !== '');
  return (
    (values === null || filled.length > mostNumbers) && filled.length > 0 && filled.every((value) => numberIn(value) !== null)
  );
}
