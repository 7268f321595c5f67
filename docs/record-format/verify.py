"""Checks an Assize store without Assize: a second verifier, written from docs/record-format.md.

    python3 verify.py STORE [--json]

Reads the SQLite file read-only and recomputes from the stored bytes: every chain of events, the name of
every text, and the root hash over all chains. In the derived tables it compares what results depend on:
the trial of a row, its status, outcome, prediction, confidence and head. `assize verify` compares the rest.
It checks the log: its leaves against the chains, and its checkpoints against the leaves. It checks their signatures
only where the package `cryptography` is installed, and says so where it is not.
It compares what a trial takes from its experiment's preparation with the preparation chain and with the data set,
and an answer that it took over with the call of the other trial.
Exit code 0: intact; 1: tampered, and the first bad record is named; 2: nothing to check. Needs Python 3.9, SQLite 3.37.
"""
import argparse, base64, contextlib, hashlib, json, os, pathlib, re, shutil, sqlite3, sys, tempfile, unicodedata, zlib

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError: InvalidSignature, Ed25519PublicKey = ValueError, None

APPLICATION_ID, NEWEST_FORMAT, NO_TRIALS = 0x41535A45, 5, ("experiment/", "preparation/", "assistant/", "review/", "erasure/")
SCHEMAS = {1: "9b4a2f0ab03dcfd9220449d48d4d4596469f60608e0a633a9d8f4d92eb5dbd5c",
           2: "3c1ed9c05e1c1c0da1ff9204f7264e056b418c282b5b651d3be406c490d182fa",
           3: "43fd5cb82ec887b8e867681dc59896c83bec88a4cdec5c95b103a78e885bfd8d",
           4: "0a81ccb0f3c12752ec139c788e3eac6d006c185a24d16701cd4a93194a8d0473",
           5: "7b38fa9e09a2ac2b570daf9251fc57c6c686a4ca5ba0c8c8f5eeb9668e19ed87"}  # format -> hash of its tables and indexes, see "The schema" in docs/record-format.md
MOST_UNPACKED = 100  # texts that unpack to more than this many times the file were made to fill a memory
MOST_IN_TEXT = 2**28  # bytes
MOST_MARKS = 2**22  # brackets and commas in a text that is read as JSON
FIELDS = {  # kind of event -> its fields: * names one text or a list of them, ? may be absent
    "experiment-freeze": "v at name assize *definition dataset reader? guard? arms",
    "experiment-extend": "v at name assize *definition dataset reader? guard? arms",
    "trial-open": "v at arm *case replicate attempt seed protocol protocolVersion freeze",
    "call-answer": "v at key role request *setup seed messages guard? *answer *logprobs? *thinking? done failure? reader? method? rejected? flags? promptTokens cachedTokens? completionTokens modelMs loadMs promptMs? completionMs? wallMs reused?",
    "answer-share": "v key role request call *setup *answer done failure? reader method? rejected?",
    "embedding-make": "v at key request *setup *cases *vectors dimensions failure? promptTokens modelMs wallMs",
    "precedent-retrieve": "v key request method *setup precedents withoutVector? failure?",
    "side-assign": "v key prediction alternative alternativeFrom drawn sides order",
    "ambiguity-find": "v key role labels ambiguous",
    "argument-evaluate": "v key role subject score *evaluation",
    "position-assign": "v key from positions",
    "opinion-rate": "v key role of value trained?",
    "round-settle": "v key round assistant ratings mean passing? threshold result kept weight tie judge *notes",
    "statement-embed": "v at key request *setup statements *vectors dimensions failure? promptTokens modelMs wallMs",
    "assistant-train": "v at key version experiment assize embedder standin seed *statements *weights dimensions fit training holdout",
    "exchange-measure": "v key round contentiousness sides weights mixture mixtureEntropy normalisedEntropy informationGain wd wdOrder jsd mi nmi kl crossEntropy crit change stop",
    "recommendation-make": "v key role contentiousness recommendations",
    "subtopics-settle": "v key settledBy *subtopics proposals balanced *balance",
    "debate-stop": "v key rounds contentiousness? reason conceded?",
    "proposal-make": "v key role stage *proposal",
    "panel-score": "v key role order scores winner declared *opinion",
    "answer-give": "v key role *answer from?",
    "answer-compare": "v key role order? words? scores better *justification",
    "moderation-ask": "v key kind *subtopics",
    "moderation-give": "v key at *moderation",
    "utterance-make": "v key role turn *text *plan subtopic? shortened? position? concedes? *outside?",
    "belief-update": "v key role prediction confidence belief source inconsistent grounds? moment after *notes",
    "turn-forfeit": "v key role failure",
    "step-take": "v key role step *said",
    "measure-take": "v key name value",
    "ruling-give": "v key role prediction confidence belief source inconsistent grounds? *opinion",
    "prediction-import": "v system file line *mapping *value *stated prediction confidence *probabilities? belief? source? *opinions? course?",
    "trial-close": "v at outcome incomplete",
    "text-erase": "v at dataset scope experiment case salt texts erased",
    "review-give": "v at trial head *reviewer judgement label *reason blind seconds replaces",
    "comment-give": "v at trial head *reviewer utterance *text start end *comment replaces",
    "review-adjudicate": "v at trial head *reviewer label *reason settles replaces",
    "record-sign": "v at *reviewer *reason heads replaces"}
REVIEWS = ("review-give", "comment-give", "review-adjudicate", "record-sign")  # the events of a chain of reviews, and of no other
KEPT = ("trial-open", "ruling-give", "prediction-import", "ambiguity-find", "trial-close", "experiment-freeze", "experiment-extend")
BROKEN = (InvalidSignature, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, ZeroDivisionError)

class Unreadable(Exception): pass
class Tampered(Exception): pass
def need(holds, problem, trial=None, seq=None, kind="text", **more):
    if not holds:
        raise Tampered({"trial": trial, "seq": seq, "kind": kind, "problem": problem, **more})
@contextlib.contextmanager
def reading(problem, *at):
    """What cannot be read is tampered, and no fault of this program."""
    try: yield
    except BROKEN as error: need(False, f"{problem}: {'it is nested deeper than a record has it' if isinstance(error, RecursionError) else repr(error)}", *at)
def pairs(found):
    if len(found) != len({name for name, _value in found}): raise ValueError("a key is there twice")
    return dict(found)
STRING, NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"'), re.compile(rb"-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?(?:e[+-][1-9]\d*)?")
ESCAPE = re.compile(rb'\\(?!["\\bfnrt]|u00[01][0-9a-f]|ud[89a-f][0-9a-f]{2})')
def load(payload):
    """Reads JSON that is written in the one way that the format has."""
    outside = STRING.sub(b"", payload)
    if re.search(rb"\s", outside) or any(map(ESCAPE.search, STRING.findall(payload))): raise ValueError("it is written in another way")
    if not all(map(NUMBER.fullmatch, re.findall(rb"[-+.\de]*\d[-+.\de]*", outside))): raise ValueError("a number is written in another way")
    return json.loads(payload, object_pairs_hook=pairs, parse_constant=lambda name: 1 / 0)
def sha256(*pieces): return hashlib.sha256(b"".join(pieces)).digest()
def hash_parts(*parts): return sha256(*map(sized, parts))
def ref_of(key): return base64.urlsafe_b64encode(key).decode().rstrip("=")
def sized(text):  # the exact stored bytes again, see text_factory
    return len(data := text.encode("utf-8", "surrogateescape")).to_bytes(4, "big") + data
