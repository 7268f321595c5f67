import type { BackendChoice, BackendReport } from '../../../shared/api/engine.ts';

/** Models that a protocol can ask: those that only embed texts, and those that run on somebody else's machine, are not. */
export function usableModels(report: BackendReport | undefined): string[] {
  if (report === undefined || report.state !== 'ready') return [];
  return report.models.filter((model) => !/embed|(^|[:-])cloud$/i.test(model));
}

export interface Preferred {
  readonly backend: BackendChoice;
  readonly model: string;
  /** Why it is the stand-in that answers, and how to have a model instead; null where a model does. */
  readonly why: string | null;
}

export const reportOf = (reports: readonly BackendReport[], choice: BackendChoice): BackendReport | undefined =>
  reports.find((report) => report.choice === choice);

/** A problem as it was told may begin with a small letter, as after a colon. */
export const sentence = (problem: string): string => problem.charAt(0).toUpperCase() + problem.slice(1);

/** Whether answers would come from a stand-in: the program's own, or one that runs at the Ollama address. */
export function answersInvented(reports: readonly BackendReport[], backend: BackendChoice): boolean {
  return backend === 'standin' || reportOf(reports, backend)?.standin === true;
}

/** Any name would do: the stand-in answers alike under all of them. */
const standinModel = 'llama3.1:8b';

/** The first model of a ready Ollama, else the stand-in and the reason. */
export function preferredBackend(reports: readonly BackendReport[]): Preferred {
  const ollama = reportOf(reports, 'ollama');
  const [model] = usableModels(ollama);
  if (model !== undefined) {
    const why = ollama?.standin === true ? 'A stand-in answers at the Ollama address of the settings.' : null;
    return { backend: 'ollama', model, why };
  }
  const why =
    ollama?.state === 'ready'
      ? 'Ollama runs and has no model that can speak. Fetch one: ollama pull llama3.1:8b'
      : sentence(ollama?.problem ?? 'No Ollama server was found.');
  return { backend: 'standin', model: usableModels(reportOf(reports, 'standin'))[0] ?? standinModel, why };
}
