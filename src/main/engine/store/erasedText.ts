import { AssizeError } from '../../../shared/errors.ts';

/** A text is asked for that was erased, of which nothing is known any more. An audit that needs it cannot be made: no fault of the record. */
export class ErasedText extends AssizeError {
  constructor() {
    super('store-unreadable', 'a text that this needs was erased from the store');
  }
}
