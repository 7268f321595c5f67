/** Something that another role has said earlier in the trial. */
export interface Heard {
  /** Who said it, as its heading names the speaker. */
  readonly speaker: string;
  readonly text: string;
}

/** A prompt taken apart. */
export interface Layout {
  /** The paragraphs that tell the case. */
  readonly facts: readonly string[];
  readonly speeches: readonly Heard[];
  /** The prompt's own words: rules, instructions and formats. */
  readonly own: readonly string[];
}

type Place = 'facts' | 'speech' | 'notes' | 'examples' | 'own';

interface Heading {
  readonly place: Place;
  readonly speaker: string;
  /** What stands in the same paragraph after the heading. */
  readonly rest: string;
}

export const roleNames =
  'prosecut(?:or|ion)|plaintiff|defen[cs]e(?: attorney| counsel| lawyer)?|(?:defen[cs]e )?attorney|agent[ _-]?[a-d0-9]|debater[ _-]?[a-d0-9]|judge[ _-]?[0-9]*|clerk|critic|assistant|voter[ _-]?[0-9]*|moderator';

const factsHead =
  /^\W*(?:the )?(?:facts of (?:the|this|your) case|case before (?:you|us|the court)|case (?:facts|at hand|on trial|to (?:be )?decided?)|facts(?: of the matter)?|case)\b(?! ?[\d#])(?:[^:\n]{0,40}:[ \t]*(?=\n|$)|:[ \t]*|[ \t]*(?=\n|$))/i;
const speakerHead = new RegExp(`^[\\W_]*((?:the )?(?:${roleNames}))\\b([^:\\n]{0,60}?)(?::[ \\t]*|[\\W_]*(?=\\n|$))`, 'i');
const turnWords =
  /^\W*(?:opening|rebuttal|closing|reply|turn|round|speech|argument|statement|proposal|answer|critique|objection)\b/i;
const notesHead = /\b(?:notes?|noted)\b|\byour own\b|\byou (?:said|wrote|answered|thought|replied)\b/i;
const examplesHead =
  /^\W*(?:(?:well[- ])?known|earlier|similar|previous|past|decided|labelled|worked|training)[ -](?:cases?|examples?)\b|^\W*(?:examples?|precedents?|shots?|cases?)\b[ #]*\d/i;
const partWords =
  /\b(?:said|spoken|heard|record|transcript|so far|in order|clerks?|precedents?|arguments?|reports?|rounds?|turns?|debate|debaters?|agents?|judges?|panel|opinions?|positions?|proposals?|answers?|critics?|objections?|task|instructions?|output|format|fields|labels?|options)\b/i;

const orders =
  'answer|pause|keep|go|reply|write|give|decide|name|list|rank|propose|state|consider|read|weigh|choose|rule|note|return|respond|think|study|speak|argue|use|say|begin|start|judge|predict|estimate|assess|classify|summari[sz]e|compare|find|evaluate|take|make|put|set|look|review|revise|update|imagine|explain|pick|select|vote|rate|score|do|ask|sort|draft|critici[sz]e|defend|determine|identify|let';
const toReader =
  /^\W*(?:you (?:are|have|had|will|must|speak|act|argue|judge|assess|may|should|can|now|were|hold)\b|your\b|it is your\b|both sides\b|the last speech\b|no(?:body| ?one) has spoken\b|here (?:is|are)\b|fields\b|format\b)/i;
const orderHead = new RegExp(`^\\W*(?:${orders})\\b`, 'i');
const mechanics =
  /\bJSON\b|\bat most [\w-]+ words\b|\bschema\b|\bone of the labels\b|\b(?:candidate|possible) (?:labels?|answers)\b/i;

const isCode = (paragraph: string): boolean => /^\s*(?:[{[]|```)/.test(paragraph);

/** Whether a paragraph tells the reader what to do. */
function isInstruction(paragraph: string): boolean {
  return toReader.test(paragraph) || orderHead.test(paragraph) || mechanics.test(paragraph);
}

function speakerHeading(paragraph: string, place: Place): Heading | null {
  const found = speakerHead.exec(paragraph);
  if (found?.[1] === undefined) return null;
  const rest = paragraph.slice(found[0].length).trim();
  const detail = found[2] ?? '';
  const plain = /^\W*$/.test(detail) || turnWords.test(detail) || /^\s*[,(]/.test(detail);
  // Inside the facts `plaintiff's claim: …` belongs to the case.
  if (!plain || (place === 'facts' && rest !== '' && !turnWords.test(detail))) return null;
  if (!found[0].includes(':') || toReader.test(paragraph)) return null;
  return { place: 'speech', speaker: found[1].toLowerCase(), rest };
}

function headingOf(paragraph: string, place: Place): Heading | null {
  const facts = factsHead.exec(paragraph);
  const told = facts === null ? '' : paragraph.slice(facts[0].length).trim();
  // Further down in the facts `facts: …` names a part of the case.
  if (facts !== null && (place !== 'facts' || told === '')) return { place: 'facts', speaker: '', rest: told };
  if (examplesHead.test(paragraph)) return { place: 'examples', speaker: '', rest: paragraph };
  const [line = '', ...below] = paragraph.split('\n');
  const alone = line.trim().endsWith(':') && line.length <= 120;
  if (alone && notesHead.test(line)) return { place: 'notes', speaker: '', rest: '' };
  const speaker = speakerHeading(paragraph, place);
  if (speaker !== null) return speaker;
  if (!alone || (place !== 'own' && !partWords.test(line))) return null;
  return { place: 'own', speaker: '', rest: below.join('\n').trim() };
}

function paragraphsOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
}

/** Takes a prompt's user part apart by its headings; whatever follows none is the prompt's own. */
function walk(paragraphs: readonly string[]): Layout {
  let facts: string[] = [];
  const speeches: { speaker: string; text: string }[] = [];
  const own: string[] = [];
  let place: Place = 'own';
  let fresh = false;
  const take = (paragraph: string): void => {
    const last = speeches.at(-1);
    if (place === 'facts') facts.push(paragraph);
    else if (place === 'speech' && last !== undefined) last.text = `${last.text} ${paragraph.replaceAll('\n', ' ')}`.trim();
    else if (place === 'own') own.push(paragraph);
  };
  for (const paragraph of paragraphs) {
    // The first paragraph after a speaker's name is the speech, however it begins.
    const heading: Heading | null =
      place === 'speech' && fresh && !/^[^\n]*:$/.test(paragraph) ? null : headingOf(paragraph, place);
    if (heading !== null) {
      place = heading.place;
      if (place === 'facts') facts = [];
      if (place === 'speech') speeches.push({ speaker: heading.speaker, text: '' });
      if (place === 'own') own.push(paragraph);
      else if (heading.rest !== '') take(heading.rest);
      fresh = heading.rest === '';
      continue;
    }
    const held = place === 'speech' ? fresh && !isCode(paragraph) : fresh && !isCode(paragraph) && !toReader.test(paragraph);
    if (place !== 'notes' && !held && (isCode(paragraph) || isInstruction(paragraph))) place = 'own';
    if (place === 'notes' && !isCode(paragraph) && isInstruction(paragraph)) place = 'own';
    take(paragraph);
    fresh = false;
  }
  return { facts, speeches: speeches.filter(({ text }) => text !== ''), own };
}

const labelList = /^\W*(?:candidate |possible |allowed )?(?:labels?|answers|options|classes|verdicts|contentious\w*)\b/i;

/** What may tell the case where no heading says so. */
function unheaded(own: readonly string[]): string[] {
  const candidates = own.filter(
    (paragraph) => paragraph.length > 25 && !isCode(paragraph) && !labelList.test(paragraph) && !/^.{0,120}:$/.test(paragraph),
  );
  const told = candidates.filter((paragraph) => !toReader.test(paragraph) && !mechanics.test(paragraph));
  const rows = told.filter((paragraph) => paragraph.split(/;\s+/).length >= 3 && / (?:is|are|was) /.test(paragraph));
  const plain = told.filter((paragraph) => !orderHead.test(paragraph));
  return rows.length > 0 ? rows.slice(-1) : plain;
}

/** Tells facts, speeches and the prompt's own words apart. */
export function readLayout(messages: readonly { readonly role: string; readonly content: string }[]): Layout {
  const asked = messages.filter(({ role }) => role !== 'assistant');
  const system = asked.filter(({ role }) => role === 'system').flatMap(({ content }) => paragraphsOf(content));
  const user = asked.filter(({ role }) => role !== 'system').flatMap(({ content }) => paragraphsOf(content));
  const found = walk(user.length > 0 ? user : system);
  const facts = found.facts.length > 0 ? found.facts : unheaded(found.own);
  const own = found.own.filter((paragraph) => !facts.includes(paragraph));
  return { facts, speeches: found.speeches, own: user.length > 0 ? [...system, ...own] : own };
}
