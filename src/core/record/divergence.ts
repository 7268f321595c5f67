/** The record and the protocol disagree: the run stops here rather than mix two trials. */
export class Divergence extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(`${key}: ${message}`);
    this.name = 'Divergence';
    this.key = key;
  }
}
