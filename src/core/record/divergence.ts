import { readerVersion } from '../answers/answer.ts';

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

/** The answers of the record were read by other rules, whose readings this program cannot follow: not for it to replay either. */
export class OtherReader extends Divergence {
  /** @param reader version of the rules */
  constructor(key: string, reader: number) {
    super(
      key,
      `this answer was read by rules of version ${reader}, and this program, which has version ${readerVersion}, reads it otherwise`,
    );
    this.name = 'OtherReader';
  }
}