def connect(file, stack):
    db = sqlite3.connect(file.resolve().as_uri() + "?mode=ro", uri=True, isolation_level=None)
    stack.enter_context(contextlib.closing(db))
    db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    db.execute("BEGIN").execute("SELECT count(*) FROM sqlite_master").fetchone()  # from here on one moment is seen
    return db

def remove_empty_log(path):
    """SQLite makes one where it only reads; the last that could write removes it when it closes."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()

def open_store(path, stack):
    """Opens the store, or a temporary copy of it where SQLite cannot read it in place (read-only media)."""
    log = pathlib.Path(f"{path}-wal")
    with open(path, "rb") as file:
        if file.read(4) == b"PK\x03\x04": raise Unreadable(f"{A_BUNDLE}: open verify.html in it, or run node verify.mjs, which is next to that page. Who made the bundle chose both; the source of Assize has its own: node resources/bundle/verify.mjs FILE.zip")
    logged = log.is_file() and log.stat().st_size > 0  # asked before SQLite makes an empty one
    if not log.exists(): stack.callback(remove_empty_log, path)
    try:
        db = connect(path, stack)
    except sqlite3.OperationalError:
        copy = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())) / "store"
        for suffix in ("", "-wal"):
            if pathlib.Path(f"{path}{suffix}").is_file(): shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        db = connect(copy, stack)
    application, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if application != APPLICATION_ID or not 1 <= version <= NEWEST_FORMAT:
        raise Unreadable(f"no Assize record of format 1 to {NEWEST_FORMAT}; a copied store needs its -wal file next to it")
    if not logged and db.execute("PRAGMA journal_mode").fetchone() == ("wal",) and db.execute(
            "SELECT open = 1 AND inode <> ? FROM state", [str(path.stat().st_ino)]).fetchone() == (1,):
        raise Unreadable("this copy was made while the store was in use, and its -wal file with the newest events is not next to it.\n"
            "Ask its owner for a new copy: made when the program is closed, or with VACUUM INTO. docs/record-format.md, "
            "\u201cCopying a store\u201d, says how to look inside meanwhile")
    return db

def check_schema(db):
    """Only plain tables and indexes as the program makes them: nothing else may run or hide a row."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    rows = db.execute("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master ORDER BY type, name").fetchall()
    need(hash_parts("assize/schema/1", *(part for row in rows for part in row)).hex() == SCHEMAS[version],
         f"its tables and indexes are not those of format {version}", kind="schema")

def refs_of(kind, payload):
    """The texts that an event names. `request` and `dataset.file` are hashes of what is not kept as one text."""
    named = [payload.get(field.strip("*?")) for field in FIELDS[kind].split() if field[0] == "*"]
    refs = [ref for each in named for ref in (each if isinstance(each, list) else [each])]
    if kind.startswith("experiment-"):
        refs.append(payload["dataset"]["manifest"])
        for arm in payload["arms"]:
            refs += [arm["terms"], *arm["templates"].values(), *arm["examples"]["chosen"], *arm["examples"]["reserves"]]
    if kind == "statement-embed": refs += [ref for pair in payload["statements"] for ref in pair]
    rated = payload.get("trained") or {}  # of opinion-rate
    refs += [rated.get("setup"), rated.get("vector"), rated.get("failure", {}).get("message")]
    if kind == "subtopics-settle": refs += payload["proposals"].values()
    refs += [precedent["case"] for precedent in payload.get("precedents", [])]
    refs += [one[field] for one in payload.get("recommendations", []) for field in ("text", "reason")]
    refs.append(payload["failure"].get("message") if isinstance(payload.get("failure"), dict) else None)
    parts = [name for _role, names in payload.get("messages", []) for name in names]  # first 12 characters of a ref
    return [ref for ref in refs + parts if ref is not None]

def add_up(step, kind, body):
    """Adds an event to what the last attempt of its trial amounts to."""
    if kind != "call-answer" or "sums" not in step: step[kind] = body if kind in KEPT else None
    if "sums" not in step: return
    setup = (body.get("trained") or body).get("setup") if kind in ("call-answer", "answer-share", "precedent-retrieve", "opinion-rate") else None
    if setup is not None: step["setups"][setup] = None
    if kind != "call-answer": return
    step["calls"].add(re.sub(r"/attempt-[0-9]+$", "", body["key"]))
    added = [1, body["promptTokens"], body["completionTokens"], body["modelMs"], body["wallMs"]]
    step["sums"] = [total + value for total, value in zip(step["sums"], added)]

def check_chains(db):
    """Returns heads (chain -> hash), steps (trial -> kind -> payload in its last attempt), refs, freezes, links, ends, erasures, reviews, events.

    links: chain -> its events that name, or are, something made once for an experiment, each with seq, kind and hash.
    ends: (chain, hash) of what can be in the log, with whether it has to be.
    """
    heads, steps, refs, freezes, links, ends, erasures, reviews, events = {}, {}, {}, {}, {}, {}, [], [], 0
    for trial, seq, kind, payload, previous, digest in db.execute(  # NOT INDEXED: an index holds copies of trial and seq
            "SELECT trial, seq, kind, CAST(payload AS BLOB), prev_hash, hash FROM events NOT INDEXED ORDER BY trial, seq"):
        at = (trial, seq, kind)
        if trial not in heads: next_seq, link, before = 0, hash_parts("assize/chain/1", trial), None
        need(seq == next_seq, f"event {next_seq} of this chain is missing", *at)
        need(previous == link, "it does not link to the event before it", *at)
        link = sha256(previous, seq.to_bytes(8, "big"), sized(kind), payload)
        need(digest == link, "its content does not have its hash", *at)
        need(before != "trial-close" or kind == "trial-open", "it follows the end of its trial", *at)
        with reading("its payload cannot be read", *at):
            body, fields = load(payload), {field.lstrip("*") for field in FIELDS[kind].split()}
            strange = set(body).symmetric_difference(field for field in fields if field[-1] != "?") - {field.rstrip("?") for field in fields if field[-1] == "?"}
            if strange: raise ValueError(f"{sorted(strange)[0]} is missing or unknown")
            for ref in refs_of(kind, body):
                if not isinstance(ref, str): raise ValueError("the name of a text is not a text")
                refs.setdefault(ref, f"event {seq} of {trial}")
            need(body["v"] == 1 or (body["v"] == 2 and kind == "comment-give"), "its payload has an unknown version", *at)
        need((kind == "text-erase") == (trial == "erasure/texts"), "such an event has no place in this chain", *at)
        need((kind in REVIEWS) == trial.startswith("review/"), "such an event has no place in this chain", *at)
        if kind in REVIEWS: reviews.append((trial, seq, kind, body))
        if kind == "text-erase":
            form = [isinstance(body[field], str) for field in ("at", "dataset", "erased")] + [type(body["salt"]) is bool, type(body["texts"]) is int]
            form += [body["scope"] in ("data-set", "experiment", "case"), *(body[field] is None or isinstance(body[field], str) for field in ("experiment", "case"))]
            need(all(form), "its payload has another form", *at)
            erasures.append(body)
        if kind.startswith("experiment-"): freezes[digest.hex()] = (trial.partition("/")[2], body["dataset"]["manifest"])
        if kind == "trial-close" or trial.startswith(NO_TRIALS): ends[trial, digest] = kind == "trial-close"
        if "reused" in body:
            form = isinstance(body["reused"], dict) and sorted(body["reused"]) == ["hash", "key", "trial"]
            need(form and all(map(is_text, body["reused"].values())), "its payload has another form", *at)
        if trial.startswith("preparation/") or kind in ("trial-open", "answer-share", "precedent-retrieve") or "reused" in body:
            links.setdefault(trial, []).append((seq, kind, body, digest.hex()))
        with reading("it cannot be added up", *at):
            if kind == "trial-open": steps[trial] = {"calls": set(), "sums": [0] * 5, "setups": {}}
            add_up(steps.setdefault(trial, {}), kind, body)
        heads[trial], next_seq, before, events = digest.hex(), seq + 1, kind, events + 1
    return heads, steps, refs, freezes, links, ends, erasures, reviews, events

