import type { Told } from '../actions/told.ts';
import type { Attempt } from './store.ts';

type Known = Omit<Attempt, 'status' | 'error' | 'address' | 'answer'>;

/** A row of the log; of an answer no more than so many characters. */
export function attemptOf(
  known: Known,
  { status = null, error = null, address = null, text = '' }: Told,
  most: number,
) {
  const answer = storable(text.slice(0, most));
  return { ...known, status, error, address, answer: answer === '' ? null : answer };
}

/** What somebody else has written may hold what no text of a database can. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
