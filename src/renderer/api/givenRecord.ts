// The record that this tab reads in place of the user's own, if any. It outlives a reload of the page.
import { clearAllSessionState } from '../ui/sessionState.ts';

const key = 'assize-given';
const noteKey = 'assize-note';

/** Its handle; null while the tab shows the user's own record. */
export const givenRecord = (): string | null => sessionStorage.getItem(key);

/** Reloads the page: nothing that was read of one record is shown with another. */
function beginAt(place: string): void {
  clearAllSessionState();
  location.hash = place;
  location.reload();
}

/** Shows a record that the engine has opened. @param note said once the page has loaded again; empty: nothing @param place hash of a screen */
export function showGivenRecord(record: string, note = '', place = '#/experiments'): void {
  sessionStorage.setItem(key, record);
  sessionStorage.setItem(noteKey, note);
  beginAt(place);
}

export function showOwnRecord(): void {
  sessionStorage.removeItem(key);
  beginAt('#/');
}

/** What is to be said after such a reload, once; empty: nothing. */
export function takeNote(): string {
  const note = sessionStorage.getItem(noteKey) ?? '';
  sessionStorage.removeItem(noteKey);
  return note;
}
