// Counts the lines of a file, so that errors can name them.
const lineFeed = 10;
const carriageReturn = 13;

/** Numbers the physical lines of a text that arrives in pieces; a line ends with CRLF, LF or CR. */
export class LineIndex {
  /** Byte offsets at which lines start, ascending; those before `#next` have been passed. */
  #starts: number[] = [];
  #next = 0;
  #lineAtNext = 1;
  #linesFed = 1;
  #offset = 0;
  #afterCarriageReturn = false;

  /** Takes the next bytes of the text. */
  feed(bytes: Uint8Array): void {
    if (this.#next > 0) {
      this.#starts = this.#starts.slice(this.#next);
      this.#next = 0;
    }
    for (const byte of bytes) {
      this.#offset += 1;
      if (byte === lineFeed && this.#afterCarriageReturn) this.#starts[this.#starts.length - 1] = this.#offset;
      else if (byte === lineFeed || byte === carriageReturn) {
        this.#starts.push(this.#offset);
        this.#linesFed += 1;
      }
      this.#afterCarriageReturn = byte === carriageReturn;
    }
  }

  /** 1-based line of the byte at `offset`, which has been fed; offsets never decrease from call to call. */
  lineAt(offset: number): number {
    for (;;) {
      const start = this.#starts[this.#next];
      if (start === undefined || start > offset) return this.#lineAtNext;
      this.#next += 1;
      this.#lineAtNext += 1;
    }
  }

  /** Line starts that have been fed and not passed yet: what the index keeps in memory. */
  get pending(): number {
    return this.#starts.length - this.#next;
  }

  /** 1-based line of the text after what was fed and then `bytes`, which are not taken. */
  lineAfter(bytes: Uint8Array): number {
    return this.#linesFed + countLineBreaks(bytes, this.#afterCarriageReturn);
  }
}

function countLineBreaks(bytes: Uint8Array, afterCarriageReturn: boolean): number {
  let count = 0;
  let previous = afterCarriageReturn ? carriageReturn : 0;
  for (const byte of bytes) {
    if (byte === carriageReturn || (byte === lineFeed && previous !== carriageReturn)) count += 1;
    previous = byte;
  }
  return count;
}

/** Line breaks (CRLF, LF or CR) in a text. */
export function lineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
