// The environment of our own Ollama.
import type { DaemonSettings } from '../../../../shared/api/daemon.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables of Ollama's that keep what the user set: where the models lie, and how the machine is used. All others of
 * its own are left out. Among them are OLLAMA_ORIGINS and OLLAMA_REMOTES, which let others in or out, and OLLAMA_DEBUG
 * and OLLAMA_DEBUG_LOG_REQUESTS, which would write cases into the log.
 */
const inherited =
  /^OLLAMA_(?:MODELS|FLASH_ATTENTION|KV_CACHE_TYPE|GPU_OVERHEAD|IGPU_ENABLE|LLM_LIBRARY|LIBRARY_PATH|LOAD_TIMEOUT|NOPRUNE|SCHED_SPREAD|VULKAN)$/;

/** How memory is fitted; every other LLAMA_ARG_ could open the inference engine to the network or change answers. */
const inheritedOfEngine = /^LLAMA_ARG_FIT(?:_TARGET)?$/;

/** Long enough that no pause inside a run unloads a model. */
const keepAlive = '30m';

/** In the environment of our own daemon and all that it starts: how a leftover is known for certain. */
export const markVariable = 'ASSIZE_DAEMON';

function passes(name: string): boolean {
  const plain = name.toUpperCase();
  if (plain.startsWith('OLLAMA_')) return inherited.test(plain);
  if (plain.startsWith('LLAMA_ARG_')) return inheritedOfEngine.test(plain);
  // Nothing goes round the one way out by a proxy, ours or a child's.
  return !/^(?:ASSIZE_.*|(?:HTTP|HTTPS|ALL|NO|FTP)_PROXY|LLAMA_API_KEY|NODE_OPTIONS|NODE_CHANNEL_.*|ELECTRON_.*)$/.test(plain);
}

/** Slots of each model. In reproducible mode there is one. */
export const slotsOf = ({ parallel, reproducible }: Pick<DaemonSettings, 'parallel' | 'reproducible'>): number =>
  reproducible ? 1 : parallel;

/** The environment of our own `ollama serve`: only loopback, no cloud. @param settings reproducible: one slot, no prompt kept */
export function daemonEnvironment(
  environment: Environment,
  settings: Omit<DaemonSettings, 'startOwn'>,
  { port, mark }: { port: number; mark: string },
): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && passes(name) ? [[name, value] as const] : [],
  );
  const { maxLoaded, contextLength, reproducible } = settings;
  return {
    ...Object.fromEntries(kept),
    OLLAMA_HOST: `127.0.0.1:${port}`,
    OLLAMA_NO_CLOUD: '1',
    OLLAMA_NUM_PARALLEL: String(slotsOf(settings)),
    OLLAMA_KEEP_ALIVE: keepAlive,
    ...(maxLoaded === null ? {} : { OLLAMA_MAX_LOADED_MODELS: String(maxLoaded) }),
    ...(contextLength === null ? {} : { OLLAMA_CONTEXT_LENGTH: String(contextLength) }),
    ...(reproducible ? { LLAMA_ARG_CACHE_RAM: '0' } : {}),
    [markVariable]: mark,
  };
}
