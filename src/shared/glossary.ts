/** The field's terms as the program uses them; docs/glossary.md has the same table. */
export const glossary = {
  'answer, first answer usable':
    'What a model returned for one call. A first answer is usable if it was accepted without a second attempt.',
  arm: 'One way to decide the cases of an experiment: a protocol, its parameters and a cast.',
  baseline: 'A decision without a language model, such as the most frequent label, that every arm must beat.',
  belief: 'The probability of each label that a role holds at one moment.',
  'belief timeline': "A chart of the judge's belief after each speech.",
  bundle: 'A zip with the chains, texts, reports and log of one experiment, and a `verify.html` that checks it in any browser.',
  cached: 'Computed once from the record and stored for reuse.',
  case: 'One question to decide, with its facts and, if known, the true label.',
  cast: 'The list of which model plays which role.',
  chain: 'The events of one trial or experiment, in order, where each event contains the hash of the event before.',
  checkpoint:
    'A signed note that says how many entries the log of a store has and what the log root is. A later store can prove that it extends it.',
  confidence: 'How probable a model says its own prediction is.',
  contentiousness: 'A number from 0 (agree) to 1 (attack) that sets how hard debaters argue.',
  'correction, degradation': 'A wrong first answer that became a right verdict, and the reverse.',
  counterbalanced:
    'Tried again with one thing exchanged (sides, order or labels), to see whether that changes the verdict. Files and exports call it a `swap`.',
  'data set': 'The table of cases of an experiment; the *Data sets* screen lists all data sets.',
  'demo model':
    'A built-in mock server that invents answers by a fixed rule, for trying Assize without a model. The command line, records and exports call it `standin`.',
  'dry run':
    'A run of the protocol without a model, to count the calls and show the prompts beforehand; of several, the longest, where a debate can end early.',
  ensemble: 'A named list of models, such as the sixteen models of a paper.',
  event: 'One recorded step of a trial or an experiment.',
  filter: 'A condition, such as `sex=Female`, that selects a part of the trials.',
  flip: 'A change of the leading label during a trial, or a different verdict in a matched trial.',
  freeze:
    'To record the definition, cases and prompts of an experiment before its first call, so that they cannot change unnoticed.',
  'head hash': 'The hash of the last event of a chain; it covers the whole chain.',
  label: 'One of the possible answers to a case.',
  ledger: 'The events of one trial, as the running protocol finds them and adds to them.',
  log: 'The heads of all ended attempts of a store, in the order in which they ended. It only grows.',
  majority:
    'Four different things have their own names. *Majority vote* is the protocol `vote`. The *bench majority* is the label that most judges or voters of one trial name. The *majority of the arms* is derived from the verdicts of several arms on one case. The baseline `majority` always predicts the most frequent label of the training cases.',
  'matched trial': 'The trial of the same case and seed in the counterbalanced arm.',
  precedent: 'A training case with its true label, shown to the judges as an example.',
  preparation: 'What Assize computes once for all trials of an experiment, such as vectors of cases.',
  projection: 'A table that Assize derives from the events to make queries fast, and can rebuild at any time.',
  protocol: 'The rules of a system: who speaks when, who sees what, and how the verdict is found.',
  'record, store': 'All events and texts in one append-only SQLite file.',
  replay: 'To derive every verdict again from the recorded answers, without a model.',
  replicate: 'One of several repetitions of a case in an arm, each with its own seed.',
  root: 'One hash for many. The *record root* is over the heads of all chains in a store and changes with every event. The *bundle root* is the same over the chains of one bundle. The *log root*, which a checkpoint signs, is over the ends of all attempts in the log so far.',
  'ruling, verdict': 'The final decision of a trial.',
  sign: 'To put a signature under a checkpoint with your own key. Somebody who has the checkpoint can see whether the record still fits it.',
  slot: 'One of the calls that a model server can answer at the same time.',
  trajectory: 'All beliefs of a trial in order, from the first answer to the verdict.',
  trial: 'One case, decided once by one arm.',
  verify: 'To check that no byte of a record has changed.',
  witness: "Somebody who signs the checkpoints of another's record, each only if it extends the one before.",
} as const;
