/**
 * Sentences of speeches and opinions. `[a|b]` is a choice and `<is/are>` agrees with the fact before it.
 * {f} and {h} are facts that help the answer spoken for, {g} is one that does not; {l}, {m} and {k} name
 * the same facts as in a list. {q} is a fact that the side answered made use of, {S} that side; {p} and
 * {d} are facts that prosecution and defense used; {u} would have helped that side, {v} harms it, and it
 * spoke of neither. {n} and {x} are what {f}
 * and {g} are about, {L} the label spoken for and {O} the label spoken against.
 */
export type Bank = readonly string[];

/** First sentences of an advocate, by turn. */
export const openers: Readonly<Record<'prosecution' | 'defense', Readonly<Record<'opening' | 'rebuttal' | 'closing', Bank>>>> = {
  prosecution: {
    opening: [
      '[Your Honour|May it please the court], this case begins with {f}, and [everything|what comes] after it leads to {L}.',
      'I ask the court to start with {f}, for [little|nothing] else in this file [weighs|counts] as much.',
      'The case for {L} is a plain one: {l}, and beside it {m}.',
      'Whoever reads this file from the top meets {f}, and the line runs on from there to {L}.',
      'My case rests on {f}, on {h}, and on what the two of them mean together.',
      'The question is what {f} <means/mean> for the answer, and I say: {L}.',
      'Let me [speak plainly|be brief]: {f} <is/are> not what one expects where {O} is the right answer.',
    ],
    rebuttal: [
      'My opponent makes much of {q}, but that cannot carry the weight of {f}.',
      'The defense has spoken of {q}. It is in the file, I agree, but {f} <is/are> there too and <points/point> to {L}.',
      'We have heard a good deal about {q}, and [too little|next to nothing] about {f}.',
      'What {q} <takes/take> from my case, {f} <gives/give> back.',
      'I accept {q} as part of the record; {f} <is/are> part of it as well, and <weighs/weigh> more.',
      'If {q} were all we had, my opponent might be right, but the file goes on to {f}.',
      'The defense asks us to look at {q}; I have looked, and then I looked at {f}.',
    ],
    closing: [
      'Before the court decides, I ask it to keep {f} in mind.',
      'When the speeches are forgotten, {f} will still be in the file.',
      'Everything said today has left {f} in place.',
      'My last word is about {f}, because the answer turns there.',
      'Nothing that the defense said of {q} has removed {f} from the file.',
      'This hearing ends where it began, with {f}.',
    ],
  },
  defense: {
    opening: [
      'Your Honour, there is more to this case than the charge, and it begins with {f}.',
      'The prosecution hurries past {f}; I ask the court to stop there for a moment.',
      'Before we speak of {O}, I ask the court to look at {f}: that is the ground on which {L} stands.',
      'I speak for {L}, and I begin with {f}.',
      'The charge is an opinion; {f} and {h} are facts.',
      'The prosecution has made its case out of {q}. What it leaves out comes first for me: {l}.',
      'A fair reading of this case starts with {f}, not with {g}.',
    ],
    rebuttal: [
      'The prosecution leans on {q}, but {f} <blunts/blunt> that point.',
      'The court was asked to stop at {q}. I ask it to read on, to {f}.',
      'I do not dispute {q}; I dispute that the road from there to {O} is short.',
      'From {q} to {O} is a long step, and {f} <stands/stand> in the way.',
      'Much was said about {q}, and too little about {f}.',
      'My opponent comes back to {q}. That was answered by {f}, and it still is.',
      'To hear the prosecution, {q} <decides/decide> everything; {f} <tells/tell> another story.',
    ],
    closing: [
      'In the end the court must say what {f} <is/are> worth, and I say: enough for {L}.',
      'I ask the court to carry {f} into its decision.',
      'The last word on this file should not be {g} but {f}.',
      'If there is doubt here, it comes from {f}, and doubt speaks for {L}.',
      'All the weight that was put on {q} does not make {f} go away.',
      'Two things should stay with the court: {l} and {m}.',
    ],
  },
};

