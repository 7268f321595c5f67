/** A place in a text where thinking begins or ends. */
export interface ThoughtMark {
  readonly opens: boolean;
  /** What a closing mark has to share with the opening one. */
  readonly family: string;
}

const words =
  'think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratch[_-]?pad|analysis|deliberation|cot|monologue|rationale';

/** Tags of any vendor: `<think>`, `< think >`, `<think type="x">`, `<seed:think>`, `<|begin_of_thought|>`, `<chain_of_thought>`. */
const tag = `(?:<|&lt;|\uff1c)[\\s|\uff5c]{0,8}(\\/?)[\\s|\uff5c]{0,8}((?:[a-z0-9]{1,20}[:_.-]){0,4}|ant|inner|internal)(${words})(?![a-z0-9])[^<>&\uff1c\uff1e]*(?:>|&gt;|\uff1e)`;

/** `[THINK]`, `\u25c1think\u25b7`. */
const bracketed =
  '[\\[\u25c1\u3010]\\s{0,8}(\\/?)\\s{0,8}(?:think(?:ing)?|thoughts?)(?![a-z0-9])[^[\\]\u25c1\u25b7\u3010\u3011]*[\\]\u25b7\u3011]';

/** Channels of one message each, with their control tokens or, where a server has removed those, without. */
const channel =
  '<\\|?\\s{0,8}channel\\s{0,8}\\|?>\\s{0,8}([a-z]{1,20})?|\\bassistant(analysis|commentary|final)|<\\|(?:end|start|return|call)\\|>';

/** All of them; the text of every mark goes to `thoughtMark`. */
export const thoughtMarks = `${tag}|${bracketed}|${channel}`;

const tagMark = new RegExp(`^${tag}`, 'i');
const bracketMark = new RegExp(`^${bracketed}`, 'i');
const channelMark = new RegExp(`^(?:${channel})`, 'i');

const familyOf = (word: string): string => (/^th/i.test(word) ? 'think' : word.slice(0, 6).toLowerCase());

const channelFamily = 'channel';

/** What a match of `thoughtMarks` means; null for a tag that is empty by its own form. */
export function thoughtMark(text: string): ThoughtMark | null {
  const asTag = tagMark.exec(text);
  if (asTag !== null) {
    if (/\/\s*(?:>|&gt;)$/.test(text)) return null;
    const [, slash = '', prefix = '', word = ''] = asTag;
    return { opens: slash === '' && !/^(?:end|stop|no)[:_.-]/i.test(prefix), family: familyOf(word) };
  }
  const asBracket = bracketMark.exec(text);
  if (asBracket !== null) return { opens: asBracket[1] === '', family: 'think' };
  const [, named, joined] = channelMark.exec(text) ?? [];
  const opens = named !== undefined || joined !== undefined ? !/^final/i.test(named ?? joined ?? '') : false;
  return { opens, family: channelFamily };
}

/** Thoughts that have begun and not ended. */
export class OpenThoughts {
  readonly #families: string[] = [];

  get any(): boolean {
    return this.#families.length > 0;
  }

  /**
   * Takes a mark. True where it ends a thought that began before the text did: all in front of it is thought.
   * One thought in another ends with its own tag; a tag of another name ends none.
   */
  take({ opens, family }: ThoughtMark): boolean {
    const at = this.#families.lastIndexOf(family);
    if (opens) {
      // A channel's message ends where the next begins.
      if (family !== channelFamily || at === -1) this.#families.push(family);
      return false;
    }
    if (at !== -1) this.#families.splice(at);
    return at === -1 && !this.any && family !== channelFamily;
  }
}

/** Whether a text begins with the name of a channel from which a server has removed the control tokens: `analysisWe need`. */
export const beginsInChannel = (text: string): boolean => /^\s{0,8}(?:analysis|commentary)(?=\p{Lu})/u.test(text);
