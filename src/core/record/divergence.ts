/** The record and the protocol disagree: the run stops here rather than mix two trials. */
export class Divergence extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(`${key}: ${message}`);
    this.name = 'Divergence';
    this.key = key;
  }
}

/** The program asks for answers of another form than the record has: the trial is whole, and not for this program to replay. */
export class OtherSchema extends Divergence {
  constructor(key: string) {
    super(key, 'this program asks for another form of answer than the one on the record');
    this.name = 'OtherSchema';
  }
}

/** Another version of the program read the answers of the record, by other rules: not for this one to replay either. */
export class OtherReader extends Divergence {
  constructor(key: string) {
    super(key, 'another version of the program read this answer, by other rules than this one has');
    this.name = 'OtherReader';
  }
}
