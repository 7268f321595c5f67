import { type Court, type Precedent, type PrecedentQuery, TurnFailure } from './court.ts';

/** Looks up precedents; none where none are wanted, or if the lookup fails: that turn is given up. */
export async function findPrecedents(court: Court, query: PrecedentQuery): Promise<readonly Precedent[]> {
  if (query.perLabel === 0) return [];
  try {
    return await court.retrieve('precedents', query);
  } catch (error) {
    if (!(error instanceof TurnFailure)) throw error;
    court.forfeit('precedents/forfeit', 'retriever', error);
    return [];
  }
}
