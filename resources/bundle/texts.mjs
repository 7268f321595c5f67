// The texts of a bundle, and what erasures took of them, against the events that name them.
import { base64url, hashParts, hex, joined, linesOf, needFields, parse, sha256, unbase64, unhex, utf8 } from './bytes.mjs';
import { need } from './zip.mjs';

/** What a text is called. */
const refForm = /^[\w-]{43}$/;

/** Chains that can always grow on. */
export const growing = /^(?:experiment|preparation|assistant|review|erasure)\//;

/** Every ref in a payload: 43 characters of base64url. `request` and `file` are hashes of what is not kept. */
export function* refsIn(payload) {
  const left = [[payload, '']];
  while (left.length > 0) {
    const [value, field] = left.pop();
    if (typeof value === 'string') {
      if (refForm.test(value) && field !== 'request' && field !== 'file') yield value;
    } else if (typeof value === 'object' && value !== null) {
      const inside = Object.entries(value).reverse();
      for (const [name, inner] of inside) left.push([inner, Array.isArray(value) ? field : name]);
    }
  }
}

/** A text as what a fault is about; its name is checked no earlier. */
const textOf = (ref) => (refForm.test(ref) ? { ref } : null);

/** What is gone is what the chain of erasures says. Gives what stays of each erased text, by its ref, or null. */
export async function checkErased(bytes, salts, { erasures, freezes }, about) {
  const manifests = new Set([...freezes.values()].map(({ dataset }) => dataset.manifest));
  const erased = new Map();
  const parts = erasures.map(() => ['assize/erased/1']);
  for (const line of linesOf('erased.jsonl', bytes)) {
    needFields(line, ['ref', 'erasure', 'stays'], 'erased.jsonl');
    about(textOf(line.ref));
    need(
      Number.isInteger(line.erasure) && line.erasure in parts && !erased.has(line.ref),
      `text ${line.ref}: its erasure is not on the record`,
    );
    parts[line.erasure].push(line.ref, line.stays === null ? '' : `=${line.stays}`);
    erased.set(line.ref, line.stays);
  }
  about(null);
  const hasSalt = Object.entries(salts).some(([id, salt]) => id !== '0' && salt !== '');
  for (const [number, { dataset, scope, experiment, case: kase, salt, texts, erased: hash }] of erasures.entries()) {
    need(
      ['data-set', 'experiment', 'case'].includes(scope) &&
        (scope === 'experiment' ? typeof experiment === 'string' : experiment === null) &&
        (scope === 'case' ? typeof kase === 'string' : kase === null),
      `erasure ${number}: it names something else than its scope`,
    );
    // What stays of other data sets is not in the bundle.
    if (parts[number].length === 1 && !manifests.has(dataset)) continue;
    const said = parts[number].length === 2 * texts + 1 && hex(await hashParts(...parts[number])) === hash;
    need(said, `erasure ${number}: the erased texts are not those that it names`);
    need(scope !== 'data-set' || salt === true, `erasure ${number}: it is of a whole data set and leaves its salt`);
    need(scope !== 'case' || erased.has(kase), `erasure ${number}: the text of its case is not among the erased ones`);
    need(!salt || !hasSalt || !manifests.has(dataset), `erasure ${number}: the salt of its data set is still there`);
  }
  return erased;
}

