/**
 * Windows-1252, which older Windows programs write in Western Europe: Latin-1 but for 0x80 to 0x9f.
 * Source: the WHATWG Encoding Standard, windows-1252, except that the five bytes without a character (`undefinedBytes`)
 * are refused rather than taken for control characters.
 */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const undefinedBytes: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (character) => upper[character.charCodeAt(0) - 0x80] ?? character);
}

/** Index of the first byte that means no character; -1 where each does. */
export function undefinedIn1252(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => undefinedBytes.has(byte));
}
