import { keyNameProblem } from '../lab/keyNames.ts';

/** Folders, language and clock; what Windows needs to start a program; and how Node finds certificates and its own cache. */
const ofSystem =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LANGUAGE|LC_\w+|TZ|XDG_\w+|__CF_USER_TEXT_ENCODING|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMW6432|HOMEDRIVE|HOMEPATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|OS|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/;

/** What the engine reads itself, and what an Ollama that it starts goes by on this machine's graphics cards. */
const ofModels =
  /^(?:ASSIZE_\w+|OLLAMA_\w+|LLAMA_ARG_FIT\w*|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|(?:CUDA|HIP|ROCR|GGML)_\w+|NVIDIA_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL|HSA_\w+)$/;

/**
 * In bytes. By itself glibc raises the first to 64 MiB with the first large arrays, and then keeps what V8 frees; below the second, arrays
 * share pages with small things that live longer (columns of 100,000 bytes). A fifth of the memory of a large report together.
 */
const memoryKept = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '65536' };

/**
 * What an engine gets of the environment: the variables above, and those whose name is that of a model server's key, since
 * settings and experiments may name them later; and the limit of memory. No options for Node, no proxies and no other secrets.
 */
export function engineEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const passes = (name: string) => [ofSystem, ofModels].some((names) => names.test(name.toUpperCase()));
  const passed = Object.entries(environment).filter(([name]) => passes(name) || keyNameProblem(name) === null);
  return { ...memoryKept, ...Object.fromEntries(passed) };
}
