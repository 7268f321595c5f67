// Reads and writes the settings file next to a store.
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { ZodError, z } from 'zod';
import { type Settings, settingsSchema } from '../../../shared/api/engine.ts';
import { AssizeError, badInput, systemCode } from '../../../shared/errors.ts';
import { keyNameProblem } from '../lab/keyNames.ts';
import { openPermissions } from '../permissions.ts';
import { besideStore } from '../store/location.ts';
import { elsewhereOf } from '../store/store.ts';
import { writeWholeFile } from '../wholeFile.ts';

/** A file that cannot be used is kept under another name, so that nothing that was set is lost. */
function setAside(path: string): void {
  try {
    // Those that were set aside before are kept too.
    let name = `${path}.invalid`;
    for (let number = 2; existsSync(name); number++) name = `${path}.invalid-${number}`;
    renameSync(path, name);
  } catch {
    // A folder that nothing can be written into keeps the file where it is; it stays unused.
  }
}

function save(path: string, text: string): void {
  try {
    writeWholeFile(path, text);
  } catch (error) {
    const code = systemCode(error) ?? 'unknown reason';
    throw badInput(`the settings cannot be saved next to the store (${code}); check the permissions of its folder`);
  }
}

/** What a schema of single values cannot say. */
function refuseUnfit({ ollamaUrl, servers }: Settings): void {
  const addresses = [
    { url: ollamaUrl, field: 'ollamaUrl' },
    ...servers.map(({ backend }, index) => ({ url: backend.url, field: `servers.${index}.backend.url` })),
  ];
  for (const { url, field } of addresses) {
    const { username, password } = new URL(url);
    if (username === '' && password === '') continue;
    throw badInput('the address contains a name or password, which every record would repeat; leave them out', field);
  }
}

/** A variable that would never be read for a key is refused when it is written. */
function refuseForeignKeys({ servers }: Settings): void {
  servers.forEach(({ backend }, index) => {
    const variable = backend.kind === 'openai' ? backend.apiKeyVariable : undefined;
    const problem = variable === undefined ? null : keyNameProblem(variable);
    if (problem !== null) throw badInput(problem, `servers.${index}.backend.apiKeyVariable`);
  });
}

/** Settings, with the keys of a newer program: those are skipped, and written back as they were. */
const fileSchema = z.looseObject(settingsSchema.shape);

type Parsed = Readonly<ReturnType<typeof parsed>>;

function parsed(text: string) {
  const whole = fileSchema.parse(JSON.parse(text));
  const settings = z.object(settingsSchema.shape).parse(whole);
  refuseUnfit(settings);
  return { settings, whole };
}

/**
 * Settings of the store at `store`, in a file next to it. What is not set, or cannot be read, has its default. Hosts that may be
 * asked are in none of these files: only what this user allowed counts, and of a store from elsewhere no setting does. Servers that
 * this user did not set count once the user has confirmed them.
 */
export function openSettings(store: string) {
  const path = besideStore(store, '.settings.json');
  let known: (Parsed & { readonly stamp: string }) | undefined;

  const permissions = openPermissions(store);
  let isElsewhere: boolean | undefined;
  /** What was set here for a store from elsewhere, until the program ends. */
  let passing: Settings | undefined;

  /** Other programs with this store share the file, so it is looked at each time and parsed when it has changed. */
  const inFile = (): Settings => {
    const defaults = settingsSchema.parse({});
    if (!existsSync(path)) return passing ?? defaults;
    isElsewhere ??= elsewhereOf(store) !== null;
    if (isElsewhere) return passing ?? defaults;
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true });
      const stamp = `${ino} ${size} ${mtimeNs}`;
      if (known?.stamp !== stamp) known = { stamp, ...parsed(readFileSync(path, 'utf8')) };
      return known.settings;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof ZodError || error instanceof AssizeError) setAside(path);
      // Too many open files, say, must not undo what was set.
      else if (systemCode(error) !== 'ENOENT') return known?.settings ?? defaults;
      known = undefined;
      return defaults;
    }
  };
  const counting = (found: Settings): Settings => (found === passing ? found : permissions.withoutUnknown(found));
  const read = (): Settings => ({ ...counting(inFile()), allowedHosts: permissions.hosts() });
  const unknownServers = (): string[] => {
    const settings = inFile();
    const { ollamaUrl, servers } = counting(settings);
    if (ollamaUrl === settings.ollamaUrl && servers === settings.servers) return [];
    const ollama = settings.ollamaUrl === settingsSchema.parse({}).ollamaUrl ? [] : [settings.ollamaUrl];
    return [...ollama, ...settings.servers.map(({ backend }) => backend.url)];
  };
  return {
    read,
    /** Addresses of servers in the file next to the store that this user has neither set nor confirmed. */
    unknownServers,
    /** Whether the file next to the store continues interrupted runs, and this user has not said so here. */
    unknownContinue: (): boolean => inFile().continueRuns && !read().continueRuns,
    hasPlanned: permissions.hasPlanned,
    plan: permissions.plan,
    /** The servers in the file next to the store count from now on; the setting that continues runs does not. */
    confirmServers: (): void => permissions.trust({ ...inFile(), continueRuns: read().continueRuns }),
    change(patch: { [Key in keyof Settings]?: Settings[Key] | undefined }): Settings {
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const result = settingsSchema.safeParse({ ...read(), ...given });
      if (!result.success) {
        const [issue] = result.error.issues;
        throw badInput(issue?.message ?? 'this value does not fit', String(issue?.path[0] ?? 'settings'));
      }
      refuseUnfit(result.data);
      refuseForeignKeys(result.data);
      const { allowedHosts, ...others } = result.data;
      isElsewhere ??= elsewhereOf(store) !== null;
      if (isElsewhere) passing = result.data;
      else if (Object.keys(given).some((key) => key !== 'allowedHosts')) {
        const { allowedHosts: _moved, ...whole } = known?.whole ?? {};
        if (unknownServers().length > 0) setAside(path);
        save(path, `${JSON.stringify({ ...whole, ...others }, null, 2)}\n`);
        permissions.trust(result.data);
      }
      // Last: a change that cannot be saved allows nothing.
      if (patch.allowedHosts !== undefined) permissions.allow(allowedHosts);
      return result.data;
    },
  };
}

export type SettingsFile = ReturnType<typeof openSettings>;
