/**
 * The text of a body as far as so many bytes go, unpacked; what is longer is not waited for.
 * `whole`: it was no longer.
 */
export async function boundedText(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let length = 0;
  for await (const bytes of body ?? []) {
    length += bytes.length;
    text += decoder.decode(bytes, { stream: true });
    // To leave the loop cancels the body.
    if (length > most) return { text, whole: false };
  }
  return { text: text + decoder.decode(), whole: true };
}
