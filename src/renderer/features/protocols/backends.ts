import { capitalized } from '../../../core/text/visible.ts';
import { type BackendChoice, type BackendReport, ollamaBackend, type ServerReport } from '../../../shared/api/engine.ts';

/** Names of models that a protocol can ask: not those that only embed texts, nor those that run on another machine. */
export const speaking = (models: readonly string[]): string[] => models.filter((model) => !/embed|(^|[:-])cloud$/i.test(model));

export function usableModels(report: BackendReport | undefined): string[] {
  return report === undefined || report.state !== 'ready' ? [] : speaking(report.models);
}

/** Who could answer, as found a moment ago: the Ollama of the settings, the demo model, and further servers. */
export interface Found {
  readonly reports: readonly BackendReport[];
  readonly servers: readonly ServerReport[];
  /** The model that answered last in this tab, and the address. */
  readonly last?: Answered | null;
}

export interface Answered {
  readonly server: string;
  readonly url: string;
  readonly model: string;
}

export interface Preferred {
  readonly backend: BackendChoice;
  readonly server: string;
  readonly model: string;
  /** Why it is the demo model that answers, and how to have a model instead; null where a model does. */
  readonly why: string | null;
  /** That the server of the model, which answered before, does not answer now; null where it does. */
  readonly away: string | null;
}

export const reportOf = (reports: readonly BackendReport[], choice: BackendChoice): BackendReport | undefined =>
  reports.find((report) => report.choice === choice);

/** Whether answers would come from a demo model: the program's own, or one that runs at the Ollama address. */
export function answersInvented(reports: readonly BackendReport[], backend: BackendChoice): boolean {
  return backend === 'standin' || reportOf(reports, backend)?.standin === true;
}

/** What is known of a server by the name that arms give it; undefined if not checked yet, or if there is none. */
export function foundAt({ reports, servers }: Found, server: string): BackendReport | ServerReport | undefined {
  return server === ollamaBackend ? reportOf(reports, 'ollama') : servers.find(({ name }) => name === server);
}

export function modelsAt(found: Found, backend: BackendChoice, server: string): string[] {
  if (backend === 'standin' || server === ollamaBackend) return usableModels(reportOf(found.reports, backend));
  const report = found.servers.find(({ name }) => name === server);
  return report?.state === 'ready' ? speaking(report.models.map(({ name }) => name)) : [];
}

/** As `answersInvented`, of the servers that are named: one demo model among them is enough. */
export function inventedAt(found: Found, backend: BackendChoice, servers: readonly string[]): boolean {
  return backend === 'standin' || servers.some((server) => foundAt(found, server)?.standin === true);
}

/** Any name would do. This one is in every list and report, where the name of a real model would mislead. */
const demoModel = 'demo';

/** Without the code of the system, which says nothing more to most people. */
const plainly = (problem: string) => problem.replace(/(?: \(|: )E[A-Z]{4,}\b\)?/, '');

/** The first model of a ready Ollama, else of another ready server, else the one that answered last, else the demo model and the reason. */
export function preferredBackend(found: Found): Preferred {
  const { reports, servers, last = null } = found;
  for (const server of [ollamaBackend, ...servers.map(({ name }) => name)]) {
    const [model] = modelsAt(found, 'ollama', server);
    if (model === undefined) continue;
    const where = server === ollamaBackend ? 'the Ollama address' : `the address of ${server}`;
    const why =
      foundAt(found, server)?.standin === true ? `The answers come from the demo model at ${where} of the settings.` : null;
    return { backend: 'ollama', server, model, why, away: null };
  }
  const silent = last === null ? undefined : foundAt(found, last.server);
  if (last !== null && silent?.state === 'away' && silent.url === last.url) {
    const away = `The model server at ${last.url} does not answer.`;
    return { backend: 'ollama', server: last.server, model: last.model, why: null, away };
  }
  const ollama = reportOf(reports, 'ollama');
  const why =
    ollama?.state === 'ready'
      ? 'Ollama runs and has no model that can speak. Fetch one: ollama pull llama3.1:8b'
      : capitalized(plainly(ollama?.problem ?? 'No Ollama server was found.'));
  return {
    backend: 'standin',
    server: ollamaBackend,
    model: demoModel,
    why,
    away: null,
  };
}
