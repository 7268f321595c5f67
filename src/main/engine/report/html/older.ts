// What reports say that those of older versions do not, so that both can be compared.
import { leftOutBy } from '../../../../core/cases/columnsRead.ts';
import { Markup } from './markup.ts';

/** A stretch of a page from its first words to its last. What is in it has no such last words. */
interface Piece {
  readonly opening: Markup;
  readonly end: string;
}

const piece = (opening: string, end: string): Piece => ({ opening: new Markup(opening), end });

export const added = {
  methods: piece('<p><b>Other methods for this case:</b> ', '</p>'),
  sides: piece('<p><b>Sides:</b> ', '</p>'),
  trials: piece('<span>; trial id ', '</span>'),
  tie: piece('<span>, a tie at ', '</span>'),
  ties: piece('<span> Ties: ', '</span>'),
  equal: piece('<span> Equally likely: ', '</span>'),
  claim: piece('<span> for <bdi>', '</span>'),
  leftOut: piece(`<span> ${leftOutBy}`, '</span>'),
  unsaved: piece('<span> When it was saved is not in it, so that one record gives the same page each time.', '</span>'),
  origin: piece('<p class="quiet"><b>Who made it, and when:</b> ', '</p>'),
} as const;

/** Of the demo model older reports said what is true of models. */
export const seedOfDemo = {
  before: 'With another seed the same models may rule otherwise.',
  now: 'With another seed the demo model may answer otherwise.',
} as const;

/** A page without the pieces of which a given one has none, in its words. */
export function asOldAs(given: string, page: string): string {
  const worded = given.includes(seedOfDemo.before) ? page.replace(seedOfDemo.now, seedOfDemo.before) : page;
  return Object.values(added).reduce((text, { opening: { source }, end }) => {
    if (given.includes(source)) return text;
    const [first = '', ...rest] = text.split(source);
    return first + rest.map((part) => part.slice(part.indexOf(end) + end.length)).join('');
  }, worded);
}