def is_place(value): return type(value) is int and 0 <= value < 2**53
def is_text(value): return type(value) is str
def is_ref(value): return is_text(value) and len(value) == 43
def is_hash(value): return is_text(value) and re.fullmatch("[0-9a-f]{64}", value) is not None
def or_null(is_one): return lambda value: value is None or is_one(value)
def list_of(is_one): return lambda value: type(value) is list and all(map(is_one, value))
SAID = {"at": is_text, "reviewer": is_ref, "replaces": or_null(is_place)}
ABOUT = {**SAID, "trial": is_text, "head": is_hash}
FORMS = {  # what the fields of each kind are
    "review-give": {**ABOUT, "judgement": lambda value: value in ("label", "unsure", "flag", "withdrawn"), "label": or_null(is_text), "reason": or_null(is_ref),
                    "blind": lambda value: type(value) is bool, "seconds": lambda value: type(value) in (int, float) and value >= 0},
    "comment-give": {**ABOUT, "utterance": is_place, "text": is_ref, "start": is_place, "end": is_place, "comment": or_null(is_ref)},
    "review-adjudicate": {**ABOUT, "label": or_null(is_text), "reason": or_null(is_ref), "settles": list_of(is_place)},
    "record-sign": {**SAID, "reason": is_ref, "heads": or_null(list_of(is_hash))}}

def settling_problem(body, chain, standing):
    """What is wrong with what an adjudication settles, or None; one that takes one back settles nothing."""
    unsound = "it does not settle what other reviewers of the trial differ on"
    if body["label"] is None: return unsound if body["settles"] else None
    there = [(seq, kind, said) for (of, seq), (kind, said) in standing.items() if of == chain and said.get("head") == body["head"]]
    first = {}  # of what one person answered twice the first counts
    for seq, kind, said in there:
        if kind == "review-give" and said["label"] is not None: first.setdefault(said["reviewer"], (seq, said["label"]))
    differ = len({label for _seq, label in first.values()}) > 1 and sorted(body["settles"]) == sorted(seq for seq, _label in first.values())
    if body["reason"] is None or body["reviewer"] in first or not differ: return unsound
    settled = any(kind == "review-adjudicate" and seq != body["replaces"] and all((chain, each) in standing for each in said["settles"]) for seq, kind, said in there)
    return "another adjudication settles it already" if settled else None

def check_reviews(db, reviews, ends, links, freezes, texts, labels):
    """What people judged, commented, settled and signed is about trials of the experiment that had ended, and takes the place of none but the same person's own."""
    standing, spoken, uttered = {}, {}, {}
    if any(kind == "comment-give" for _chain, _seq, kind, _body in reviews):
        for trial, seq, kind, payload, digest in db.execute(
                "SELECT trial, seq, kind, CAST(payload AS BLOB), hash FROM events NOT INDEXED WHERE kind IN ('trial-open', 'utterance-make', 'ruling-give', 'trial-close') ORDER BY trial, seq"):
            if kind == "trial-open": uttered = {}
            elif kind == "utterance-make": uttered[seq] = (1, load(payload)["text"])
            elif kind == "ruling-give": uttered[seq] = (2, load(payload)["opinion"])
            else: spoken[trial, digest.hex()] = uttered
    opened = {trial: freezes[body["freeze"]][0] for trial, found in links.items() for _seq, kind, body, _digest in found if kind == "trial-open" and body["freeze"] in freezes}
    owners = {digest.hex(): (opened.get(chain) if closed else chain.partition("/")[2] if chain.startswith("experiment/") else None, chain) for (chain, digest), closed in ends.items()}
    for chain, seq, kind, body in reviews:
        at, name, trial, replaces = (chain, seq, kind), chain.partition("/")[2], body.get("trial"), body["replaces"]
        with reading("its payload cannot be read", *at):
            need(all(is_right(body[field]) for field, is_right in FORMS[kind].items()), "its payload has another form", *at)
            if kind != "record-sign":
                need(ends.get((trial, bytes.fromhex(body["head"])), False) and opened.get(trial) == name, "no trial of this experiment ended with the hash that it names", *at)
            if kind in ("review-give", "review-adjudicate"):
                need(body["label"] is None or body["label"] in (labels.get(name) or []), "the experiment does not have its label", *at)
            if kind == "review-give":
                need((body["judgement"] == "label") == (body["label"] is not None), "its judgement and its label do not fit", *at)
            elif kind == "comment-give":
                need(spoken.get((trial, body["head"]), {}).get(body["utterance"]) == (body["v"], body["text"]), "its trial has no such utterance", *at)
                text = texts.get(body["text"])
                need(body["start"] < body["end"] and (text is None or body["end"] <= len(text.decode("utf-8", "surrogatepass"))), "its utterance has no such range", *at)
            elif kind == "review-adjudicate":
                problem = settling_problem(body, chain, standing)
                need(problem is None, problem, *at)
            elif body["heads"] is not None:
                found = [owners.get(each, (None, None)) for each in body["heads"]]
                sound = len(found) > 1 and all(each[0] == name for each in found) and len(set(found)) == len(found) and (name, chain.replace("review/", "experiment/", 1)) in found
                need(sound and sorted(body["heads"]) == body["heads"], "it signs what is not on the record of this experiment", *at)
            gone = body["judgement"] == "withdrawn" if kind == "review-give" else body[{"comment-give": "comment", "record-sign": "heads"}.get(kind, "label")] is None
            need(replaces is not None or not gone, "it takes something back but names nothing", *at)
            before = standing.pop((chain, replaces), None) if replaces is not None else None
            own = before is not None and before[0] == kind and (before[1].get("trial"), before[1]["reviewer"]) == (trial, body["reviewer"])
            need(replaces is None or own, "it replaces what does not exist, or is not of the same person and trial", *at)
        if not gone: standing[chain, seq] = (kind, body)

def texts_of(links, freezes, steps, reviews):
    """Refs of the texts that links, rows and comments are checked with: setups, cases, lists of cases, utterances."""
    wanted = {manifest for _name, manifest in freezes.values()}
    wanted.update(body["text"] for _chain, _seq, kind, body in reviews if kind == "comment-give")
    for step in steps.values(): wanted.update([*step.get("setups", []), (step.get("trial-open") or {}).get("case")])
    for _seq, kind, body, _hash in (event for chain in links.values() for event in chain):
        if kind in ("embedding-make", "precedent-retrieve"): wanted.add(body.get("setup"))
        if kind == "precedent-retrieve": wanted.update(precedent["case"] for precedent in body["precedents"])
    return wanted

def unpack(encoding, data, room):
    if encoding == 0: return data
    if encoding != 1: raise zlib.error("unknown encoding")
    stream = zlib.decompressobj()
    room = min(room, MOST_IN_TEXT)
    text = stream.decompress(data, room + 1)
    if len(text) > room or not stream.eof: raise zlib.error("too long or cut")
    return text

def lines_in(value, path=""):
    """What a value of JSON holds, a line each, in the words of resources/bundle/uses.mjs."""
    if isinstance(value, list): return [line for each in value for line in lines_in(each, path)]
    if not isinstance(value, dict): return [path + (value if isinstance(value, str) else json.dumps(value))]
    parts = [(value["name"], value["value"])] if list(value) == ["name", "value"] else value.items()
    return [line for name, inner in parts for line in lines_in(inner, f"{path}{name}: ")]