/** First sentences of everyone else: when nobody has spoken, after a speech, and in a ruling. */
export const views: Readonly<Record<'judge' | 'neutral', Readonly<Record<'fresh' | 'heard' | 'ruling', Bank>>>> = {
  judge: {
    fresh: [
      'From the facts alone, {f} <is/are> the [strongest|clearest] single point.',
      'Nothing here is certain, but {f} <draws/draw> me towards {L}.',
      'I set {f} beside {g} and asked which of the two says more.',
      'On the facts as they stand, {f} <carries/carry> more weight than {g}.',
    ],
    heard: [
      '{S} was right to raise {q}, [and I give it some weight|though it does not settle the question].',
      'The last speech turned on {q}, and I asked myself what that is worth beside {f}.',
      'I have thought about what {S} made of {q}.',
      '{S} moved me [a little|only a little], chiefly with {q}.',
      'After this speech I still come back to {f}.',
      'What {S} said of {q} was known before; the weight of it is the question.',
      'Hearing {S} on {q}, I looked again at {f}.',
    ],
    ruling: [
      'I have read the file and heard both sides, and {f} <weighs/weigh> most with me.',
      'The sides agree on the facts and differ on what {f} <means/mean>.',
      'The prosecution built on {p}, the defense on {d}.',
      'Between {p}, which the prosecution pressed, and {d}, which the defense pressed, the court has to choose.',
      'The question is not simple, and {f} had to be set against {g}.',
      'The facts were never in dispute: {l}, {m} and, on the other side, {k}.',
    ],
  },
  neutral: {
    fresh: [
      'In this case {f} <stands/stand> out.',
      'The first thing to weigh is {f}, and next to it {h}.',
      'My reading begins with {f}, because that tells {L} apart from {O}.',
      'Two points shape my answer: {l}, and {m}.',
      'If I had to name one clue, I would name {f}.',
    ],
    heard: [
      'What {S} said of {q} is fair, and yet I come back to {f}.',
      '{S} makes {q} the main point; for me {f} <comes/come> first.',
      'I have taken in what {S} made of {q}.',
      'On {q} I can follow {S}, on the conclusion only in part.',
      'Set against {q}, {f} still <stands/stand> out.',
    ],
    ruling: [
      'All told, {f} <weighs/weigh> most.',
      'The answer turns on {f}, with {g} on the other side.',
      'Everything considered, {f} and {h} decide it for me.',
      'The case comes down to {f} against {g}.',
    ],
  },
};

