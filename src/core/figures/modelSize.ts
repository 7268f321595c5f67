/** How many parameters a model has, as far as its name says. */
export interface ModelSize {
  /** In billions; of a mixture of experts the experts' together, as the name counts them. */
  readonly billions: number;
  /** Experts of a mixture; 1 for any other model. */
  readonly experts: number;
}

const units: Readonly<Record<string, number>> = { m: 1e-3, b: 1, t: 1e3 };

/**
 * Reads the number of parameters from a model's name: `llama3.1:8b`, `Qwen2.5-7B-Instruct`, `gemma3:270m`, `mixtral:8x7b` (8
 * experts, counted as 56 billion by the name; layers that experts share make the true number smaller), `kimi-k2:1t`. Active
 * parameters of a mixture (`qwen3:30b-a3b`) and sizes said to be effective (`gemma3n:e4b`) are not counted. Null where the name
 * has no size (`mistral:latest`, `gpt-4o`), and where it has several that differ.
 */
export function modelSize(name: string): ModelSize | null {
  const found = [...name.toLowerCase().matchAll(/(?<=^|[:/_\s-])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([mbt])(?![a-z0-9])/g)];
  const sizes = found.flatMap(([, experts, number, unit]): ModelSize[] => {
    const count = experts === undefined ? 1 : Number(experts);
    const billions = count * Number(number) * (units[unit ?? ''] ?? 0);
    return billions > 0 ? [{ billions: Number(billions.toPrecision(6)), experts: count }] : [];
  });
  const [first] = sizes;
  return first !== undefined && sizes.every(({ billions }) => billions === first.billions) ? first : null;
}
