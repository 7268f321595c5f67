"""Checks an Assize store without Assize: a second verifier, written from docs/record-format.md.

    python3 verify.py STORE [--json]

Reads the SQLite file read-only and recomputes from the stored bytes: every chain of events, the name of
every text, and the root hash over all chains. In the derived tables it compares what results depend on:
the trial of a row, its status, outcome, prediction, confidence and head. `assize verify` compares the rest.
It checks the log: its leaves against the chains, and its checkpoints against the leaves. It checks their signatures
only where the package `cryptography` is installed, and says so where it is not.
It compares what a trial takes from its experiment's preparation with the preparation chain and with the data set.
Exit code 0: intact; 1: tampered, and the first bad record is named; 2: nothing to check. Needs Python 3.9, SQLite 3.37.
"""
import argparse, base64, contextlib, hashlib, json, pathlib, re, shutil, sqlite3, sys, tempfile, zlib

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError: InvalidSignature, Ed25519PublicKey = ValueError, None

APPLICATION_ID, NEWEST_FORMAT, NO_TRIALS = 0x41535A45, 4, ("experiment/", "preparation/", "assistant/")
TEXT_FIELDS = {  # kind of event -> fields that name one text; refs_of adds the lists
    "experiment-freeze": ["definition"], "experiment-extend": ["definition"], "trial-open": ["case"],
    "call-answer": ["setup", "answer", "logprobs", "thinking"], "utterance-make": ["text", "plan"], "belief-update": ["notes"],
    "ruling-give": ["opinion"], "prediction-import": ["mapping", "value", "stated"], "turn-forfeit": [], "measure-take": [], "step-take": ["said"],
    "trial-close": [], "answer-share": ["setup", "answer"], "embedding-make": ["setup", "vectors"],
    "precedent-retrieve": ["setup"], "side-assign": [], "ambiguity-find": [],
    "argument-evaluate": ["evaluation"], "exchange-measure": [], "recommendation-make": [],
    "position-assign": [], "opinion-rate": [], "round-settle": ["notes"], "statement-embed": ["setup", "vectors"],
    "assistant-train": ["statements", "weights"], "subtopics-settle": ["subtopics", "balance"], "debate-stop": [],
    "proposal-make": ["proposal"], "panel-score": ["opinion"], "answer-give": ["answer"], "answer-compare": ["justification"],
    "moderation-ask": ["subtopics"], "moderation-give": ["moderation"]}

# Fields that are read before a check of their own; and what reading a payload of the wrong form throws.
NEEDED = {"precedent-retrieve": ["precedents"], "trial-open": ["freeze", "case"], "trial-close": ["outcome"]}
BROKEN = (InvalidSignature, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)

class Unreadable(Exception): pass
class Tampered(Exception): pass
def need(holds, problem, trial=None, seq=None, kind="text"):
    if not holds:
        raise Tampered({"trial": trial, "seq": seq, "kind": kind, "problem": problem})
@contextlib.contextmanager
def reading(problem, *at):
    """What cannot be read is tampered, and no fault of this program."""
    try: yield
    except BROKEN as error: need(False, f"{problem}: {error!r}", *at)
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

def open_store(path, stack):
    """Opens the store, or a temporary copy of it where SQLite cannot read it in place (read-only media)."""
    log = pathlib.Path(f"{path}-wal")
    logged = log.is_file() and log.stat().st_size > 0  # asked before SQLite makes an empty one
    try:
        db = connect(path, stack)
    except sqlite3.OperationalError:
        copy = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())) / "store"
        for suffix in ("", "-wal"):
            if pathlib.Path(f"{path}{suffix}").is_file(): shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        db = connect(copy, stack)
    application, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if application != APPLICATION_ID or not 1 <= version <= NEWEST_FORMAT:
        raise Unreadable(f"no Assize record of format 1 to {NEWEST_FORMAT}; a copied store needs its -wal file beside it")
    if not logged and db.execute("PRAGMA journal_mode").fetchone() == ("wal",) and db.execute(
            "SELECT open = 1 AND inode <> ? FROM state", [str(path.stat().st_ino)]).fetchone() == (1,):
        raise Unreadable("it was copied while in use, without its -wal file, which holds the newest events; copy both")
    return db