def readable(said):
    """A text in words: of JSON what it holds, where that hides nothing of how it is written."""
    try:
        value = json.loads(said) if said.startswith("{") else None
        return "\n".join(lines_in(value)) if value and json.dumps(value, ensure_ascii=False, separators=(",", ":")) == said else said
    except (ValueError, RecursionError):
        return said

def passage_of(text):
    """A changed text as it is now, and how many characters follow of one that is too long to show, as JavaScript counts them; nothing where it is not UTF-8."""
    try: text.decode()
    except UnicodeDecodeError: return {}
    said = readable(text[:1_000_000].decode("utf-8", "replace"))
    shown = said[:1_000_000]
    return {"passage": {"text": shown, "more": len(said[len(shown):].encode("utf-16-le")) // 2}}

def lines_of_passage(text, more):
    """A passage in lines, each marked as one of it, in the words of resources/bundle/uses.mjs."""
    shown = text + (f" … ({more} more character{'' if more == 1 else 's'})" if more > 0 else "")
    shown = "".join(f"[U+{ord(one):04X}]" if one != "\n" and unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") else one for one in shown)
    return [f"| {piece}" for line in shown.split("\n") for piece in (re.findall(".{1,72}(?: |$)|.{1,72}", line) or [""])]

def check_texts(db, refs, wanted, room, erased):
    """Returns how many texts there are, and those that are wanted, by ref. `room`: bytes that all may unpack to."""
    salts, there, names, kept = dict(db.execute("SELECT id, salt FROM datasets")), set(), set(), {}
    for key, dataset, encoding, data in db.execute("SELECT ref, dataset, encoding, bytes FROM blobs NOT INDEXED ORDER BY rowid"):
        need(ref_of(key) not in there, f"text {ref_of(key)}: it is there twice")
        there.add(ref_of(key)); names.add(ref_of(key)[:12])
        need(dataset in salts, f"text {ref_of(key)}: its data set {dataset} is missing")
        try:
            text = unpack(encoding, data, room)
        except zlib.error:
            need(False, f"text {ref_of(key)}: it cannot be unpacked")
        room -= len(text)
        if sha256(salts[dataset], text) != key: need(False, f"text {ref_of(key)}: its content does not have its hash", **passage_of(text))
        if ref_of(key) not in wanted: continue
        need(sum(map(text.count, (b",", b"[", b"{"))) <= MOST_MARKS and len(text) + sum(map(len, kept.values())) <= MOST_IN_TEXT,
             f"text {ref_of(key)}: it is larger than a record has it")
        kept[ref_of(key)] = text
    for ref, stays in erased.items():
        there.add(ref); names.add(ref[:12])
        if ref in wanted and stays is not None: kept.setdefault(ref, stays.encode("utf-8", "surrogateescape"))
    for ref, place in refs.items():
        need(ref in (names if len(ref) == 12 else there), f"text {ref}: {place} names it and it is missing")
    return len(there - erased.keys()), kept

def check_erasures(db, erasures):
    """Holds what is gone against the chain of erasures. Returns ref -> what stays of the text, or None. `erasures`: payloads in order."""
    if db.execute("PRAGMA user_version").fetchone()[0] < 5: return {}
    found, at = {}, ("erasure/texts", None, "text-erase")
    for key, number, stays in db.execute("SELECT ref, erasure, stays FROM erased NOT INDEXED ORDER BY +ref"):
        need(isinstance(number, int) and 0 <= number < len(erasures), "a text is said to be gone by an erasure that is not on the record", *at)
        found[ref_of(key)] = (number, stays)
    salts = {ref_of(manifest): salt for salt, manifest in db.execute("SELECT salt, manifest FROM datasets WHERE manifest IS NOT NULL")}
    for number, said in enumerate(erasures):
        named = [scope for scope in ("experiment", "case") if said[scope] is not None]
        need(named == [scope for scope in ("experiment", "case") if scope == said["scope"]], "it names something else than its scope", at[0], number, at[2])
        rows = [(ref, "" if stays is None else "=" + stays) for ref, (erasure, stays) in found.items() if erasure == number]
        if not rows and said["dataset"] not in salts: continue  # a bundle has one data set alone
        hashed = hash_parts("assize/erased/1", *(part for row in rows for part in row)).hex()
        need(said["scope"] != "data-set" or said["salt"] is True, "it is of a whole data set and leaves its salt", at[0], number, at[2])
        need(said["scope"] != "case" or said["case"] in found, "the text of its case is not among the erased ones", at[0], number, at[2])
        need(len(rows) == said["texts"] and hashed == said["erased"], "the erased texts are not those that it names", at[0], number, at[2])
        need(not said["salt"] or salts.get(said["dataset"], b"") == b"", "the salt of its data set is still there", at[0], number, at[2])
    return {ref: stays for ref, (_number, stays) in found.items()}

def check_scopes(db, erased, erasures):
    """A trial lost texts only where an erasure is about its data set, its experiment, its case, or one that it had before it."""
    if not erasures: return
    there = {ref_of(key) for (key,) in db.execute("SELECT ref FROM blobs NOT INDEXED")}
    parts, gone = {ref[:12] for ref in there}, erased.keys() - there
    gone = gone | {ref[:12] for ref in gone} - parts
    freezes, examples, trials = {}, {}, {}
    for trial, seq, kind, payload, digest in db.execute("SELECT trial, seq, kind, CAST(payload AS BLOB), hash FROM events NOT INDEXED ORDER BY trial, seq"):
        body = load(payload)
        if kind.startswith("experiment-"):
            freezes[digest.hex()] = (body["name"], body["dataset"]["manifest"])
            for arm in body["arms"]: examples.setdefault((body["name"], arm["name"]), set()).update([*arm["examples"]["chosen"], *arm["examples"]["reserves"]])
        if trial.startswith(NO_TRIALS): continue
        of = trials.setdefault(trial, {"opens": [], "cases": set(), "lost": None})
        if kind == "trial-open": of["opens"].append((body["freeze"], body["arm"])); of["cases"].add(body["case"])
        if kind == "precedent-retrieve": of["cases"].update(each["case"] for each in body["precedents"])
        if of["lost"] is None and not gone.isdisjoint(refs_of(kind, body)): of["lost"] = (seq, kind)
    for trial, of in trials.items():
        if of["lost"] is None or not of["opens"] or of["opens"][0][0] not in freezes: continue
        name, manifest = freezes[of["opens"][0][0]]
        cases = of["cases"].union(*(examples.get((name, arm), ()) for _freeze, arm in of["opens"]))
        need(any(said["dataset"] == manifest and (said["salt"] or said["experiment"] == name or said["case"] in cases) for said in erasures),
             "a text of it is gone, and no erasure is about its trial", trial, *of["lost"])

class Prepared:
    """What a preparation chain holds: calls by hash, their keys, and attempts at the vector of a case."""
    def __init__(self, events):
        self.calls = {digest: body for _seq, kind, body, digest in events if kind == "call-answer"}
        self.keys, self.made = {body["key"] for body in self.calls.values()}, {}
        for _seq, kind, body, _hash in events:
            for case in body["cases"] if kind == "embedding-make" else []: self.made.setdefault(case, []).append(body)

def space_of(texts, setup):
    found = json.loads(texts[setup])
    return found["backend"], found["model"], found.get("digest"), "probe" in found

def failure_of(said): return (said["failure"]["kind"], said["failure"]["message"]) if said.get("failure") else None

def share_problem(prepared, share):
    call, place = prepared.calls.get(share["call"]["hash"]), share["call"]["key"]
    if call is None or call["key"] != place: return "the call that it names is not in the preparation chain of its experiment"
    found = re.fullmatch(r"(once/([\w-]{12})(?:/again-[1-9]\d*)?/attempt-)([1-9]\d*)", place, re.ASCII)
    if found is None or found[2] != share["request"][:12]: return "the call that it names answers another question"
    if f"{found[1]}{int(found[3]) + 1}" in prepared.keys: return "the call that it names was followed by another attempt"
    same = all(call.get(field) == share.get(field) for field in ("answer", "setup", "done", "rejected", "method"))
    return None if same and failure_of(call) == failure_of(share) else "its answer is not that of the call that it names"

def place_of(start, freezes): return freezes.get(start.get("freeze"), (None,))[0], start.get("case"), start.get("replicate")

def calls_named(db, links, freezes):
    """Calls whose answers other trials took over: (trial, hash) -> the place of the trial and the payload."""
    named, calls, start = {body["reused"]["hash"] for chain in links.values() for _seq, _kind, body, _hash in chain if "reused" in body}, {}, {}
    for trial, kind, payload, digest in db.execute(
            "SELECT trial, kind, CAST(payload AS BLOB), hash FROM events NOT INDEXED WHERE kind IN ('trial-open', 'call-answer') ORDER BY trial, seq") if named else ():
        if kind == "trial-open": start = load(payload)
        elif digest.hex() in named: calls[trial, digest.hex()] = (place_of(start, freezes), load(payload))
    return calls

OWN = ("at", "key", "role", "messages", "guard", "reused")  # what stays a call's own where it took over an answer
def reuse_problem(calls, place, call):
    trial, key, digest = (call["reused"][field] for field in ("trial", "key", "hash"))
    of, made = calls.get((trial, digest), (None, {}))
    if of != place or (made["key"], made["request"]) != (key, call["request"]) or "reused" in made: return f"the call {key} of trial {trial} whose answer it took over is not on the record"
    said = [json.dumps({field: value for field, value in each.items() if field not in OWN}, sort_keys=True) for each in (made, call)]
    return None if said[0] == said[1] else "its answer is not that of the call whose answer it took over"

def precedents_problem(prepared, texts, manifest, own, found):
    method, setup, failure, precedents = found["method"], found["setup"], found.get("failure"), found["precedents"]
    splits = dict(json.loads(texts[manifest])["cases"])
    for case in precedents:
        if splits.get(case["case"]) != "train": return "one of its precedents is not of the training split"
        if case["case"] == own: return "one of its precedents is the case on trial"
        if json.loads(texts[case["case"]])["truth"] != case["label"]: return "one of its precedents has another label"
    if any((case["similarity"] is None) != (method == "random") for case in precedents):
        return "its precedents do not have the similarities of its method"
    if method != "embeddings": return None if setup is None and failure is None else "its method asks no model"
    if setup is None: return "it does not say what made its vectors"
    space, of_case = space_of(texts, setup), [made for made in prepared.made.get(own, []) if made["setup"] == setup]
    if failure is not None:
        if precedents: return "it has precedents and a failure"
        matches = any(failure_of(made) == failure_of(found) for made in of_case)
        return None if matches else "the failure that it names is not on the record"
    has = lambda made: made["vectors"] is not None and space_of(texts, made["setup"]) == space
    named = all(any(map(has, prepared.made.get(case["case"], []))) for case in precedents)
    return None if named and any(map(has, of_case)) else "vectors that it rests on are not in the preparation chain"

def check_links(trial, links, freezes, texts, prepared, calls):
    """Holds what a trial has from beyond itself against what its experiment prepared, and against calls of other trials."""
    start = {}
    for seq, kind, body, _hash in links.get(trial, []):
        if kind == "trial-open": start = body
        if kind == "trial-open": continue
        with reading("it cannot be read", trial, seq, kind):
            need(start.get("freeze") in freezes, "its experiment is not on the record", trial, seq, kind)
            name, manifest = freezes[start["freeze"]]
            if name not in prepared: prepared[name] = Prepared(links.get(f"preparation/{name}", []))
            problem = (share_problem(prepared[name], body) if kind == "answer-share" else
                       reuse_problem(calls, place_of(start, freezes), body) if kind == "call-answer" else
                       precedents_problem(prepared[name], texts, manifest, start["case"], body))
            need(problem is None, problem, trial, seq, kind)

def check_foundations(db, steps, heads):
    """Holds the tables of cases and experiments against lists of cases and freezes. Returns manifest -> id of its data set."""
    salts, sets = dict(db.execute("SELECT id, salt FROM datasets")), {}
    for number, manifest in db.execute("SELECT id, manifest FROM datasets ORDER BY id"):
        need((manifest is None) == (number == 0), f"data set {number}: its list of cases is missing or has no place", kind="cases")
        if manifest is not None: sets[ref_of(manifest)] = number
    found = db.execute("SELECT dataset, position, id, split, ref FROM cases ORDER BY +dataset, +position").fetchall()
    expected = []
    for manifest, number in sets.items():
        with reading(f"data set {number} cannot be read", None, None, "cases"):
            for position, (ref, split) in enumerate(json.loads(text_of(db, manifest, salts))["cases"]):
                expected.append((number, position, json.loads(text_of(db, ref, salts))["id"], split, ref))
    need([(*row[:4], ref_of(row[4])) for row in found] == expected, "the cases are not those on the record", kind="cases")
    rows = db.execute("SELECT name, dataset, definition, head_hash FROM experiments ORDER BY +name").fetchall()
    made = []
    for chain in (chain for chain in heads if chain.startswith("experiment/")):
        freeze = steps[chain].get("experiment-extend") or steps[chain].get("experiment-freeze")
        need(freeze is not None, "it has no freeze", chain, None, "experiments")
        made.append((chain.partition("/")[2], sets.get(freeze["dataset"]["manifest"]), freeze["definition"], heads[chain]))
    need(sorted((name, number, ref_of(key), head) for name, number, key, head in rows) == sorted(made, key=lambda row: row[0]) and
         all(row[0] == (steps[f"experiment/{row[0]}"].get("experiment-extend") or steps[f"experiment/{row[0]}"]["experiment-freeze"])["name"] for row in made),
         "the experiments are not those on the record", kind="experiments")

def check_decided(db):
    """What an experiment decides beforehand is in its first freeze, and no extension may change it. Returns experiment -> its labels."""
    salts, decided, labels = dict(db.execute("SELECT id, salt FROM datasets")), {}, {}
    for chain, payload in db.execute("SELECT trial, CAST(payload AS BLOB) FROM events NOT INDEXED WHERE kind IN ('experiment-freeze', 'experiment-extend') ORDER BY trial, seq"):
        with reading("its definition cannot be read", chain, None, "experiments"):
            definition = json.loads(text_of(db, json.loads(payload)["definition"], salts))
            said = json.dumps([definition.get("primary"), definition.get("stop")])
            labels[chain.partition("/")[2]] = definition["dataset"].get("labels")
        need(decided.setdefault(chain, said) == said, "what was decided beforehand was changed later", chain, None, "experiments")
    return labels

def text_of(db, ref, salts):
    key = base64.urlsafe_b64decode(ref + "=" * (-len(ref) % 4))
    row = db.execute("SELECT dataset, encoding, bytes FROM blobs WHERE ref = ?", [key]).fetchone()
    if row is None: return db.execute("SELECT stays FROM erased WHERE ref = ?", [key]).fetchone()[0].encode("utf-8", "surrogateescape")
    dataset, encoding, data = row
    text = unpack(encoding, data, MOST_UNPACKED * 2**20)
    if sha256(salts[dataset], text) != key: raise ValueError("a text does not have its hash")
    return text

ROW = ("trial experiment arm case_id replicate attempt seed protocol protocol_version status outcome incomplete inconsistent "
       "prediction confidence belief belief_source calls attempts prompt_tokens completion_tokens model_ms wall_ms models backends standin head_hash")
def check_row(at, row, step, chain_head, freezes, texts):
    start, ruling, close = (step.get(kind) or {} for kind in ("trial-open", "ruling-give", "trial-close"))
    imported = step.get("prediction-import") or {}
    need(start.get("freeze") in freezes, "it does not refer to an experiment on the record", *at)
    name, case = freezes[start["freeze"]][0], json.loads(texts[start["case"]])["id"]
    need(hash_parts(name, start["arm"], case, str(start["replicate"])).hex()[:16] == at[0], "its experiment, arm, case and replicate do not give its id", *at)
    done, decided = bool(close), close.get("outcome") == "decided"
    setups = [json.loads(texts[ref]) for ref in step["setups"]] if done else []
    spelled = lambda value: None if value is None else json.loads(value)
    distinct = lambda values: list(dict.fromkeys(values))
    said = lambda source, field: source.get(field) if decided else None
    ambiguous = (step.get("ambiguity-find") or {}).get("ambiguous")
    expected = {
        "trial": at[0], "experiment": name, "arm": start["arm"], "case_id": case, "replicate": start["replicate"], "attempt": start["attempt"],
        "seed": start["seed"], "protocol": start["protocol"], "protocol_version": start["protocolVersion"], "status": "done" if done else "running",
        "outcome": close.get("outcome"), "incomplete": int(close.get("incomplete", False)), "inconsistent": int(bool(said(ruling, "inconsistent"))),
        "prediction": said(imported or ruling, "prediction"), "confidence": said(imported or ruling, "confidence"), "belief": said(imported or ruling, "belief"),
        "belief_source": said(imported or ruling, "source"), "calls": len(step["calls"]) if done else 0,
        **dict(zip(("attempts", "prompt_tokens", "completion_tokens", "model_ms", "wall_ms"), step["sums"] if done else [0] * 5)),
        "models": distinct([imported["system"]] if imported else [setup["model"] for setup in setups]), "backends": distinct(setup["backend"] for setup in setups),
        "standin": int(any(setup.get("standin") is True for setup in setups)), "head_hash": chain_head if done else None,
        "ambiguous": None if ambiguous is None else int(ambiguous)}
    for column in ("prediction", "belief", "models", "backends"): row[column] = spelled(row[column])
    wrong = [column for column in row if row[column] != expected[column]]
    need(not wrong, f"the row is not what the events amount to ({', '.join(wrong)})", *at)

def check_trials(db, heads, steps, freezes, links, texts):
    prepared, calls = {}, calls_named(db, links, freezes)  # experiment -> what it prepared
    columns = ROW.split() + (["ambiguous"] if db.execute("PRAGMA user_version").fetchone()[0] >= 2 else [])
    rows, found = {}, db.execute(f"SELECT {', '.join(columns)} FROM trials ORDER BY +trial")
    for row in found:
        need(row[0] not in rows, "this trial has two rows", row[0], None, "trials")
        rows[row[0]] = dict(zip(columns, row))
    for trial in (chain for chain in heads if not chain.startswith(NO_TRIALS)):
        check_links(trial, links, freezes, texts, prepared, calls)
        at = (trial, None, "trials")
        need(trial in rows, "the row of this trial is missing", *at)
        with reading("what it amounts to cannot be computed", *at):
            check_row(at, rows.pop(trial), steps[trial], heads[trial], freezes, texts)
    need(not rows, "the events of this trial are missing", next(iter(rows), None), None, "trials")

def add_leaf(tree, leaf):
    """Adds to a Merkle tree (RFC 6962), kept as its full subtrees [leaves, hash]; returns the hashes of those that it completes."""
    completed = [leaf]
    tree.append([1, leaf])
    while len(tree) > 1 and tree[-1][0] == tree[-2][0]:
        (size, right), (_size, left) = tree.pop(), tree.pop()
        completed.append(sha256(b"\x01", left, right))
        tree.append([2 * size, completed[-1]])
    return b"".join(completed)

def root_of(tree):
    if not tree: return sha256(b"")
    root = tree[-1][1]
    for _size, left in reversed(tree[:-1]): root = sha256(b"\x01", left, root)
    return root

def check_signatures(note, origin, key, owners):
    """Checks the log's signature (C2SP signed-note) and those of witnesses whose name says their key; returns the latter."""
    text, _, lines = note.rpartition("\n\n")
    text, own, witnesses = text + "\n", False, set()
    for line in lines.splitlines():
        _dash, name, encoded = line.split(" ")
        signature = base64.b64decode(encoded, validate=True)
        witness = re.fullmatch(r"assize\.invalid/witness/([0-9a-f]{64})", name)
        public = key if name == origin else bytes.fromhex(witness[1]) if witness else None
        if public is None: continue
        kind = b"\x01" if name == origin else b"\x04"
        if signature[:4] != sha256(name.encode() + b"\n" + kind + public)[:4]: continue
        stamp = "" if name == origin else f"cosignature/v1\ntime {int.from_bytes(signature[4:12], 'big')}\n"
        if Ed25519PublicKey is not None:
            Ed25519PublicKey.from_public_bytes(public).verify(signature[4 if name == origin else 12:], (stamp + text).encode())
        own = own or name == origin
        if name != origin and public not in owners: witnesses.add(name)
    if not own: raise ValueError("it is not signed by its key")
    return witnesses

def check_log(db, ends):
    """Holds the log's leaves against the chains, and its checkpoints against the leaves; None before format 4."""
    if db.execute("PRAGMA user_version").fetchone()[0] < 4: return None
    tree, roots, seen, count = [], {0: sha256(b"")}, set(), 0
    tables = db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('log', 'leaves', 'checkpoints')")
    need(tables.fetchone() == (3,), "a table of the log is missing", kind="log")
    need(named := db.execute("SELECT origin FROM log").fetchone(), "the name of the log is missing", kind="log")
    origin = named[0]
    notes = db.execute("SELECT size, note, cosignatures, key FROM checkpoints NOT INDEXED ORDER BY id").fetchall()
    sizes = {size for size, *_rest in notes}
    for position, chain, head, hashes in db.execute("SELECT position, chain, head, hashes FROM leaves NOT INDEXED ORDER BY position"):
        at = (chain, None, "log")
        need(position == count, f"entry {count} of the log is missing", None, None, "log")
        leaf = f"assize/leaf/1\n{chain}\n{head.hex()}\n".encode("utf-8", "surrogateescape")
        completed, count = add_leaf(tree, sha256(b"\x00", leaf)), count + 1
        need(hashes in (None, completed), "an entry of the log does not have its hashes", *at)
        if count in sizes: roots[count] = root_of(tree)
        need((chain, head) in ends, "the log has a head of this chain that it does not have now", *at)
        need((chain, head) not in seen, "the log has one head of this chain twice", *at)
        seen.add((chain, head))
    for (chain, head), required in ends.items():
        need(not required or (chain, head) in seen, "an attempt at this trial ended, and the log does not have its head", chain, None, "log")
    newest = {chain: head for chain, head in ends if chain.startswith(NO_TRIALS)}
    covered = {(chain, head) for chain, head in db.execute("SELECT chain, head FROM leaves WHERE position < ?", (max(sizes, default=0),))}
    grown = [chain.split("/")[0] for chain, head in newest.items() if (chain, head) not in covered]
    signed = cosigned = 0
    for size, note, cosignatures, key in notes:
        with reading("a checkpoint does not hold", None, None, "checkpoint"):
            witnesses = check_signatures(note + cosignatures, origin, key, {each[3] for each in notes})
            text = note.rpartition("\n\n")[0].split("\n")
            need(text[:2] == [origin, str(size)], "a checkpoint is of another log or size", kind="checkpoint")
            need(size <= count, f"a checkpoint covers {size} entries and the log has {count}", kind="checkpoint")
            need(base64.b64decode(text[2]) == roots[size], f"the first {size} entries of the log are not those of a checkpoint", kind="checkpoint")
        signed, cosigned = max(signed, size), max(cosigned, size if witnesses else 0)
    checked = "checked" if Ed25519PublicKey is not None else "not checked: the package cryptography is not installed"
    return {"origin": origin, "entries": count, "signed": signed, "cosigned": cosigned, "signatures": checked, "unsigned_chains": len(grown), "unsigned_kinds": sorted(set(grown))}

# What fields hold, in the words of resources/bundle/uses.mjs.
WHAT = {("utterance-make", "plan"): "private plan", ("utterance-make", "outside"): "what is said to be from outside the facts",
        ("trial-open", "case"): "its case: facts, groups and true label", ("call-answer", "answer"): "a model’s answer",
        ("call-answer", "thinking"): "a model’s thinking", ("call-answer", "setup"): "the settings of its calls",
        ("ruling-give", "opinion"): "the reasons of the ruling", ("belief-update", "notes"): "private notes on a belief",
        **{(kind, field): what for kind in ("experiment-freeze", "experiment-extend") for field, what in
           (("definition", "the definition of the experiment"), ("dataset", "the list of its cases"), ("arms", "the settings, prompts or examples of its arms"))}}
def is_in(value, ref):
    """Whether JSON holds a text, at any depth: hostile payloads are deeper than calls can be."""
    left = [value]
    while left:
        inner = left.pop()
        if isinstance(inner, (dict, list)): left.extend(inner.values() if isinstance(inner, dict) else inner)
        elif inner == ref: return True
    return False

def named_at(db, ref):
    """Yields the chain, seq, kind, field, number of the speech and speaker of each use of a text, and a list that then gets what came of the call; a prompt names a text by its first 12 characters."""
    chain, speeches, speech, asked = None, 0, None, None
    for trial, seq, kind, payload in db.execute("SELECT trial, seq, kind, CAST(payload AS TEXT) FROM events NOT INDEXED ORDER BY trial, seq"):
        if trial != chain or kind == "trial-open": chain, speeches, speech, asked = trial, 0, None, None
        if kind == "utterance-make":
            speeches += 1
            speech = f"speech {speeches} ({by_whom(word_in(payload, 'role'), word_in(payload, 'turn'))})"
        if asked is not None: asked.extend(call_for(kind, payload, speech))
        asked = None
        if ref[:12] not in payload: continue
        body = json.loads(payload)
        said = by_whom(body.get("role"), body.get("turn"))
        for field, value in body.items():
            if not is_in(value, ref[:12] if field == "messages" else ref): continue
            calls = []
            if field == "messages": asked = calls
            yield trial, seq, kind, field, speeches if kind == "utterance-make" else None, said, calls

def by_whom(*parts):
    return ", ".join("prosecution" if part == "prosecutor" else part for part in parts if isinstance(part, str))

def word_in(payload, field):
    found = re.search(rf'"{field}":"([\w -]{{1,60}})"', payload, re.ASCII)
    return None if found is None else found[1]

def call_for(kind, payload, speech):
    """What a call was made for, by the event that came of it and the latest speech in words."""
    if kind == "ruling-give": return ["the ruling"]
    if kind == "utterance-make": return [speech]
    if kind != "belief-update": return []
    role = word_in(payload, "role") or "one of them"
    return [f"the belief of {'the judge' if role == 'judge' else role} {f'after {speech}' if speech else 'before any speech'}"]

def what_is(kind, field, number, times, said, calls):
    if field == "messages":
        rest = f" and {times - len(calls)} more" if times > len(calls) else ""
        return ("the prompt of 1 call" if times == 1 else f"the prompts of {times} calls") + (f": {', '.join(sorted(calls, key='the ruling'.__ne__))}{rest}" if calls and times <= 12 else "")
    if kind != "utterance-make": return WHAT.get((kind, field), f"{field} of {kind}") + (f" ({said})" if said else "")
    return ("" if field == "text" else f"{WHAT.get((kind, field), field)} of ") + f"speech {number} ({said})"

EVENTS = {"utterance-make": "a speech", "belief-update": "a belief", "call-answer": "the answer of a call", "ruling-give": "the ruling"}
TEXT = r"text ([\w-]{43}):"
def places_of(db, bad):
    """Where in its trials the bad text is used, or the bad event or row itself: at most 100 uses, prompts last, and how many more."""
    ref = re.match(TEXT, bad["problem"]) if bad["kind"] == "text" else None
    if ref is None and (bad["trial"] is None or bad["seq"] is None and bad["kind"] != "trials"): return [], 0
    found = {}  # chain, kind, field and number of the speech -> seq, speaker and what came of each call
    for trial, seq, kind, field, number, said, calls in named_at(db, ref[1]) if ref else ():
        first, by, before = found.get((trial, kind, field, number), (seq, said, []))
        found[trial, kind, field, number] = first, by, [*before, calls]
    in_order = sorted(found.items(), key=lambda item: item[0][2] == "messages")
    places = [(trial, seq, kind, what_is(kind, field, number, len(calls), said, sum(calls, []))) for (trial, kind, field, number), (seq, said, calls) in in_order]
    if ref is None: places = [(bad["trial"], bad["seq"], bad["kind"], "its row of results" if bad["seq"] is None else f"{EVENTS[bad['kind']]} (event {bad['seq']})" if bad["kind"] in EVENTS else f"event {bad['seq']}, {bad['kind']}")]
    rows = {trial: about for trial, *about in db.execute("SELECT trial, experiment, arm, case_id FROM trials")}
    uses = [{"trial": trial, **dict(zip(("experiment", "arm", "case"), rows.get(trial, [None] * 3))), "seq": seq, "kind": kind, "what": what}
            for trial, seq, kind, what in places]
    return uses[:100], max(0, len(uses) - 100)

UNNAMED = {None: "No event names it. Whether it is a case is not known: a list of cases is missing or was changed too.",
           True: "It is a case of the data set, and no trial in this file is about it.",
           False: "No event and no list of cases names it: nothing in this file depends on it."}
def is_case(db, ref):
    """Whether the lists of cases have a text; None where one that could have it cannot be read."""
    found = set()
    for number, salt, manifest in db.execute("SELECT id, salt, manifest FROM datasets WHERE manifest IS NOT NULL").fetchall():
        try:
            there = db.execute("SELECT 1 FROM blobs WHERE ref = ?", [manifest]).fetchone()
            found.add(any(case == ref for case, _split in json.loads(text_of(db, ref_of(manifest), {number: salt}))["cases"]) if there else None)
        except (sqlite3.Error, zlib.error, *BROKEN): found.add(None)
    return True in found or (None if None in found else False)

def meaning_of(bad, found_case=None):
    """What a fault means for those who read the record, in the words of resources/bundle/uses.mjs."""
    if bad["kind"] == "text" and re.match(TEXT, bad["problem"]):
        words = "What was written here is gone from the record." if bad["problem"].endswith("is missing") else "What is written here is not what was recorded."
        events = " Every event has its hash: the verdicts and beliefs in the events hold together, and you may use them if you know the root of the record, or the key that signed them."
        asked = not bad["problem"].endswith("is missing") and any(use["what"].startswith("the prompt") for use in bad.get("uses", []))
        if asked: events += " In that case no model was asked with these words either: the events name what is in each prompt by its hash. An intact copy shows what the recorded words were; of a speech, the model’s answer in the call before it can show them too."
        if not bad.get("uses"): return f"{words} {UNNAMED[found_case]}{events}"
        if all(use["what"] != WHAT["trial-open", "case"] for use in bad["uses"]): return f"{words}{events} Do not rely on these words."
        return f"{words}{events} The true label and the groups of the case are a part of it, so do not rely on whether these trials are right."
    if bad["trial"] is not None and bad["seq"] is not None:
        return f"From this event on, nothing that this {'chain' if bad['trial'].startswith(NO_TRIALS) else 'trial'} says is proved."
    if bad["trial"] is not None and bad["kind"] == "trials": return "What lists and statistics say of this trial is not what its events say."
    return "The check stopped here: nothing that comes after it was checked."

def unsigned_words(log):
    grown = log.get("unsigned_chains", 0) if log.get("signed", 0) > 0 else 0
    if grown == 0: return []
    return [f"{grown} chain{' has' if grown == 1 else 's have'} events since the newest checkpoint that are not signed: of {', '.join(kind + 's' for kind in log['unsigned_kinds'])}."]

A_BUNDLE = "this is a bundle, not a store"
def advice(report):
    """What to do next, by what was found."""
    if report["result"] == "unreadable" and report["problem"].startswith(A_BUNDLE): return ["Unpack the bundle to find them. It says all that a store would say of its experiment."]
    if report["result"] == "unreadable": return ["Copy the store again with its -wal file next to it, while no program uses it, or put back an earlier copy."]
    if report["result"] == "tampered":
        return ["There may be other bad records: only the first is named.", "Put back a copy from before the change, and compare its root with one that was kept elsewhere.",
                "assize verify STORE --since CHECKPOINT says whether a copy continues from an earlier checkpoint; assize show and assize export --damaged show what is there, with a warning."]
    proved = "Proved: no event and no text was changed since its hash was made, and the results listed for each trial follow from its events."
    if report["erasures"] > 0: proved = "Proved: no event and no text that is still there was changed since its hash was made. Texts that were erased, and what needs them, were not checked."
    log = report.get("log") or {}
    return [proved, "Somebody who rewrites the whole record also makes new hashes, and the root is then another: compare the root with one that you got by another way.",
            *unsigned_words(log),
            "Not proved: that a model gave these answers, who wrote the record and when, that nothing was left out, and that data and labels are right. docs/audit.md of Assize says how to sign before the first trial.",
            "This verifier makes no verdict again: assize replay does."]

def verify(path, stack):
    report, db = {"result": "intact", "store": str(path), "root": None, "first_bad": None}, open_store(path, stack)
    try:
        check_schema(db)
        for (damage,) in db.execute("PRAGMA quick_check(1)"):  # what a damaged page holds would look like a change by a person
            if damage.startswith("***"): raise Unreadable(f"the store is damaged: the disk changed it, or it is a copy that was cut short ({' '.join(damage.split())})")
        heads, steps, refs, freezes, links, ends, erasures, reviews, report["events"] = check_chains(db)
        report.update(chains=len(heads), erasures=len(erasures), trials=sum(not chain.startswith(NO_TRIALS) for chain in heads))
        if report["trials"] == 0 and db.execute("SELECT 1 FROM trials").fetchone() is None:
            raise Unreadable("the store holds no trials; a copied store needs its -wal file next to it")
        pages = db.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
        with reading("the erasures cannot be read", "erasure/texts", None, "text-erase"): erased = check_erasures(db, erasures)
        report["texts"], texts = check_texts(db, refs, texts_of(links, freezes, steps, reviews), max(MOST_UNPACKED * pages, 2**26), erased)
        check_foundations(db, steps, heads)
        labels = check_decided(db)
        with reading("it cannot be held against the erasures", None, None, "text-erase"): check_scopes(db, erased, erasures)
        check_trials(db, heads, steps, freezes, links, texts)
        check_reviews(db, reviews, ends, links, freezes, texts, labels)
        report["log"] = check_log(db, ends)
        for (damage,) in db.execute("PRAGMA integrity_check(1)"):  # for the indexes, which nothing above relies on
            need(damage == "ok", f"an index does not fit its table: {damage}", kind="file")
    except Tampered as tampered:
        bad, found_case = tampered.args[0], None
        with contextlib.suppress(sqlite3.Error, *BROKEN):
            bad["uses"], bad["more_uses"] = places_of(db, bad)
            if bad["kind"] == "text" and not bad["uses"] and (ref := re.match(TEXT, bad["problem"])): found_case = is_case(db, ref[1])
        return {**report, "result": "tampered", "first_bad": {**bad, "meaning": meaning_of(bad, found_case)}}
    in_order = sorted(heads, key=lambda chain: chain.encode("utf-16-be", "surrogatepass"))
    return {**report, "root": hash_parts("assize/root/1", *(part for chain in in_order for part in (chain, heads[chain]))).hex()}

def words_of(report):
    """Where the fault is, what it means and what to do, in lines to read."""
    bad, of = report.get("first_bad") or {}, {}
    for use in bad.get("uses", []): of.setdefault(use["trial"], []).append(use)
    named = [f"trial {trial} (experiment {uses[0]['experiment']}, arm {uses[0]['arm']}, case {uses[0]['case']})" if uses[0]["experiment"] else trial for trial, uses in of.items()]
    lines = [f"where it is: {name}: {'; '.join(use['what'] for use in uses)}" for name, uses in list(zip(named, of.values()))[:5]]
    more = max(0, len(of) - 5) + bad.get("more_uses", 0)
    passage = ["As it is in this file; it may have been changed:", *lines_of_passage(**bad["passage"])] if "passage" in bad else []
    return lines + ([f"where it is: and {more} more"] if more else []) + passage + ([f"what it means: {bad['meaning']}"] if bad else []) + [f"next: {line}" for line in report["next"]]

def main():
    parser = argparse.ArgumentParser(description="Checks an Assize store. Exit code 0: intact, 1: tampered, 2: unreadable.")
    parser.add_argument("store", type=pathlib.Path)
    options = (parser.add_argument("--json", action="store_true"), parser.parse_args())[1]
    try:
        with contextlib.ExitStack() as stack:
            report = verify(options.store, stack)
    except (Unreadable, sqlite3.Error, OSError) as error:
        report = {"result": "unreadable", "store": str(options.store), "problem": str(error)}
    except Exception as error:  # a fault of this program; it must not end with 1, which says tampered
        report = {"result": "internal error", "store": str(options.store), "problem": repr(error)}
    report["next"] = advice(report) if report["result"] != "internal error" else []
    text = json.dumps(report) if options.json else "\n".join([f"{key}: {json.dumps(report[key])}" for key in report if key != "next"] + words_of(report))
    try: print(text, flush=True)
    except BrokenPipeError: os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough, as `head` has
    except OSError as error: return print(f"the output could not be written: {error}", file=sys.stderr) or 70
    return {"intact": 0, "tampered": 1, "unreadable": 2}.get(report["result"], 70)

if __name__ == "__main__":
    sys.exit(main())
