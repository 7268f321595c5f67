// How large a model is, as far as its name says.
const units: Readonly<Record<string, number>> = { m: 1e-3, b: 1, t: 1e3 };

/**
 * The number of parameters in billions, read from a model's name: `llama3.1:8b`, `Qwen2.5-7B-Instruct`, `gemma3:270m`, `mixtral:8x7b` (8
 * experts, counted as 56 billion by the name; layers that experts share make the true number smaller), `kimi-k2:1t`. Active
 * parameters of a mixture (`qwen3:30b-a3b`) and sizes said to be effective (`gemma3n:e4b`) are not counted. Null where the name
 * has no size (`mistral:latest`, `gpt-4o`), and where it has several that differ.
 */
export function modelSize(name: string): number | null {
  const found = [...name.toLowerCase().matchAll(/(?<=^|[:/_\s-])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([mbt])(?![a-z0-9])/g)];
  const sizes = found.map(([, experts = '1', number, unit = '']) => {
    return Number((Number(experts) * Number(number) * (units[unit] ?? 0)).toPrecision(6));
  });
  const [first, ...others] = new Set(sizes.filter((size) => size > 0));
  return others.length === 0 ? (first ?? null) : null;
}