def refs_of(kind, payload):
    """The texts that an event names. `request` and `dataset.file` are hashes of what is not kept as one text."""
    refs = [payload.get(field) for field in TEXT_FIELDS[kind]]
    if kind.startswith("experiment-"):
        refs.append(payload["dataset"]["manifest"])
        for arm in payload["arms"]:
            refs += [arm["terms"], *arm["templates"].values(), *arm["examples"]["chosen"], *arm["examples"]["reserves"]]
    if kind == "embedding-make": refs += payload["cases"]
    if kind == "statement-embed": refs += [ref for pair in payload["statements"] for ref in pair]
    rated = payload.get("trained") or {}  # of opinion-rate
    refs += [rated.get("setup"), rated.get("vector"), rated.get("failure", {}).get("message")]
    if kind == "subtopics-settle": refs += payload["proposals"].values()
    refs += [precedent["case"] for precedent in payload.get("precedents", [])]
    refs += [one[field] for one in payload.get("recommendations", []) for field in ("text", "reason")]
    refs.append(payload["failure"].get("message") if isinstance(payload.get("failure"), dict) else None)
    parts = [name for _role, names in payload.get("messages", []) for name in names]  # first 12 characters of a ref
    return [ref for ref in refs + parts if ref is not None]

def check_chains(db):
    """Returns heads (chain -> hash), steps (trial -> kind -> payload in its last attempt), refs, freezes, links, ends, events.

    links: chain -> its events that name, or are, something made once for an experiment, each with seq, kind and hash.
    ends: (chain, hash) of what can be in the log, with whether it has to be.
    """
    heads, steps, refs, freezes, links, ends, events = {}, {}, {}, {}, {}, {}, 0
    for trial, seq, kind, payload, previous, digest in db.execute(  # NOT INDEXED: an index holds copies of trial and seq
            "SELECT trial, seq, kind, CAST(payload AS BLOB), prev_hash, hash FROM events NOT INDEXED ORDER BY trial, seq"):
        at = (trial, seq, kind)
        if trial not in heads: next_seq, link = 0, hash_parts("assize/chain/1", trial)
        need(seq == next_seq, f"event {next_seq} of this chain is missing", *at)
        need(previous == link, "it does not link to the event before it", *at)
        link = sha256(previous, seq.to_bytes(8, "big"), sized(kind), payload)
        need(digest == link, "its content does not have its hash", *at)
        with reading("its payload cannot be read", *at):
            body = json.loads(payload)
            for ref in refs_of(kind, body):
                if not isinstance(ref, str): raise ValueError("the name of a text is not a text")
                refs.setdefault(ref, f"event {seq} of {trial}")
            need(body["v"] == 1, "its payload has an unknown version", *at)
            for field in NEEDED.get(kind, []): body[field]
        if kind.startswith("experiment-"): freezes[digest.hex()] = (trial.partition("/")[2], body["dataset"]["manifest"])
        if kind == "trial-close" or trial.startswith(NO_TRIALS): ends[trial, digest] = kind == "trial-close"
        if trial.startswith("preparation/") or kind in ("trial-open", "answer-share", "precedent-retrieve"):
            links.setdefault(trial, []).append((seq, kind, body, digest.hex()))
        steps[trial] = {kind: body} if kind == "trial-open" else {**steps.get(trial, {}), kind: body}
        heads[trial], next_seq, events = digest.hex(), seq + 1, events + 1
    return heads, steps, refs, freezes, links, ends, events

def texts_of(links, freezes):
    """Refs of the texts that the links are checked with: setups, cases of precedents, lists of cases."""
    wanted = {manifest for _name, manifest in freezes.values()}
    for _seq, kind, body, _hash in (event for chain in links.values() for event in chain):
        if kind in ("embedding-make", "precedent-retrieve"): wanted.add(body.get("setup"))
        if kind == "precedent-retrieve": wanted.update(precedent["case"] for precedent in body["precedents"])
    return wanted

def check_texts(db, refs, wanted):
    """Returns how many texts there are, and those that are wanted, by ref."""
    salts, there, names, kept = dict(db.execute("SELECT id, salt FROM datasets")), set(), set(), {}
    for key, dataset, encoding, data in db.execute("SELECT ref, dataset, encoding, bytes FROM blobs NOT INDEXED ORDER BY rowid"):
        there.add(ref_of(key)); names.add(ref_of(key)[:12])
        need(dataset in salts, f"text {ref_of(key)}: its data set {dataset} is missing")
        try:
            text = data if encoding == 0 else zlib.decompress(data)
        except zlib.error:
            need(False, f"text {ref_of(key)}: it cannot be unpacked")
        need(sha256(salts[dataset], text) == key, f"text {ref_of(key)}: its content does not have its hash")
        if ref_of(key) in wanted: kept[ref_of(key)] = text
    for ref, place in refs.items():
        need(ref in (names if len(ref) == 12 else there), f"text {ref}: {place} names it and it is missing")
    return len(there), kept

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
        told = any(failure_of(made) == failure_of(found) for made in of_case)
        return None if told else "the failure that it names is not on the record"
    has = lambda made: made["vectors"] is not None and space_of(texts, made["setup"]) == space
    named = all(any(map(has, prepared.made.get(case["case"], []))) for case in precedents)
    return None if named and any(map(has, of_case)) else "vectors that it rests on are not in the preparation chain"

