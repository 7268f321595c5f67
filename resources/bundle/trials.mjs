// What the chain of a trial amounts to, and whether trials.jsonl says the same.
import { hashParts, hex, linesOf } from './bytes.mjs';
import { fields } from './fields.mjs';
import { need } from './zip.mjs';

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const sorted = (value) => (Array.isArray(value) ? [...value].sort() : value);
const distinct = (values) => [...new Set(values)];

/** A new attempt at a trial; `addStep` adds its events. */
export const attemptOf = (open) => ({ open, last: {}, answers: [], setups: [] });

const sources = ['call-answer', 'answer-share', 'precedent-retrieve', 'opinion-rate'];

export function addStep({ last, answers, setups }, kind, payload) {
  last[kind] = payload;
  if (kind === 'call-answer') answers.push(payload);
  const setup = sources.includes(kind) ? (payload.trained ?? payload).setup : null;
  if (setup != null) setups.push(setup);
}

/** Fields of a call that are its own, even if it reuses an answer; all else is that of the call that it names. */
const ownOfCall = ['at', 'key', 'role', 'messages', 'guard', 'reused'];
const ofAnswer = fields['call-answer']
  .replaceAll('?', '')
  .split(' ')
  .filter((name) => !ownOfCall.includes(name));

/** An answer that was taken over is that of a call that another trial of the same case and replicate made. @param calls by hash */
export function checkReused({ calls, trials, freezes }, about) {
  const placeOf = (trial) => {
    const { freeze, case: kase, replicate } = trials.get(trial)?.open ?? {};
    return [freezes.get(freeze)?.name, kase, replicate];
  };
  for (const { chain, seq, place, payload } of calls.values()) {
    if (payload.reused === undefined) continue;
    about({ trial: chain, seq, kind: 'call-answer' });
    const isForm = same(Object.keys(payload.reused ?? {}).sort(), ['hash', 'key', 'trial']);
    need(isForm, `${place}: its payload has another form`);
    const { trial, key, hash } = payload.reused;
    const made = calls.get(hash);
    const isNamed = made?.chain === trial && made.payload.key === key && made.payload.request === payload.request;
    need(
      isNamed && made.payload.reused === undefined && same(placeOf(trial), placeOf(chain)),
      `${place}: the call ${key} of trial ${trial} whose answer it took over is not on the record`,
    );
    const isSame = ofAnswer.every((name) => same(made.payload[name], payload[name]));
    need(isSame, `${place}: its answer is not that of the call whose answer it took over`);
  }
  about(null);
}

/** The columns of a trial that has begun, as far as the texts are there. @param textOf the JSON value of a text, or undefined */
function columnsOf({ open, last, answers, setups }, { freeze, head, textOf }) {
  const [ruling, imported, close] = [last['ruling-give'], last['prediction-import'], last['trial-close']];
  const [done, decided] = [close !== undefined, close?.outcome === 'decided'];
  const said = decided ? (imported ?? ruling) : undefined;
  const sum = (name) => (done ? answers.reduce((total, answer) => total + answer[name], 0) : 0);
  const made = distinct(done ? setups : []).map(textOf);
  const arm = freeze.arms.find(({ name }) => name === open.arm);
  const kase = textOf(open.case);
  return {
    experiment: freeze.name,
    arm: open.arm,
    protocol: arm?.protocol,
    protocol_version: arm?.protocolVersion,
    replicate: open.replicate,
    attempt: open.attempt,
    seed: open.seed,
    status: done ? 'done' : 'running',
    outcome: close?.outcome ?? null,
    incomplete: close?.incomplete ?? false,
    inconsistent: decided && (ruling?.inconsistent ?? false),
    prediction: said?.prediction ?? null,
    confidence: said?.confidence ?? null,
    belief: said?.belief ?? null,
    belief_source: said?.source ?? null,
    calls: done ? new Set(answers.map(({ key }) => key.replace(/\/attempt-\d+$/, ''))).size : 0,
    attempts: done ? answers.length : 0,
    reused: done ? answers.filter((answer) => answer.reused !== undefined).length : 0,
    prompt_tokens: sum('promptTokens'),
    completion_tokens: sum('completionTokens'),
    model_ms: sum('modelMs'),
    wall_ms: sum('wallMs'),
    ambiguous: last['ambiguity-find']?.ambiguous ?? null,
    head_hash: done ? head : null,
    prompts: arm?.prompts,
    decided_by: textOf(freeze.definition)?.dataset.label?.decidedBy,
    ...(kase === undefined ? {} : { case: kase.id, truth: kase.truth, groups: kase.groups, weight: kase.weight }),
    ...(made.includes(undefined)
      ? {}
      : {
          models: imported === undefined ? distinct(made.map(({ model }) => model)) : [imported.system],
          backends: distinct(made.map(({ backend }) => backend)),
          standin: made.some(({ standin }) => standin === true),
        }),
  };
}