/** Every text has its name; in a full bundle every named text is there. Gives cases and setups, and how many texts were left out. */
export async function checkTexts(manifest, salts, bytes, erased, { refs, trials, freezes, reviews }, about) {
  const manifests = new Set([...freezes.values()].map(({ dataset }) => dataset.manifest));
  const wanted = new Set([...trials.values()].flatMap(({ open, setups }) => [open.case, ...setups]));
  for (const { definition, arms } of freezes.values()) {
    wanted.add(definition);
    for (const { terms } of arms) wanted.add(terms);
  }
  const quoted = new Set(reviews.flatMap(({ kind, payload }) => (kind === 'comment-give' ? [payload.text] : [])));
  const [there, read, listed] = [new Set(), new Map(), []];
  let texts = 0;
  for (const line of linesOf('texts.jsonl', bytes)) {
    const { ref, dataset, text, base64 } = line;
    about(textOf(ref));
    needFields(line, ['ref', 'dataset', base64 === undefined ? 'text' : 'base64'], `text ${ref}`);
    need(!there.has(ref), `text ${ref}: it is there twice`);
    need(Object.hasOwn(salts, dataset), `text ${ref}: its data set ${dataset} is missing`);
    const content = base64 === undefined ? utf8.encode(text) : unbase64(base64);
    need(
      base64url(await sha256(joined(unhex(salts[dataset]), content))) === ref,
      `text ${ref}: its content does not have its name`,
      text === undefined || !refForm.test(ref) ? null : { ref, now: text },
    );
    there.add(ref).add(ref.slice(0, 12));
    texts += 1;
    if (wanted.has(ref)) read.set(ref, parse(text, `text ${ref}`));
    else if (quoted.has(ref)) read.set(ref, text);
    if (manifests.has(ref)) listed.push(...parse(text, `list of cases ${ref}`).cases.map(([kase]) => kase));
  }
  about(null);
  const gone = new Set();
  for (const [ref] of erased) if (!there.has(ref)) gone.add(ref);
  for (const ref of [...gone]) if (!there.has(ref.slice(0, 12))) gone.add(ref.slice(0, 12));
  for (const [ref, stays] of erased) {
    about(textOf(ref));
    there.add(ref).add(ref.slice(0, 12));
    if (wanted.has(ref) && stays !== null && !read.has(ref)) read.set(ref, parse(stays, `what stays of text ${ref}`));
  }
  for (const kase of listed) if (!refs.has(kase)) refs.set(kase, 'a list of cases');
  const missing = [...refs].filter(([ref]) => !there.has(ref));
  const [ref, by] = missing[0] ?? [];
  about(null);
  need(manifest.redacted || ref === undefined, `text ${ref}: ${by} names it and it is missing`, { ref, isGone: true });
  return { texts, leftOut: missing.length, read, gone };
}

/** What an experiment decides beforehand is in its first freeze, and no extension may change it. */
export function checkDecided(freezes, read) {
  const decided = new Map();
  for (const { name, definition } of freezes.values()) {
    const { primary, stop } = read.get(definition) ?? need(false, `experiment ${name}: its definition is missing`);
    const said = JSON.stringify([primary, stop]);
    need((decided.get(name) ?? said) === said, `experiment ${name}: what was decided beforehand was changed later`);
    decided.set(name, said);
  }
}

/** A trial lost texts only where an erasure is about its data set, its experiment, its case, or one that it had before it. */
export function checkScopes(bytes, gone, { erasures, freezes }) {
  const trials = new Map();
  for (const { trial, kind, payload: text } of linesOf('events.jsonl', bytes)) {
    if (growing.test(trial)) continue;
    const payload = JSON.parse(text);
    const found = trials.get(trial) ?? { freeze: freezes.get(payload.freeze), cases: new Set(), lost: null };
    trials.set(trial, found);
    if (kind === 'trial-open') {
      found.cases.add(payload.case);
      const arms = [...freezes.values()].filter(({ name }) => name === found.freeze?.name).flatMap((each) => each.arms);
      for (const { name, examples } of arms)
        if (name === payload.arm) for (const kase of [...examples.chosen, ...examples.reserves]) found.cases.add(kase);
    }
    for (const precedent of payload.precedents ?? []) found.cases.add(precedent.case);
    const parts = (payload.messages ?? []).flatMap(([, names]) => names);
    if ([...refsIn(payload), ...parts].some((ref) => gone.has(ref))) found.lost = kind;
  }
  for (const [trial, { freeze, cases, lost }] of trials) {
    const isAbout = (each) => each.salt || each.experiment === freeze?.name || cases.has(each.case);
    const isCovered = erasures.some((each) => each.dataset === freeze?.dataset.manifest && isAbout(each));
    need(lost === null || isCovered, `${trial}, ${lost}: a text of it is gone, and no erasure is about its trial`);
  }
}
