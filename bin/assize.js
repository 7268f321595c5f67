#!/usr/bin/env node
// Parsed by whatever Node is there, however old: no static imports, no top-level await, no newer syntax
// before the version is known.
const oldestNode = 24;
const badInput = 2;
const internalError = 70;

function logFolder(env, home, platform, join) {
  if (env.ASSIZE_LOG_DIR) return env.ASSIZE_LOG_DIR;
  if (platform === 'darwin') return join(home, 'Library', 'Logs', 'Assize');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Assize', 'Logs');
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'assize');
}

function start(fs, os, path) {
  function writeLog(error) {
    const folder = logFolder(process.env, os.homedir(), process.platform, path.join);
    const file = path.join(folder, 'assize.log');
    const stack = error instanceof Error ? error.stack : String(error);
    try {
      fs.mkdirSync(folder, { recursive: true });
      fs.appendFileSync(file, `${new Date().toISOString()} ${process.argv.slice(2, 3).join(' ')} ${stack}\n`, { mode: 0o600 });
      return `the details are in ${file}`;
    } catch (_unwritable) {
      return `the log ${file} cannot be written; the error was: ${stack}`;
    }
  }

  function fail(error) {
    process.stderr.write(`assize: internal error, nothing on the record is lost; ${writeLog(error)}\n`);
    process.exit(internalError);
  }

  function ignoreClosedPipe(error) {
    if (error && error.code === 'EPIPE') process.exit(0);
    fail(error);
  }

  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);

  import('../src/headless/main.ts')
    .then((program) => program.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    })
    .catch(fail);
}

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  process.stderr.write(
    `Assize needs Node ${oldestNode} or newer and this is ${process.versions.node}: after "npm ci", run it as "npx --no assize" or "npm run -s assize --", which bring their own.\n`,
  );
  process.exitCode = badInput;
} else {
  Promise.all([import('node:fs'), import('node:os'), import('node:path')]).then((parts) => start(parts[0], parts[1], parts[2]));
}