def check_links(trial, links, freezes, texts, prepared):
    """Holds what a trial has from beyond itself against what its experiment prepared."""
    start = {}
    for seq, kind, body, _hash in links.get(trial, []):
        if kind == "trial-open": start = body
        if kind == "trial-open": continue
        with reading("it cannot be read", trial, seq, kind):
            need(start.get("freeze") in freezes, "its experiment is not on the record", trial, seq, kind)
            name, manifest = freezes[start["freeze"]]
            if name not in prepared: prepared[name] = Prepared(links.get(f"preparation/{name}", []))
            problem = (share_problem(prepared[name], body) if kind == "answer-share" else
                       precedents_problem(prepared[name], texts, manifest, start["case"], body))
            need(problem is None, problem, trial, seq, kind)

def check_row(at, row, steps, chain_head, freezes):
    *names, status, outcome, prediction, confidence, head = row
    start, ruling, close = (steps.get(kind, {}) for kind in ("trial-open", "ruling-give", "trial-close"))
    ruling = steps.get("prediction-import", ruling)
    need(start.get("freeze") in freezes, "it does not refer to an experiment on the record", *at)
    need(hash_parts(*map(str, names)).hex()[:16] == at[0], "its experiment, arm, case and replicate do not give its id", *at)
    ends = ("done", close["outcome"], chain_head) if close else ("running", None, None)
    need((status, outcome, head) == ends, "its status, outcome or head is not what the events amount to", *at)
    label, stated = (ruling.get(field) if outcome == "decided" else None for field in ("prediction", "confidence"))
    spelled = None if label is None else json.dumps(label, ensure_ascii=False, separators=(",", ":"))
    need((prediction, confidence) == (spelled, stated), "its prediction or confidence is not what the events amount to", *at)

def check_trials(db, heads, steps, freezes, links, texts):
    prepared = {}  # experiment -> what it prepared
    columns = "trial, experiment, arm, case_id, replicate, status, outcome, prediction, confidence, head_hash"
    rows = {row[0]: row[1:] for row in db.execute(f"SELECT {columns} FROM trials ORDER BY trial")}
    for trial in (chain for chain in heads if not chain.startswith(NO_TRIALS)):
        check_links(trial, links, freezes, texts, prepared)
        at = (trial, None, "trials")
        need(trial in rows, "the row of this trial is missing", *at)
        with reading("what it amounts to cannot be told", *at):
            check_row(at, rows.pop(trial), steps[trial], heads[trial], freezes)
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

def check_signatures(note, origin, key):
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
        if name != origin and public != key: witnesses.add(name)
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
    signed = cosigned = 0
    for size, note, cosignatures, key in notes:
        with reading("a checkpoint does not hold", None, None, "checkpoint"):
            witnesses = check_signatures(note + cosignatures, origin, key)
            text = note.rpartition("\n\n")[0].split("\n")
            need(text[:2] == [origin, str(size)], "a checkpoint is of another log or size", kind="checkpoint")
            need(size <= count, f"a checkpoint covers {size} entries and the log has {count}", kind="checkpoint")
            need(base64.b64decode(text[2]) == roots[size], f"the first {size} entries of the log are not those of a checkpoint", kind="checkpoint")
        signed, cosigned = max(signed, size), max(cosigned, size if witnesses else 0)
    checked = "checked" if Ed25519PublicKey is not None else "not checked: the package cryptography is not installed"
    return {"origin": origin, "entries": count, "signed": signed, "cosigned": cosigned, "signatures": checked}

def verify(path, stack):
    report, db = {"result": "intact", "store": str(path), "root": None, "first_bad": None}, open_store(path, stack)
    try:
        heads, steps, refs, freezes, links, ends, report["events"] = check_chains(db)
        report.update(chains=len(heads), trials=sum(not chain.startswith(NO_TRIALS) for chain in heads))
        if report["trials"] == 0 and db.execute("SELECT 1 FROM trials").fetchone() is None:
            raise Unreadable("the store holds no trials; a copied store needs its -wal file beside it")
        report["texts"], texts = check_texts(db, refs, texts_of(links, freezes))
        check_trials(db, heads, steps, freezes, links, texts)
        report["log"] = check_log(db, ends)
        for (damage,) in db.execute("PRAGMA integrity_check(1)"):  # for the indexes, which nothing above relies on
            need(damage == "ok", damage, kind="file")
    except Tampered as tampered:
        return {**report, "result": "tampered", "first_bad": tampered.args[0]}
    in_order = sorted(heads, key=lambda chain: chain.encode("utf-16-be", "surrogatepass"))
    return {**report, "root": hash_parts("assize/root/1", *(part for chain in in_order for part in (chain, heads[chain]))).hex()}

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
    print(json.dumps(report) if options.json else "\n".join(f"{key}: {json.dumps(report[key])}" for key in report))
    return {"intact": 0, "tampered": 1, "unreadable": 2}.get(report["result"], 70)

if __name__ == "__main__":
    sys.exit(main())
