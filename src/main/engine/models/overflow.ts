/**
 * How servers say that prompt and answer do not fit the context. Told by these words alone: the same status
 * (400, 413, 500) or a line in mid-answer also says other things.
 *
 * llama.cpp, and Ollama, which passes its words on: `exceed_context_size_error`, "exceeds the available context
 * size". Ollama's own: "the prompt is longer than the context length …", "prompt too long; exceeded max context
 * length by …". vLLM: "maximum context length", "longer than the maximum model length". OpenAI:
 * `context_length_exceeded`. LM Studio: "context length of only", "greater than the context length". Of a text that is
 * too long for one vector, llama.cpp says "is too large to process" and Ollama "input length exceeds …".
 *
 * llama.cpp's "Context size has been exceeded." is left out: where calls share the memory it is said to one
 * that fits, because of the others.
 */
const wordings = [
  'exceed_context_size_error',
  'exceeds the available context size',
  'longer than the context length',
  'exceeded max context length',
  'maximum context length',
  'longer than the maximum model length',
  'context_length_exceeded',
  'context length of only',
  'greater than the context length',
  'is too large to process',
  'input length exceeds',
];

/** Whether a server's error says that the prompt is too long for the context. */
export const tellsOverflow = (text: string): boolean => wordings.some((words) => text.includes(words));
