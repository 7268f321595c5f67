// What reports say that those of older versions do not, so that both can be compared.
import { leftOutBy } from '../../../../core/cases/columnsRead.ts';
import { nothingMarked } from '../../../../core/text/unfoundedSpeeches.ts';
import { Markup } from './markup.ts';

/** A stretch of a page from its first words to its last. What is in it has no such last words. */
interface Piece {
  readonly opening: Markup;
  readonly end: string;
}

const piece = (opening: string, end: string): Piece => ({ opening: new Markup(opening), end });

export const added = {
  otherwise: piece('<p><b>Other answers:</b> ', '</p>'),
  sent: piece('<details><summary>What was sent for the decision, filled in (', '</details>'),
  methods: piece('<p><b>Other methods for this case:</b> ', '</p>'),
  sides: piece('<p><b>Sides:</b> ', '</p>'),
  sure: piece('<span> at ', '</span>'),
  noPerson: piece('<p>No person spoke, judged or reviewed here.', '</p>'),
  trials: piece('<span>; trial id ', '</span>'),
  tie: piece('<span>, a tie at ', '</span>'),
  tied: piece('<b>, a tie at ', '</b>'),
  ties: piece('<span> Ties: ', '</span>'),
  equal: piece('<span> Equally likely: ', '</span>'),
  claim: piece('<span> for <bdi>', '</span>'),
  leftOut: piece(`<span> ${leftOutBy}`, '</span>'),
  unsaved: piece('<span> When it was saved is not in it, so that one record gives the same page each time.', '</span>'),
  origin: piece('<p class="quiet"><b>Who made it, and when:</b> ', '</p>'),
  connected: piece('<span> How the two are connected', '</span>'),
  bySide: piece('<p>By the answer ', '</p>'),
  outside: piece('<span> Named by ', '</span>'),
  given: piece('<p><b>Also given:</b> ', '</p>'),
  confirmed: piece('<p><b>Which number to have confirmed:</b> ', '</p>'),
  gap: piece('\n#person{', '}}}'),
  counting: piece(
    '<span> What a fact supports, the program decides by counting letters and adding numbers, not by its meaning.',
    '</span>',
  ),
  answeredBy: piece('<div><span class="what">Answered by</span>', '</div>'),
  weightless: piece('<span> (made up: the demo model has no weights)', '</span>'),
  rounded: piece('<span> Each time is rounded, and so is their sum.', '</span>'),
  precedentLabels: piece('<span class="quiet"> Their labels, shown as the right answers, are ', '.</span>'),
  precedentReasons: piece('<span class="quiet"> The demo model made up the reasons', '</span>'),
} as const;

const endedOtherwise = 'With another seed this case ended differently in this record.';

/** What older reports said in other words; of the demo model they said what is true of models. */
export const reworded = {
  seedOfDemo: {
    before: 'With another seed the same models may rule otherwise.',
    now: 'With another seed the demo model may answer otherwise.',
  },
  seedDiffered: { before: 'With another seed the same models may rule otherwise.', now: endedOtherwise },
  seedOfDemoDiffered: { before: 'With another seed the demo model may answer otherwise.', now: endedOtherwise },
  runDiffered: { before: 'A further run could end differently.', now: 'Another run in this record ended differently.' },
  outsideOne: { before: 'The transcript</a> names them.', now: 'The transcript</a> names it.' },
  last: { before: '; the last of them decided.', now: '; the last of them decided, not the majority.' },
  checked: {
    before: 'Checked by Assize: no number or quote in what was said is marked as missing from the facts.',
    now: nothingMarked,
  },
  checkedAlone: {
    before: 'Checked by Assize, only numbers and quotes: none in what was said is marked as missing from the facts.',
    now: nothingMarked,
  },
  groups: {
    before:
      ' That is over the cases of all groups together, and can be otherwise for one group: the report over the experiment has each.',
    now: ' For one group it can be otherwise: report.html in the zip file (bundle) of the experiment has each.',
  },
  every: { before: 'To compare: answering <bdi>', now: 'To compare: answering “<bdi>' },
  commonest: { before: '</bdi>, the most frequent answer among them,', now: '</bdi>”, the most frequent answer among them,' },
} as const;

export const unusedTitle = 'In no question of this trial';
const unusedList = new RegExp(`<details><summary>${unusedTitle}[^<]*</summary>(.*?)</details></section>`, 's');
const prompt = /<details><summary><b>.*?<\/details>/gs;

/** Older reports have all prompts of the arm in one list; its order is that of the given report. */
function inOneList(given: string, page: string): string {
  if (given.includes(unusedTitle) || !page.includes(unusedTitle)) return page;
  const sorted = (page.match(prompt) ?? []).toSorted((one, other) => given.indexOf(one) - given.indexOf(other)).values();
  return page.replace(unusedList, '$1</section>').replace(prompt, () => sorted.next().value ?? '');
}

/** A page without the pieces of which a given one has none, in its words. */
export function asOldAs(given: string, page: string): string {
  const worded = Object.values(reworded).reduce(
    (text, { before, now }) => (given.includes(before) ? text.replace(now, before) : text),
    inOneList(given, page),
  );
  return Object.values(added).reduce((text, { opening: { source }, end }) => {
    if (given.includes(source)) return text;
    const [first = '', ...rest] = text.split(source);
    return first + rest.map((part) => part.slice(part.indexOf(end) + end.length)).join('');
  }, worded);
}