/** The columns that are in every line, in addition to those of `columnsOf` that depend on texts. */
const others = ['trial', 'case', 'truth', 'groups', 'correct', 'models', 'backends', 'standin', 'swap', 'base_arm', 'change'];

/** What an arm is of another one: what is exchanged or changed in it, and in which. Null where its terms were left out. */
function standingOf(name, terms) {
  if (terms === undefined) return null;
  const { swap = null, change } = terms;
  return { swap, base_arm: change?.of ?? (swap === null ? null : name.slice(0, name.lastIndexOf('~'))), kind: change?.kind };
}

/** 31 bits from the experiment's seed, the case and the replicate, and the number of an arm that is another with other seeds. */
async function seedOf({ seed }, { case: kase, replicate }, { change } = {}) {
  const further = { seed: change?.number, withhold: change?.seeds }[change?.kind] ?? 0;
  const parts = [seed, kase, replicate, ...(further === 0 ? [] : [further])].map(String);
  return new DataView((await hashParts(...parts)).buffer).getUint32(0) >>> 1;
}

/** What each line of trials.jsonl says is what the chain of its trial amounts to. Takes those that have a line out of `trials`. */
export async function checkTrials(bytes, { heads, trials, freezes }, textOf, about) {
  const lines = new Map();
  for (const line of linesOf('trials.jsonl', bytes)) {
    const place = `trial ${line.trial}`;
    const id = hex(await hashParts(line.experiment, line.arm, line.case, String(line.replicate))).slice(0, 16);
    about({ trial: id, seq: null, kind: 'trials' });
    need(line.trial === id, `${place}: its experiment, arm, case and replicate do not give its id`);
    need(!lines.has(id), `${place}: it is there twice`);
    const found = trials.get(line.trial);
    const { experiment, arm, replicate, seed, status, outcome, truth, prediction } = line;
    const isQueued = status === 'queued';
    need(isQueued || found !== undefined, `${place}: its events are missing`);
    need(!isQueued || found === undefined, `${place}: it is said not to have begun, and has events`);
    const named = [...freezes.values()].findLast(({ name }) => name === experiment);
    const freeze = isQueued ? named : freezes.get(found.open.freeze);
    need(freeze?.name === experiment, `${place}: it does not belong to an experiment of the bundle`);
    // A trial that has not begun is as one that was only opened.
    const attempt = isQueued ? attemptOf({ arm, replicate, attempt: 1, seed }) : found;
    const columns = {
      ...columnsOf(attempt, { freeze, head: heads.get(line.trial), textOf }),
      ...(isQueued ? { status: 'queued' } : {}),
      // Earlier versions did not count them.
      ...(line.reused === 0 ? { reused: 0 } : {}),
    };
    const wrong = Object.keys(columns).find((name) => !same(line[name], columns[name]));
    need(wrong === undefined, `${place}: its ${wrong} is not what its chain says`);
    const strange = Object.keys(line).find((name) => !Object.hasOwn(columns, name) && !others.includes(name));
    need(strange === undefined, `${place}: ${strange} is not a column of a trial`);
    const terms = textOf(freeze.arms.find(({ name }) => name === arm)?.terms);
    const standing = standingOf(arm, terms);
    const isDeclared = standing === null || same(standing, { swap: line.swap, base_arm: line.base_arm, kind: line.change?.kind });
    need(isDeclared, `${place}: what is exchanged or changed in it is not what its arm declares`);
    if (isQueued && standing !== null)
      need(seed === (await seedOf(textOf(freeze.definition), line, terms)), `${place}: its seed is not that of its case`);
    trials.delete(line.trial);
    const isKnown = outcome === 'decided' && truth !== null && prediction !== null;
    const isCorrect = isKnown ? same(sorted(truth), sorted(prediction)) : null;
    need(line.correct === isCorrect, `${place}: it is not right or wrong as it says`);
    // What is counted later; a bundle can have many lines.
    lines.set(id, {
      experiment,
      arm,
      case: line.case,
      status,
      outcome,
      truth,
      prediction,
      // Of one that has not ended its line does not say it.
      standin: status === 'running' ? found.setups.some((ref) => textOf(ref)?.standin === true) : line.standin,
      decided_by: line.decided_by,
    });
  }
  const [left] = trials.keys();
  about({ trial: left, seq: null, kind: 'trials' });
  need(left === undefined, `trial ${left}: trials.jsonl does not list it`);
  return [...lines.values()];
}