export const bodies: Readonly<Record<'prosecution' | 'defense' | 'judge' | 'neutral', Bank>> = {
  prosecution: [
    '{f} <is/are> hard to [explain away|set aside].',
    'Add {h} to {f}, and the room for {O} shrinks.',
    'The defense will point to {g}, yet {f} <remains/remain> on the page.',
    '[Together|Side by side], {f} and {h} make {L} the [sober|prudent|careful] conclusion.',
    'Alone, {f} might mean little; with {h} added, there is a pattern.',
    'I do not claim that {f} <settles/settle> everything, only that the balance tips to {L}.',
    'Nobody who prefers {O} has explained {f}.',
    '[Kinder|Softer] points such as {g} do not undo {f}.',
    'We should take {f} seriously, the more so with {h} beside it.',
    '{g} <is/are> open to two readings, {f} <is/are> not.',
    'This is not a matter of sympathy: {f} <speaks/speak> for {L}, and so <does/do> {h}.',
    '{g} <has/have> a place in this file, and a small one.',
    'To choose {O} is to look away from {f}.',
    'The file offers {k} in excuse, and that is not enough.',
  ],
  defense: [
    '{f} <speaks/speak> [quietly but clearly|plainly] for {L}.',
    'The court should also consider {h}: that is a reason for [patience|care].',
    '{g} <does/do> not decide this, and {f} <shows/show> why.',
    'With {f} in view, the step to {O} is longer than the evidence.',
    'I ask the court to give {f} full weight, not a [nod|footnote].',
    'Where {f} and {g} pull in different directions, doubt belongs to {L}.',
    'Take away {g}, and little is left of the case for {O}.',
    '{f} and {h} lead the same way, and it is not the way to {O}.',
    'Nothing ties {g} to {O} except a habit of thought.',
    'It would be [hasty|unfair] to pass over {f} because {g} <is/are> easier to see.',
    'Fairness asks that {f} be read as written, and nothing there spells {O}.',
    'One does not get from {g} to {O} without leaving out {h}.',
    'Beside {f} there is {m}, and both [help|favour] {L}.',
    'I do not hide {g}; I say that {h} <counts/count> for more.',
  ],
  judge: [
    '{f} <supports/support> {L}, though not alone.',
    'Against that I set {g}, a [real but limited|moderate] point.',
    'I give considerable weight to {f} and less to {g}.',
    'Taken together, {f} and {h} make {L} the [likelier|better supported] answer.',
    'I would revise this if {g} turned out to mean more than I think.',
    'What [decides|turns] the matter for me is {f}.',
    'Eloquence aside, what remains is {f} and, pulling the other way, {g}.',
    'There is an honest chance of error here, since {g} <cuts/cut> the other way.',
    'The argument from {g} is fair as far as it goes, but {f} <limits/limit> it.',
    'To this I add {h}, which I count for {L}.',
    '{h} <matters/matter> as well, if less.',
  ],
  neutral: [
    '{f} <fits/fit> {L} better than {O}.',
    'On the other hand, {g} would suit {O} as well.',
    'The pairing of {f} with {h} is what I would expect under {L}.',
    'I keep {O} in mind, chiefly because of {g}.',
    'Without {f}, I would be [clearly|a good deal] less sure.',
    'Both answers can live with {g}; only {L} goes well with {f}.',
    'The evidence is mixed: {g} <leans/lean> the other way, if less than {f}.',
    'I place {f} first in importance, and {h} after it.',
    'To this comes {h}, which points the same way.',
    'The case for {O} has little more than {g}.',
  ],
};

/** Last sentences; everyone but an advocate says them by how sure they are. */
export const closers: Readonly<Record<'prosecution' | 'defense' | 'sure' | 'torn', Bank>> = {
  prosecution: [
    '[For these reasons|On this file|With that] I ask for {L}.',
    'That is why {L} is the answer this file gives.',
    '[The facts|These facts|The entries of this file], not I, speak for {L}.',
    'I [rest|leave] the matter there: {L}.',
    'The answer [I ask for|that fits this file|that remains] is {L}.',
    'With {f} on the record, I ask for {L}.',
    'After {f} and {h}, there is one answer left, and it is {L}.',
    'The court knows {f}; I ask it to answer {L}.',
  ],
  defense: [
    'I ask the court to [decide for|find for|answer] {L}.',
    'On this record {O} has not been shown, and {L} should stand.',
    'The answer that [does justice to|follows from] this file is {L}.',
    'Read [in full|to the end|without haste], the file says {L}.',
    'I trust the court to see it so, and to answer {L}.',
    'Because of {f}, I ask for {L}.',
    'For {L} there is {f}, and there is {h}.',
    'As long as {f} <counts/count> for something, the answer is {L}.',
  ],
  sure: [
    'That leaves [little|not much] room for {O}.',
    'I therefore hold to {L}.',
    'All this puts me clearly on the side of {L}.',
    'I am fairly sure of {L}.',
    'With {f} in the file, I see little room for {O}.',
    'After {f}, I have few doubts about {L}.',
  ],
  torn: [
    'On balance I lean towards {L}.',
    'I come down on {L}, by a [narrow|modest] margin.',
    'For the moment I stay with {L}, and not without doubt.',
    'It is close, but {L} has the better of it.',
    'In the end {f} <tips/tip> it, just, towards {L}.',
    'With {g} on the other side, I am not sure of {L}, but I choose it.',
  ],
};
