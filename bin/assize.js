#!/usr/bin/env -S MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=65536 node --max-semi-space-size=8
// Entry of the command line. Any Node may be the one that parses this file, however old: no static
// imports, no top-level await, and nothing newer than Node 12's syntax. Built-in modules come from
// process.getBuiltinModule, which is there at once: handlers must stand before anything can fail.
// Without the option V8 fills 128 MiB with young objects before it looks which of them are still in use. Without the
// variables glibc keeps up to 64 MiB of what V8 frees (see engineEnvironment.ts).

const oldestNode = 24;
const exitCode = { ok: 0, badInput: 2, internal: 70 };

/**
 * Where the platform keeps logs and other state that a user may delete.
 * @param {typeof import('node:path')} path
 * @param {typeof import('node:os')} os
 */
function logFolder(path, os) {
  const env = process.env;
  if (env.ASSIZE_LOG_DIR) return path.resolve(env.ASSIZE_LOG_DIR);
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(os.homedir(), 'AppData', 'Local'), 'Assize', 'Logs');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Logs', 'Assize');
  // The XDG specification says that relative values are invalid and to be ignored.
  const stateHome =
    env.XDG_STATE_HOME && path.isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : path.join(os.homedir(), '.local', 'state');
  return path.join(stateHome, 'assize');
}

/**
 * Where the platform keeps files that a program can make again; here, the compiled program.
 * @param {typeof import('node:path')} path
 * @param {typeof import('node:os')} os
 */
function codeFolder(path, os) {
  const env = process.env;
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(os.homedir(), 'AppData', 'Local'), 'Assize', 'code');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', 'Assize', 'code');
  const caches =
    env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : path.join(os.homedir(), '.cache');
  return path.join(caches, 'assize', 'code');
}

/** Without it, a short command spends most of its time on compiling the program. The processes that it starts get the folder too. */
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE) return;
  try {
    const [fs, path] = [process.getBuiltinModule('fs'), process.getBuiltinModule('path')];
    const folder = codeFolder(path, process.getBuiltinModule('os'));
    // One by one: Node tries for ever to make several below one that cannot be made.
    for (const each of [path.resolve(folder, '../..'), path.resolve(folder, '..'), folder])
      if (!fs.existsSync(each)) fs.mkdirSync(each, 0o700);
    process.getBuiltinModule('module').enableCompileCache(folder);
    process.env.NODE_COMPILE_CACHE = folder;
  } catch (_refused) {
    // Without a home, or where its cache cannot be written, nothing is kept.
  }
}

/**
 * Writes the error with its stack and returns the sentence that says where it is.
 * @param {unknown} error
 */
function keepError(error) {
  const fs = process.getBuiltinModule('fs');
  const path = process.getBuiltinModule('path');
  const details = process.getBuiltinModule('util').inspect(error);
  let place = 'assize.log';
  try {
    const folder = logFolder(path, process.getBuiltinModule('os'));
    place = path.join(folder, 'assize.log');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Only the command's name: the words after it may be facts of a case.
    const command = /^[a-z]/.test(process.argv[2] || '') ? ` ${process.argv[2]}` : '';
    const heading = `${new Date().toISOString()} assize${command}, Node ${process.version}, ${process.platform} ${process.arch}`;
    fs.appendFileSync(place, `${heading}\n${details}\n\n`, { mode: 0o600 });
    return `assize: internal error; its details are in ${place}\n`;
  } catch (refusal) {
    return `assize: internal error; the log ${place} cannot be written (${refusal instanceof Error ? refusal.message : refusal}), so here it is: ${details}\n`;
  }
}

function run() {
  /**
   * What the command returned; undefined while it is at work.
   * @type {number | undefined}
   */
  let result;
  let failing = false;

  /**
   * @param {unknown} error
   * @param {string} [words] said in place of where the log is
   */
  function fail(error, words) {
    if (failing) return;
    failing = true;
    const sentence = words || keepError(error);
    try {
      process.getBuiltinModule('fs').writeSync(2, sentence);
    } catch (_closed) {
      // No one reads stderr any more; the log holds the error.
    }
    process.exit(exitCode.internal);
  }

  process.on('uncaughtException', (error) => fail(error));
  process.on('unhandledRejection', (error) => fail(error));
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') {
      const reason = error.code === 'ENOSPC' ? 'the disk is full; free some space and run again' : error.message;
      return fail(error, `assize: the output could not be written: ${reason}\n`);
    }
    // The reader has seen enough (`assize … | head`). A command that is just returning keeps its own code.
    setImmediate(() => process.exit(result === undefined ? exitCode.ok : result));
  });
  process.stderr.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    // Progress that no one reads, or that has no room, is no reason to stop.
    if (error.code !== 'EPIPE' && error.code !== 'ENOSPC') fail(error);
  });
  process.on('beforeExit', () => {
    if (result === undefined) fail(new Error('the command stopped without a result'));
  });

  keepCompiled();
  import('../src/headless/main.ts')
    .then((program) => program.main(process.argv.slice(2)))
    .then((code) => {
      if (!Number.isInteger(code)) throw new TypeError(`the command returned ${String(code)} instead of an exit code`);
      result = code;
      process.exitCode = code;
    })
    .catch((error) => fail(error));
}

const found = process.versions.node;
if (Number(found.split('.')[0]) >= oldestNode) run();
else {
  process.stderr.write(
    `assize: this is Node ${found} and Assize needs Node ${oldestNode} or newer: after "npm ci" run it as "npx --no assize …" or "npm run -s assize -- …", which use the one that it brings along, or install Node ${oldestNode}.\n`,
  );
  process.exitCode = exitCode.badInput;
}
